"""Block quotations of files that are laid out are indented in their texts, and found there."""

from html import escape
from pathlib import Path

import pytest
from tests.readers.layouts import saved, zipped
from tests.readers.samples import rows_of

from neardup.readers.html import page_of
from neardup.readers.indents import begun, signed
from neardup.readers.packages import word
from neardup.readers.records import LINK_SHARE
from neardup.text.layout import INDENT, QUOTED, assembled
from neardup.text.quotations import quotations

OWN = [
    f"This is what I have to say on the matter of {matter}, and it is quite enough for a paragraph."
    for matter in ("bridges", "tides", "lamps", "harbours")
]
BLOCK = "Nobody who has seen the lamp at night\nwill ever again say that the keeper slept on his watch."
QUOTE = " ".join(BLOCK.split())
ANSWER = "This is what the writer answers, in words of his own, and it belongs to nobody else at all."
LISTED = "A point of a list which is as long as a quotation would be, or even longer than that."
ENTRY = "Hale, M. (1998). Iron bridges of Wales and of the other counties in the west. Leeds: Orme."


def docx(way: str) -> bytes:
    from docx import Document
    from docx.shared import Cm

    document = Document()
    document.add_paragraph(OWN[0])
    block = document.add_paragraph(BLOCK, style=None if way == "indent" else way)
    block.paragraph_format.left_indent = Cm(1.2) if way == "indent" else None
    for text in OWN[1:]:
        document.add_paragraph(text).paragraph_format.first_line_indent = Cm(1)
    document.add_paragraph(LISTED, style="List Bullet").paragraph_format.left_indent = Cm(2)
    document.add_paragraph(LISTED, style="List Paragraph").paragraph_format.left_indent = Cm(2)
    entry = document.add_paragraph(ENTRY).paragraph_format
    entry.left_indent, entry.first_line_indent = Cm(1), Cm(-1)
    return saved(document)


def odt(way: str) -> bytes:
    from odf.opendocument import OpenDocumentText
    from odf.style import ParagraphProperties, Style
    from odf.text import LineBreak, P

    document = OpenDocumentText()
    named = Style(name="Quotations" if way == "name" else "Deep", family="paragraph")
    named.addElement(ParagraphProperties(marginleft="1cm" if way != "parent" else "0cm"))
    document.styles.addElement(named)
    child = Style(name="P7", family="paragraph", parentstylename=named)
    hanging = Style(name="P8", family="paragraph")
    hanging.addElement(ParagraphProperties(marginleft="1cm", textindent="-1cm"))
    for style in (child, hanging):
        document.automaticstyles.addElement(style)
    for text in OWN:
        document.text.addElement(P(text=text))
    block = P(stylename=child if way == "name" else named)
    for line in BLOCK.split("\n"):
        block.addText(line)
        if line != BLOCK.split("\n")[-1]:
            block.addElement(LineBreak())
    document.text.addElement(block)
    document.text.addElement(P(text=ENTRY, stylename=hanging))
    return saved(document)


def rtf(way: str) -> bytes:
    indent = {"li": r"\pard\plain\li720\ri720\lin720 ", "group": r"{\pard\li567 "}[way]
    line = BLOCK.replace("\n", " ")
    block = f"{indent}{line}\\par" + ("}" if way == "group" else "")
    own = [rf"\pard\fi360 {text}\par" for text in OWN]
    others = [rf"\pard\li720\fi-720 {ENTRY}\par", rf"\pard\ls1\li720 {LISTED}\par"]
    return ("{\\rtf1\\ansi " + "\n".join([*own[:2], block, *own[2:], *others]) + "}").encode("cp1252")


def page() -> str:
    own = "".join(f"<p>{escape(text)}</p>\n" for text in OWN)
    line = escape(BLOCK).replace("\n", "<br/>")
    block = f"<blockquote class='q'>\n <p>{line}</p></blockquote><ul><li>{LISTED}</li></ul>"
    return f"<html><head><title>x</title></head><body>{own}{block}</body></html>"


def epub() -> bytes:
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfile full-path="x.opf"/></container>',
        "x.opf": '<package><manifest><item id="a" href="a.xhtml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>',
        "a.xhtml": page(),
    }
    return zipped(parts)


FILES = {
    "indent.docx": lambda: docx("indent"),
    "style.docx": lambda: docx("Quote"),
    "intense.docx": lambda: docx("Intense Quote"),
    "name.odt": lambda: odt("name"),
    "indent.odt": lambda: odt("indent"),
    "li.rtf": lambda: rtf("li"),
    "group.rtf": lambda: rtf("group"),
    "a.html": lambda: page().encode(),
    "a.epub": epub,
}


@pytest.mark.parametrize("name", FILES)
def test_a_block_quotation_is_found_in_every_format_and_nothing_else(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name]())
    [row] = rows_of(path)
    text = row["text"]
    assert QUOTED not in text
    found = [" ".join(text[one.start : one.end].split()) for one in quotations(text)]
    assert found == [" ".join(BLOCK.split())]


