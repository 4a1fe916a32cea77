"""HTML: the main content of a page, or all of its text; one document a file."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

import pyarrow as pa

from neardup.readers import plain
from neardup.readers.columns import Columns, Looked
from neardup.readers.encodings import AUTO, encoding_in, wide_in
from neardup.readers.file import File
from neardup.readers.html_limits import markup_fault, most_bytes, turn_for
from neardup.readers.reader import Reader, markup
from neardup.readers.records import LINK_SHARE, ReaderSettings, Record, guarded, to_batch
from neardup.text.layout import QUOTED, indented

# The time of the extraction grows with the square of the depth and of the number of elements. Pages
# beyond these bounds are rare; a plain walk over all of their text is good enough for them.
DEEP = 800
TOO_DEEP = 20_000
SOME_TAGS = 3_000
MANY_TAGS = 30_000
MANY_STEPS = 4_000_000  # tags, as often as they are deep
MANY_PASSED = 30_000_000_000  # characters, once for each tag
MOST_LOOKED_AT = 100_000_000  # characters of a text, once for each link
LEAST_MAIN = 0.1  # of the characters of long lines, in what is taken for the main content of a page
LONG_LINE = 50
BLOCKQUOTE = re.compile("<blockquote", re.IGNORECASE)
LINES = re.compile(r"^(\s*)(?=\S)", re.MULTILINE)
TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


UNCLOSED = _tags(
    "area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr "
    "thead tbody tfoot colgroup"
)
SILENT = _tags("script style template noscript head title textarea select")
INLINE = _tags("a abbr b bdi bdo cite code em font i kbd mark q s samp small span strong sub sup u")


@cache
def _resiliparse() -> Any:
    """Return what parses pages: few runs need it, and those ask for it several times a page."""
    import resiliparse.extract.html2text
    import resiliparse.parse.encoding
    import resiliparse.parse.html

    return resiliparse


def look(_file: File, _settings: ReaderSettings) -> Looked:
    """Return the columns of every page; its text may stand for a field of any name."""
    return Columns("text", "id", {"title": "title", "url": "url"}), {}


def read(
    file: File, _begin: int, _end: int, settings: ReaderSettings, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield the one record of a file."""
    data = plain.whole(file, most_bytes(settings.max_record))
    record = data if isinstance(data, Record) else _page(data, settings, file.name)
    yield to_batch([record], schema)


@guarded
def _page(data: bytes, settings: ReaderSettings, name: str) -> Record:
    if other := plain.of_another_format(data, name):
        return other
    if settings.encoding == AUTO:
        return page(data, None, settings, name)
    encoding = encoding_in(data, settings.encoding)
    html = data.decode(encoding.codec if encoding else "utf-8-sig", "replace")
    return page_of(html, settings.raw, name, links=LINK_SHARE in settings.columns)


@guarded
def page(
    data: bytes, charset: str | None, settings: ReaderSettings, own_id: str | None, **others: Any
) -> Record:
    """Make a record of one page; `charset` is what the server said, if it did."""
    links = LINK_SHARE in settings.columns
    return page_of(decoded(data, charset), settings.raw, own_id, links, **others)


@guarded
def page_of(html: str, raw: bool, own_id: str | None, links: bool = False, **others: Any) -> Record:
    """Make a record of the HTML of one page; without an address, the page's own word is taken for it.

    With `links`, the share of its text that is in links is found, too. Block quotations are indented.
    """
    record = marked_page(html, raw, own_id, links, **others)
    return record._replace(text=indented(record.text)) if record.text else record


def marked_page(html: str, raw: bool, own_id: str | None, links: bool = False, **others: Any) -> Record:
    """Make a record of a page in which a sign begins each block quotation."""
    if fault := markup_fault(html):
        return Record(id=own_id, problem=fault.problem, detail=fault.detail)
    with turn_for(html):
        return _parsed(html, raw, own_id, links, **others)


def _parsed(html: str, raw: bool, own_id: str | None, links: bool, **others: Any) -> Record:
    depth = _depth(html)
    if depth > TOO_DEEP:
        return Record(id=own_id, problem="unreadable", detail=f"HTML {depth:,} elements deep")
    try:
        tree = _resiliparse().parse.html.HTMLTree.parse(html)
        title = (tree.title or "").strip() or None
        if not others.get("url"):
            others = others | {"url": _own_address(tree)}
        if _is_slow(html, depth):
            text = _walked(tree)
        else:
            mark_quotations(tree, html)
            text = set_apart(_extracted(tree, raw))
        if links:
            others = others | {LINK_SHARE: _link_share(tree, text)}
    except (ValueError, RuntimeError, MemoryError) as error:
        return Record(id=own_id, problem="unreadable", detail=f"HTML: {error}")
    if not text.strip():
        framed = tree.document.query_selector("frame, iframe") is not None
        detail = "the page shows frames only" if framed else "the page shows none"
        return Record(id=own_id, others=others, problem="no text", detail=detail)
    text = text.encode("utf-8", "replace").decode()
    return Record(text, own_id, {"title": title, **others})


