"""From records to pages: words with their places, fingerprints of pieces of sentences, the site."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.signatures.shingles import utf8
from neardup.steps.columns import NO_WORDS, carrying, list_column, schema_of, to_lists, with_carried
from neardup.text import unicode_table

LEAST_WORDS, MOST_WORDS = 6, 40  # of a piece of a sentence
HOST = r"^[A-Za-z][A-Za-z0-9+.-]*:/*(?:[^/?#@]*@)?(?i:www\.)?(?P<host>[^/?#:]+)"
PAGE_UNITS = schema_of(
    "doc size digest int64, words [int64], starts ends firsts [int32], keys [int64], "
    "sizes sentences [int32], length int64, site string, site_key int64"
)


def units_schema(records: pa.Schema) -> pa.Schema:
    """Return the schema of pages for these records; extra columns are named by number."""
    return with_carried(PAGE_UNITS, records)


@dataclass(frozen=True)
class MakePages:
    """Splits each page into words and sentences; a sentence ends with its line."""

    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        """Return one page a record."""
        from neardup.kernels.pages import page_sentences, text_digests
        from neardup.kernels.texts import LINES, split_texts

        del sides
        data, offsets = utf8(batch["text"])
        words, starts, ends, bounds, *sentences, lengths = split_texts(
            data, offsets, unicode_table(), LINES
        )
        pieces = page_sentences(words, starts, ends, bounds, *sentences, LEAST_WORDS, MOST_WORDS)
        firsts, piece_bounds, keys, sizes = pieces
        first_words = np.repeat(bounds[:-1], np.diff(sentences[1])) + sentences[0]
        sites = sites_of(batch["url"])
        wordless = pc.and_(pc.equal(pa.array(np.diff(bounds)), 0), pc.is_null(batch["problem"]))
        known = {
            "size": pa.array(np.diff(bounds)),
            "digest": pa.array(text_digests(data, offsets).view(np.int64)),
            "words": to_lists(words, bounds),
            "starts": list_column(starts, bounds),
            "ends": list_column(ends, bounds),
            "firsts": list_column(firsts, piece_bounds),
            "keys": to_lists(keys, piece_bounds),
            "sizes": list_column(sizes, piece_bounds),
            "sentences": list_column(starts[first_words], sentences[1]),
            "length": pa.array(lengths),
            "site": sites,
            "site_key": site_keys(sites),
            "problem": pc.if_else(wordless, NO_WORDS, batch["problem"]),
        }
        return carrying(self.schema, known, batch)


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