def test_rich_text_without_indents_is_left_as_it_is() -> None:
    source = rf"{{\rtf1 \pard\fi360 a \\par b\par \pard\li100 c\par \pard\li{'9' * 50} d}}"
    assert signed(source) == source


def test_a_page_of_many_nested_quotations_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<blockquote>words " * 700)
    [row] = rows_of(tmp_path / "a.html")
    assert row["text"].count("words") == 700


def found_in(text: str) -> list[str]:
    return [" ".join(text[one.start : one.end].split()) for one in quotations(text)]


def html_of(body: str, raw: bool = True) -> str:
    own = "".join(f"<p>{text}</p>" for text in OWN)
    return page_of(f"<html><body>{own}{body}{own}</body></html>", raw, None).text or ""


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        "<blockquote>{q}</blockquote>{a}",
        "<blockquote><div>{q}</div></blockquote>{a}",
        "<blockquote>{q}</blockquote><div>{a}</div>",
        "<div><blockquote>{q}</blockquote><span>{a}</span></div>",
        "<table><tr><td><blockquote>{q}</blockquote></td><td>{a}</td></tr></table>",
        "{a}<blockquote>{q}</blockquote>",
        "<div>{a}</div><blockquote><div>{q}</div></blockquote>{a}",
        "<ul><li><blockquote>{q}</blockquote>{a}</li></ul>",
        "<blockquote><style>p {{ color: red }}</style>{q}</blockquote>{a}",
        "<blockquote><ol><li>{q}</li></ol></blockquote>{a}",
    ],
)
def test_a_quotation_of_a_page_ends_where_its_element_does(body: str, raw: bool) -> None:
    text = html_of(body.format(q=QUOTE, a=ANSWER), raw)
    if raw or "<li>" not in body:  # lists may be no main content
        assert found_in(text) == [QUOTE]
        assert " ".join(text.split()).count(ANSWER) == body.count("{a}")
    assert "red" not in text


def test_all_parts_of_a_quotation_are_of_it() -> None:
    text = html_of(f"<blockquote>{QUOTE}<p>{LISTED}</p>{ENTRY}<br><br>{ANSWER}</blockquote>")
    assert found_in(text) == [QUOTE, LISTED, ENTRY, ANSWER]
    text = html_of(
        f"<blockquote>{QUOTE} <b>{LISTED}</b><br><a href='/'>{ENTRY}</a></blockquote>{ANSWER}"
    )
    assert found_in(text) == [f"{QUOTE} {LISTED} {ENTRY}"]
    assert QUOTED not in text


def test_a_link_in_a_quotation_counts_as_one() -> None:
    html = f"<p>{OWN[0]}</p><blockquote>{QUOTE} <a href='/'>{LISTED} <b>and more</b></a></blockquote>"
    share = page_of(html, True, None, links=True).others[LINK_SHARE]
    assert share == page_of(html.replace("blockquote", "div"), True, None, links=True).others[LINK_SHARE]


def test_a_long_line_of_rich_text_is_read() -> None:
    text = "many words in one paragraph " * 80_000
    assert begun(text) == text
    assert begun(f"{text}{QUOTED}\na") == f"\n{QUOTED}{text}\n\na"


@pytest.mark.parametrize("change", ["now", "before"])
def test_what_was_tracked_and_changed_does_not_count(change: str) -> None:
    from docx import Document
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    document = Document()
    for text in (*OWN, QUOTE):
        paragraph = document.add_paragraph(text)
    paragraph.paragraph_format.left_indent = 720 * 635 if change == "now" else None
    former = "0" if change == "now" else "720"
    paragraph._p.get_or_add_pPr().append(
        parse_xml(f"<w:pPrChange {nsdecls('w')}><w:pPr><w:ind w:left='{former}'/></w:pPr></w:pPrChange>")
    )
    assert found_in(word(saved(document)).text or "") == ([QUOTE] if change == "now" else [])


def test_a_paragraph_that_was_taken_out_of_a_list_may_be_a_quotation() -> None:
    from docx import Document
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    document = Document()
    for text in (*OWN, QUOTE):
        paragraph = document.add_paragraph(text)
    paragraph.paragraph_format.left_indent = 720 * 635
    paragraph._p.get_or_add_pPr().insert(
        0, parse_xml(f"<w:numPr {nsdecls('w')}><w:ilvl w:val='0'/><w:numId w:val='0'/></w:numPr>")
    )
    assert found_in(word(saved(document)).text or "") == [QUOTE]


@pytest.mark.parametrize("begins", [f"{QUOTED}{QUOTE}", f"\f{QUOTED}{QUOTE}", f"{QUOTED}\f{QUOTE}"])
def test_a_text_may_begin_with_a_quotation(begins: str) -> None:
    own = "\n\n".join(OWN)
    pages = ["p. 1", "p. 2"][-1 - begins.count("\f") :]
    text, _ = assembled(f"{begins}\n\n{own}\n\n\f{QUOTED}{LISTED}\n\n{own}", pages)
    assert text.startswith(INDENT + QUOTE)
    assert found_in(text) == [QUOTE, LISTED]
