"""TEI, ALTO and PAGE: XML of editions and of what OCR read, one document a file."""

import re

from neardup.readers.records import Record
from neardup.readers.single import UnusableError, laid_out, single
from neardup.readers.values import number_in
from neardup.readers.xml_text import Attributes, Dialect, Path, Walk, inside
from neardup.text.dates import Reading, reading
from neardup.text.layout import START

ROOT = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:\s|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\])?\s*>)*"
    rb"<(?:\w+:)?(TEI\b|TEI\.2|teiCorpus|alto|PcGts)"
)
BLOCKS = "p l lg head ab item div row sp speaker stage table list u opener closer salute trailer"
EDITORS = frozenset(("corr", "reg", "expan", "supplied"))  # beside what the source has
RUNNING = frozenset(("header", "footer", "page-number", "signature-mark", "catch-word"))


def _left_out_of_tei(path: Path, _: Attributes) -> bool:
    silent = ("teiHeader", "fw", "facsimile", "sourceDoc", "standOff", "rdg", "figDesc")
    return path[-1] in silent or (path[-1] in EDITORS and path[-2:-1] == ("choice",))


def _tei_place(name: str, own: Attributes) -> str | None:
    return f"p. {own['n']}" if name == "pb" and own.get("n") else None


def _tei_dated(path: list[str]) -> int | None:
    """Say of a date in the header whether it is that of the work, of its source, or of the file."""
    if path[-1] not in ("date", "origDate") or "teiHeader" not in path:
        return None
    if "creation" in path:
        return 0
    if "sourceDesc" in path:
        return 1
    return 2 if path[-2] == "publicationStmt" else None


TEI = Dialect(
    blocks=frozenset(BLOCKS.split()),
    silent=_left_out_of_tei,
    apart=frozenset(("note",)),
    signs={
        "lb": lambda own: "-\n" if own.get("break") == "no" else "\n",
        "cb": lambda _: "\n",
        "cell": lambda _: " ",
    },
    place=_tei_place,
    facts={("titleStmt", "title"): "title"},
    dated=_tei_dated,
)


def tei(data: bytes) -> Record:
    """Return the record of a TEI file."""
    walk = Walk(TEI, data)
    facts = {name: " ".join(value.split()) for name, value in walk.facts.items()}
    if walk.dates:
        facts["date"] = next((d for d in walk.dates if reading(d) != Reading()), walk.dates[0])
    return laid_out(walk.text, walk.places, walk.notes, **facts)


def alto(data: bytes) -> Record:
    """Return the record of an ALTO file: its blocks, page by page."""
    page = ""

    def place(name: str, own: Attributes) -> str | None:
        nonlocal page
        if name == "Page":
            page = f"p. {own.get('PRINTED_IMG_NR') or own.get('PHYSICAL_IMG_NR') or own.get('ID', '')}"
            return page.strip()
        return f"{page}, {own['ID']}" if name == "TextBlock" and own.get("ID") else None

    dialect = Dialect(
        blocks=frozenset(("TextBlock",)),
        texts=frozenset((("",),)),  # all of it is in attributes
        silent=inside("TopMargin", "BottomMargin", "Description", "Styles"),
        signs={
            "TextLine": lambda _: "\n",
            "String": lambda own: own.get("CONTENT", ""),
            "SP": lambda _: " ",
            "HYP": lambda _: "-",
        },
        place=place,
    )
    walk = Walk(dialect, data)
    return laid_out(walk.text, walk.places)


def page(data: bytes) -> Record:
    """Return the record of a PAGE file: the lines of its regions in reading order."""
    order: list[tuple[int, str]] = []

    def place(name: str, own: Attributes) -> str | None:
        if name in ("RegionRefIndexed", "RegionRef") and own.get("regionRef"):
            order.append((number_in(own.get("index")) or 0, own["regionRef"]))
        return own.get("id", "") if name == "TextRegion" else None

    def silent(path: Path, own: Attributes) -> bool:
        return path[-1] in ("Word", "Glyph", "Metadata") or (
            path[-1] == "TextRegion" and own.get("type") in RUNNING
        )

    dialect = Dialect(
        blocks=frozenset(("TextRegion",)),
        texts=frozenset((("TextLine", "TextEquiv", "Unicode"),)),
        silent=silent,
        signs={"TextLine": lambda _: "\n"},
        place=place,
    )
    walk = Walk(dialect, data)
    in_groups = len({index for index, _ in order}) < len(order)  # which are written in their order
    ranks = {name: rank for rank, (_, name) in enumerate(order if in_groups else sorted(order))}
    found = list(zip(walk.places, walk.text.split(START)[1:], strict=True))
    found.sort(key=lambda part: ranks.get(part[0], len(ranks)))
    return laid_out("".join(START + text for _, text in found), [f"region {name}" for name, _ in found])


def _made(data: bytes) -> Record:
    root = ROOT.match(data)
    if root is None:
        raise UnusableError("unreadable", "this is neither TEI nor ALTO nor PAGE")
    return {b"alto": alto, b"PcGts": page}.get(root[1], tei)(data)


READER = single(_made, suffixes=(".tei", ".alto"), begins=ROOT)
