"""Letters that nobody sees are left out of Word files and OpenDocument texts, and that is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import prose
from tests.readers.layouts import saved

from neardup.readers.hidden import open_looks, seen_in_open
from neardup.readers.packages import OPEN, opened, word
from neardup.readers.xml_text import Walk

WHITE = '<w:color w:val="FFFFFF"/>'
GREY = '<w:shd w:val="clear" w:color="auto" w:fill="333333"/>'


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def docx(*paragraphs: str, styles: str = "", before: str = "") -> bytes:
    from docx import Document
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    document = Document()
    for xml in paragraphs:
        document.element.body.insert(-1, parse_xml(xml.replace(">", f" {nsdecls('w')}>", 1)))
    if styles:
        document.styles.element.append(parse_xml(styles.replace(">", f" {nsdecls('w')}>", 1)))
    if before:
        document.element.insert(0, parse_xml(before.replace("/>", f" {nsdecls('w')}/>", 1)))
    return saved(document)


@pytest.mark.parametrize(
    ("look", "left"),
    [
        (WHITE, "a c"),
        ('<w:color w:val="FEFEFE"/>', "a c"),
        ("<w:vanish/>", "a c"),
        ('<w:sz w:val="4"/>', "a c"),
        ('<w:rStyle w:val="Unseen"/>', "a c"),
        ('<w:rStyle w:val="Unseen"/><w:vanish w:val="0"/>', "a b c"),
        ('<w:color w:val="FFFF00"/>', "a b c"),
        ('<w:sz w:val="10"/>', "a b c"),
        (f"{WHITE}{GREY}", "a b c"),
        (f'{WHITE}<w:highlight w:val="black"/>', "a b c"),
        (f"<w:rPrChange><w:rPr>{WHITE}<w:vanish/></w:rPr></w:rPrChange>", "a b c"),
    ],
)
def test_runs_that_nobody_sees_are_left_out(look: str, left: str) -> None:
    style = '<w:style w:type="character" w:styleId="Unseen"><w:rPr><w:vanish/></w:rPr></w:style>'
    record = word(docx(f"<w:p>{run('a ')}{run('b ', look)}{run('c')}</w:p>", styles=style))
    assert record.text == left
    assert record.others["unseen"] == len("a b c") - len(left) - (left == "a c")


def test_white_letters_on_a_ground_are_seen() -> None:
    white = run("white", WHITE)
    cell = f"<w:tbl><w:tr><w:tc><w:p>{white}</w:p></w:tc></w:tr></w:tbl>"
    shaded = f"<w:p><w:pPr>{GREY}</w:pPr>{white}</w:p>"
    assert (word(docx(cell, shaded, f"<w:p>{run('end')}{white}</w:p>")).text or "").split() == [
        "white",
        "white",
        "end",
    ]
    page = '<w:background w:color="000000"/>'
    assert word(docx(f"<w:p>{white}</w:p>", before=page)).text == "white"


def odt(look: dict[str, str], parent: dict[str, str] | None = None) -> bytes:
    from odf.opendocument import OpenDocumentText
    from odf.style import Style, TextProperties
    from odf.text import P, Span

    document = OpenDocumentText()
    base = Style(name="Base", family="text")
    base.addElement(TextProperties(attributes=parent or {}))
    style = Style(name="T1", family="text", parentstylename=base)
    style.addElement(TextProperties(attributes=look))
    document.styles.addElement(base)
    document.automaticstyles.addElement(style)
    paragraph = P(text="a ")
    paragraph.addElement(Span(text="b ", stylename=style))
    paragraph.addText("c")
    document.text.addElement(paragraph)
    return saved(document)


@pytest.mark.parametrize(
    ("look", "parent", "left"),
    [
        ({"color": "#ffffff"}, {}, "a c"),
        ({"display": "none"}, {}, "a c"),
        ({"fontsize": "1pt"}, {}, "a c"),
        ({}, {"color": "#FFFFFF"}, "a c"),
        ({"color": "#000000"}, {"color": "#ffffff"}, "a b c"),
        ({"color": "#ffffff", "backgroundcolor": "#000000"}, {}, "a b c"),
        ({"fontsize": "12pt"}, {}, "a b c"),
        ({"usewindowfontcolor": "true"}, {"color": "#ffffff"}, "a b c"),
    ],
)
def test_spans_that_nobody_sees_are_left_out(look: Any, parent: Any, left: str) -> None:
    record = opened(odt(look, parent))
    assert record.text == left
    assert record.others["unseen"] == (left == "a c")


def test_white_marks_make_no_quotation_and_are_named(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    copied = prose(90, seed=7)
    for name, look in (("a", WHITE), ("b", "")):
        own = [f"<w:p>{run(prose(90, seed=ord(name) + n))}</w:p>" for n in (0, 10)]
        marks = (run("“", look), run("”", look)) if look else ("", "")
        (folder / f"{name}.docx").write_bytes(
            docx(*own, f"<w:p>{marks[0]}{run(copied)}{marks[1]}</w:p>")
        )
    printed = command("passages", folder, "-o", tmp_path / "out", "--exclude-quoted")
    said = "1 file with hidden, white or tiny letters, which were left out: a.docx (2 characters)"
    assert said in " ".join(printed.said.split())
    described = json.loads((tmp_path / "out" / "run.json").read_text())
    assert described["input"]["unseen_characters"] == {"a.docx": 2}
    assert described["counts"]["passages"] == 1


def test_white_letters_on_a_dark_page_are_seen() -> None:
    page = b"""<styles><page-layout-properties background-color="#000000"/></styles>"""
    assert open_looks(page).is_dark
    body = b"<p style-name='W'>white</p>"
    looks = open_looks(b"<style name='W' family='paragraph'><text-properties color='#ffffff'/></style>")
    assert Walk(seen_in_open(OPEN, looks), body).text.strip() == ""
    looks.is_dark = True
    assert Walk(seen_in_open(OPEN, looks), body).text.strip() == "white"
