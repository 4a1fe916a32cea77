"""From records to pages: words with their places, fingerprints of pieces of sentences, the site."""

import hashlib
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Array
from neardup.methods.pages.settings import PageSettings
from neardup.plan import Sides
from neardup.readers.records import LINK_SHARE
from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, list_column, schema_of, to_lists, with_carried
from neardup.text import unicode_table

PIECES, WHOLE = (6, 40), (1 << 30, 1 << 30)  # the least and the most words of a piece of a sentence
PROSE = 10  # words of a sentence that is neither a heading nor an entry of a menu
LINKED = 0.5  # of the text of a page is in links: more, and it is there to lead elsewhere
NO_SIGNATURE, NAVIGATION = "no signature", "navigation page"
LIGHTEST = np.iinfo(np.int64).min  # the weight of a page that has none
HOST = r"^[A-Za-z][A-Za-z0-9+.-]*:/*(?:[^/?#@]*@)?(?i:www\.)?(?P<host>[^/?#:]+)"
PAGE_UNITS = schema_of(
    "doc size digest int64, words [int64], starts ends firsts [int32], keys [int64], "
    "sizes sentences fact_places [int32], fact_words [int64], length int64, site string, "
    "site_key weight int64, page_type string"
)


def units_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of pages for these records; extra columns are named by number."""
    return with_carried(PAGE_UNITS, records)


@dataclass(frozen=True)
class MakePages:
    """Splits each page into words and sentences; a sentence ends with its line.

    Pages that are not wanted are none: those of navigation, and as in the paper those that have no
    sentence to sign.
    """

    schema: pa.Schema
    settings: PageSettings

    def __call__(self, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
        """Return one page a record."""
        from neardup.kernels.pages import fact_marks, in_characters, page_sentences, text_digests
        from neardup.kernels.texts import MARKS, UNWRAPPED, split_texts

        data, offsets = utf8(batch["text"])
        size, feeds = (WHOLE, MARKS) if self.settings.rule == "paper" else (PIECES, UNWRAPPED)
        words, starts, ends, bounds, *sentences, lengths = split_texts(
            data, offsets, unicode_table(), feeds
        )
        pieces = page_sentences(words, starts, ends, bounds, *sentences, *size)
        firsts, piece_bounds, keys, sizes = pieces
        first_words = np.repeat(bounds[:-1], np.diff(sentences[1])) + sentences[0]
        sites = sites_of(batch["url"])
        begins = starts[first_words]
        facts = np.flatnonzero(
            fact_marks(
                data, offsets, unicode_table(), starts, ends, bounds, *sentences, PROSE,
                sites.is_null().to_numpy(zero_copy_only=False),
            )
        )  # fmt: skip
        fact_bounds = np.searchsorted(facts, bounds)
        fact_places, fact_words = starts[facts], words[facts]
        counts = np.diff(bounds)
        types = page_types(batch)
        if self.settings.unit == "character":
            by_words = starts, ends, bounds, firsts, piece_bounds
            words, starts, ends, bounds, firsts = in_characters(
                data, offsets, unicode_table(), *by_words, self.settings.in_bytes
            )
            if self.settings.in_bytes:
                begin = firsts + np.repeat(bounds[:-1], np.diff(piece_bounds))
                sizes = np.diff(np.append(begin, bounds[-1])).astype(np.int32)
        problems = self._problems(batch["problem"], counts, sizes, piece_bounds, types)
        counts = np.where(problems.is_null(), counts, 0)
        known = {
            "size": pa.array(counts),
            "digest": pa.array(text_digests(data, offsets).view(np.int64)),
            "words": to_lists(words, bounds),
            "starts": list_column(starts, bounds),
            "ends": list_column(ends, bounds),
            "firsts": list_column(firsts, piece_bounds),
            "keys": to_lists(keys, piece_bounds),
            "sizes": list_column(sizes, piece_bounds),
            "sentences": list_column(begins, sentences[1]),
            "fact_places": list_column(fact_places, fact_bounds),
            "fact_words": to_lists(fact_words, fact_bounds),
            "length": pa.array(lengths),
            "site": sites,
            "site_key": site_keys(sites),
            "weight": weights(batch, self.settings.weight_column),
            "page_type": types,
            "problem": problems,
        }
        return carrying(self.schema, known, batch)

    def _problems(
        self, known: pa.Array, counts: Array, sizes: Array, bounds: Array, types: pa.Array
    ) -> pa.Array:
        """Return why each page is none, if it is."""
        found = pc.if_else(pa.array(counts == 0), NO_WORDS, pa.scalar(None, pa.string()))
        if self.settings.rule == "paper":
            pages = np.repeat(np.arange(len(counts)), np.diff(bounds))
            signed = np.bincount(pages[sizes > self.settings.shortest], minlength=len(counts))
            unsigned = pc.if_else(pa.array(signed == 0), NO_SIGNATURE, pa.scalar(None, pa.string()))
            found = pc.coalesce(found, unsigned)
        if self.settings.topic_pages_only:
            navigation = pc.fill_null(pc.equal(types, "navigation"), False)
            found = pc.coalesce(found, pc.if_else(navigation, NAVIGATION, pa.scalar(None, pa.string())))
        return pc.coalesce(known, found)


def page_types(batch: pa.RecordBatch) -> pa.Array:
    """Say of each page whether it is of a topic or of navigation; null if its links are not known."""
    if LINK_SHARE not in batch.schema.names:
        return pa.nulls(batch.num_rows, pa.string())
    linked = pc.greater(as_numbers(batch[LINK_SHARE]), LINKED)
    return pc.if_else(linked, "navigation", "topic")


def weights(batch: pa.RecordBatch, column: str | None) -> pa.Array:
    """Return the numbers of a column as integers in the same order, the lightest for none."""
    if column is None:
        return pa.array(np.zeros(batch.num_rows, np.int64))
    given = as_numbers(batch[column])
    bits = (pc.fill_null(given, 0.0).to_numpy(zero_copy_only=False) + 0.0).view(np.int64)
    ordered = np.where(bits < 0, bits ^ np.iinfo(np.int64).max, bits)
    return pc.if_else(pc.is_valid(given), pa.array(ordered), pa.scalar(LIGHTEST))


def as_numbers(column: pa.Array) -> pa.Array:
    """Return the numbers of a column, which may be written as texts; null for what is none.

    >>> as_numbers(pa.array(["0.5", "many", None])).to_pylist()
    [0.5, None, None]
    """
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        number = pc.match_substring_regex(column, r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$")
        column = pc.utf8_trim_whitespace(pc.if_else(number, column, pa.scalar(None, column.type)))
    return column.cast(pa.float64())


def sites_of(urls: pa.Array) -> pa.Array:
    """Return the site of each address: its host without www; null for what is not an address.

    >>> sites_of(pa.array(["https://WWW.Example.org:80/a", "mailto", None])).to_pylist()
    ['example.org', None, None]
    """
    return pc.utf8_lower(pc.struct_field(pc.extract_regex(urls, HOST), "host"))


def site_keys(sites: pa.Array) -> pa.Array:
    """Return a number for each site, 0 for none."""
    named = sites.dictionary_encode()
    digests = [
        hashlib.blake2b(name.encode(), digest_size=8).digest() for name in named.dictionary.to_pylist()
    ]
    numbers = [int.from_bytes(digest, "little", signed=True) for digest in digests]
    return pc.fill_null(pa.array(numbers, pa.int64()).take(named.indices), 0)
