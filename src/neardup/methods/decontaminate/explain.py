"""A test item beside the places of a document where it stands, field by field."""

from typing import Any, NamedTuple

import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.methods.decontaminate.settings import FIELDS
from neardup.results.folder import ResultFolder
from neardup.results.texts import texts_of
from neardup.showing.differing import differing_html
from neardup.showing.explaining import Explanation, compare
from neardup.signatures.shingles import Shingles

WORDS = Shingles("word", 1)


class FoundField(NamedTuple):
    """A field of a test item in a document, and how the two texts differ."""

    field: str
    kind: str
    similarity: float
    start: int
    end: int
    difference: Explanation


class ItemExplanation(NamedTuple):
    """All fields of a test item that stand in a document."""

    id_a: str
    id_b: str
    fields: tuple[FoundField, ...]

    def __str__(self) -> str:
        lines = [
            f"{self.id_b} in {self.id_a}: {', '.join(one.field for one in self.fields) or 'not found'}"
        ]
        for one in self.fields:
            where = f"{one.start}-{one.end} {one.field} {one.kind} {one.similarity:.3f}"
            lines.append(f"  {where}: {' '.join(one.difference.text_a.split())}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        named = (
            (f"{one.field}: {one.kind} {one.similarity:.3f}", one.difference) for one in self.fields
        )
        return differing_html(str(self).partition("\n")[0], named)


def explain(result: ResultFolder, id_a: str, id_b: str) -> ItemExplanation:
    """Show where the fields of a test item stand in a document."""
    item = item_named(result, id_b)
    [text] = texts_of(result, [id_a])
    table = result.matches
    rows = table.filter(pc.and_(pc.equal(table["id"], id_a), pc.equal(table["item"], item["id"])))
    found = []
    for row in rows.to_pylist():
        own = text[row["start"] : row["end"]]
        difference = compare(own, item[row["field"]], WORDS, id_a, item["id"])
        about = {name: row[name] for name in ("field", "kind", "similarity", "start", "end")}
        found.append(FoundField(**about, difference=difference))
    return ItemExplanation(id_a, item["id"], tuple(found))


def item_named(result: ResultFolder, given: str) -> dict[str, Any]:
    """Return the item of an id, which may be written without its benchmark if no other has it."""
    ids = result.items["id"]
    at = pc.index(ids, given).as_py()
    if at < 0:
        short = [place for place, own in enumerate(ids.to_pylist()) if own.partition("#")[2] == given]
        if len(short) != 1:
            some = ", ".join(ids.slice(0, 3).to_pylist())
            what = (
                f"no test item has the id {given!r}"
                if not short
                else f"{len(short)} items are {given!r}"
            )
            raise InputError(what, hint=f"First the document, then the item. Items are: {some}, …")
        at = short[0]
    [item] = result.items.slice(at, 1).to_pylist()
    return {name: item[name] or "" for name in ("id", *FIELDS)}


def explanation_json(explained: ItemExplanation) -> dict[str, Any]:
    """Return an explanation for programs."""
    fields = [
        {
            **{name: getattr(one, name) for name in ("field", "kind", "similarity", "start", "end")},
            "text": one.difference.text_a,
            "item_text": one.difference.text_b,
        }
        for one in explained.fields
    ]
    return {"id_a": explained.id_a, "id_b": explained.id_b, "fields": fields}