def _is_slow(html: str, depth: int) -> bool:
    """Return whether to find the main content of such a page would take many seconds."""
    tags = html.count("<")
    return (
        depth > DEEP or tags > MANY_TAGS or tags * depth > MANY_STEPS or tags * len(html) > MANY_PASSED
    )


def _own_address(tree: Any) -> str | None:
    """Return the address under which a page wants to be known, if it says so."""
    node = tree.document.query_selector("link[rel=canonical], meta[property='og:url']")
    address = node and (node.getattr("href") or node.getattr("content"))
    return str(address) if address and address.startswith(("http://", "https://")) else None


def _link_share(tree: Any, text: str) -> float:
    """Return how much of the text of a page is in links: navigation is, a story is not.

    Of more links than can be looked for in a long text, one in some few stands for all.
    """
    flat = " ".join(text.replace(QUOTED, "").split())
    links = tree.document.get_elements_by_tag_name("a")
    step = len(links) * len(flat) // MOST_LOOKED_AT + 1
    looked_at = (
        " ".join(links[at].text.replace(QUOTED, "").split()) for at in range(0, len(links), step)
    )
    found = step * sum(len(link) for link in looked_at if link in flat)
    return min(found / max(len(flat), 1), 1.0)


def _extracted(tree: object, raw: bool) -> str:
    """Return the main content; all text of a page of which hardly any prose was taken for that."""
    extract_plain_text = _resiliparse().extract.html2text.extract_plain_text
    whole = str(extract_plain_text(tree, links=False))
    if raw:
        return whole
    text = str(extract_plain_text(tree, main_content=True, links=False)).strip()
    return text if text and _prose(text) >= LEAST_MAIN * _prose(whole) else whole


def mark_quotations(tree: Any, html: str) -> None:
    """Let each line of block quotations, and each piece of one, begin with a sign."""
    if not BLOCKQUOTE.search(html):
        return
    kind = _resiliparse().parse.html.NodeType.TEXT
    for quotation in tree.document.get_elements_by_tag_name("blockquote"):
        for node in [node for node in quotation if node.type == kind and node.parent.tag not in SILENT]:
            if node.value.strip() and QUOTED not in node.value:
                signed = tree.create_text_node(LINES.sub(rf"\1{QUOTED}", node.value))
                node.parent.replace_child(signed, node)


def set_apart(text: str) -> str:
    r"""Return a text with empty lines around block quotations, and a sign only where one begins.

    >>> set_apart("He said:\n\ufdd0One line\n\ufdd0and an\ufdd0other.\nSo he did.")
    'He said:\n\n\ufdd0One line\nand another.\n\nSo he did.'
    """
    if QUOTED not in text:
        return text
    parts = []
    for is_quoted, lines in groupby(text.split("\n"), lambda line: QUOTED in line):
        if is_quoted:  # what stands in front of a sign is the bullet, or number, of a list
            own = "\n".join(line.partition(QUOTED)[2].replace(QUOTED, "") for line in lines)
            parts.append(f"{QUOTED}{own}")
        elif own := "\n".join(lines).strip():
            parts.append(own)
    return "\n\n".join(parts)


def _prose(text: str) -> int:
    """Return the characters of long lines."""
    return sum(len(line) for line in text.split("\n") if len(line) >= LONG_LINE)


def _walked(tree: Any) -> str:
    parts, text = [], _resiliparse().parse.html.NodeType.TEXT
    for node in tree.body or ():
        if node.type == text:
            if node.parent.tag not in SILENT:
                parts.append(node.value)
        elif node.tag not in INLINE:
            parts.append("\n")
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def decoded(data: bytes, charset: str | None) -> str:
    """Decode a page: by its byte-order mark, the server's word, its meta tag, or its bytes."""
    if wide := wide_in(data):
        return data[len(wide.mark) :].decode(wide.codec, "replace")
    found = _resiliparse().parse.encoding
    named = found.map_encoding_to_html5(charset, fallback_utf8=False) if charset else None
    encoding = named or found.detect_encoding(data, from_html_meta=True) or "utf-8"
    return str(found.bytes_to_str(data, encoding, "replace"))


def _depth(html: str) -> int:
    """Return about how deep the elements of a page are nested."""
    if html.count("<") < SOME_TAGS:
        return 0
    depth = deepest = 0
    for closing, name in TAG.findall(html):
        if name.lower() not in UNCLOSED:
            depth = max(depth - 1, 0) if closing else depth + 1
            deepest = max(deepest, depth)
    return deepest


READER = Reader(
    look=look,
    read=read,
    rewrite=plain.rewrite,
    suffixes=(".html", ".htm", ".xhtml"),
    begins=markup(rb"<[!?a-zA-Z]"),
    decodes=True,
    holds_gil=True,
)
