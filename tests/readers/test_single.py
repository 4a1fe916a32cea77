"""Files of people's formats: what they say comes out in order; what cannot be used says why."""

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.readers.formats import KINDS, essay, share
from tests.readers.layouts import HEAD, LAYOUTS, docx, epub, odt, pdf, rtf, saved, zipped
from tests.readers.samples import rows_of

import neardup


def read(path: Path, data: bytes) -> dict[str, Any]:
    path.write_bytes(data)
    [row] = rows_of(path)
    return row


@pytest.mark.parametrize("kind", KINDS)
def test_words_come_out_right_and_in_order(tmp_path: Path, kind: str) -> None:
    assert share(tmp_path, kind) >= 0.995


@pytest.mark.parametrize("kind", LAYOUTS)
def test_running_heads_are_left_out(tmp_path: Path, kind: str) -> None:
    row = read(tmp_path / f"a.{kind}", LAYOUTS[kind](essay(1)))
    assert HEAD not in row["text"] and row["page_starts"] != "0\tp. 1"


@pytest.mark.parametrize(
    ("kind", "place"),
    [("pdf", "p. 3"), ("docx", "p. 2"), ("odt", "p. 2"), ("epub", "ch. 2"), ("tei", "p. 2")],
)
def test_pages_are_known(tmp_path: Path, kind: str, place: str) -> None:
    from neardup.text.layout import place_of

    paragraphs = [f"Paragraph number {n} of {' '.join(['many words'] * 60)}." for n in range(8)]
    row = read(tmp_path / f"a.{kind}", LAYOUTS[kind](paragraphs))
    last = row["text"].index("number 1" if kind == "tei" else "number 7")
    assert str(place_of(row["page_starts"], last, last + 8)).startswith(place)


def locked() -> bytes:
    from fpdf import FPDF

    paper = FPDF()
    paper.set_encryption(owner_password="x", user_password="secret")
    paper.add_page()
    return bytes(paper.output())


def scanned() -> bytes:
    from fpdf import FPDF

    paper = FPDF()
    paper.add_page()
    paper.rect(10, 10, 100, 100)
    return bytes(paper.output())


def bomb() -> bytes:
    """Return a PDF of one page that would take many gigabytes."""
    line = b"BT /F1 12 Tf 50 700 Td (Words on a line of a page that never ends.) Tj ET\n"
    packed = zlib.compress(line * 3_000_000, 1)
    parts = (
        b"1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n",
        b"2 0 obj\n<</Type/Pages/Count 1/Kids[5 0 R]>>\nendobj\n",
        b"3 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n",
        b"4 0 obj\n<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream\nendobj\n"
        % (len(packed), packed),
        b"5 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</Font<</F1 3 0 R>>>>>>\nendobj\n",
    )
    return b"%PDF-1.4\n" + b"".join(parts) + b"trailer<</Root 1 0 R/Size 6>>\n"


def word_of(body: bytes) -> bytes:
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": body})


LAUGHS = b"".join(b'<!ENTITY l%d "%b">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
BILLION = b'<!DOCTYPE d [<!ENTITY l0 "ha">' + LAUGHS + b"]><d><p><t>&l9;</t></p></d>"
OLE = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(3000)
UNUSABLE = {
    "locked.pdf": (locked, "encrypted", "password"),
    "scan.pdf": (scanned, "no text", "OCR"),
    "cut.pdf": (lambda: pdf(essay(1))[:400], "unreadable", "damaged"),
    "page.pdf": (lambda: b"<!doctype html><p>Not found", "unreadable", "not a PDF"),
    "cut.docx": (lambda: docx(essay(1))[:3000], "unreadable", "damaged"),
    "locked.docx": (lambda: OLE, "encrypted", "password"),
    "empty.docx": (lambda: docx([]), "no text", "none"),
    "bomb.docx": (lambda: word_of(b"<d>" + b"<p/>" * (30 << 20) + b"</d>"), "too large", "100 MB"),
    "laughs.docx": (lambda: word_of(BILLION), "unreadable", "entity"),
    "deep.docx": (lambda: word_of(b"<p>" * 100_000), "unreadable", "deep"),
    "other.docx": (lambda: rtf(essay(1)), "unreadable", "Rich Text"),
    "cut.rtf": (lambda: b"Not rich at all", "unreadable", "not RTF"),
    "pdf.txt": (lambda: pdf(essay(1)), "not text", ".pdf"),
    "pdf.html": (lambda: pdf(essay(1)), "not text", ".pdf"),
    "rich.md": (lambda: rtf(essay(1)), "not text", ".rtf"),
    "word.txt": (lambda: docx(essay(1)), "not text", ".docx"),
    "old.doc": (lambda: OLE, "not text", "save it as .docx"),
    "slides.ppt": (lambda: OLE, "not text", "save it as .docx"),
    "sheet.xlsx": (
        lambda: zipped({"[Content_Types].xml": "", "xl/workbook.xml": ""}),
        "not text",
        "CSV",
    ),
    "photo.png": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), "not text", "picture"),
    "drawing.svg": (
        lambda: b"<?xml version='1.0'?>\n<svg><text>Words</text></svg>",
        "not text",
        "picture",
    ),
    "bad.tei": (lambda: b"<TEI><text><p>Never", "unreadable", "XML"),
    "other.tei": (lambda: b"<html><p>Page</p></html>", "unreadable", "neither"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_what_cannot_be_used_says_why(tmp_path: Path, name: str) -> None:
    make, problem, detail = UNUSABLE[name]
    row = read(tmp_path / name, make())
    assert (row["text"], row["problem"]) == (None, problem)
    assert detail in row["detail"]


def test_a_bomb_ends_its_reader_and_nothing_else(tmp_path: Path) -> None:
    row = read(tmp_path / "bomb.pdf", bomb())
    assert row["problem"] == "unreadable"
    assert read(tmp_path / "good.pdf", pdf(["Still here."], head=False))["text"] == "Still here."


def test_many_pages_are_read(tmp_path: Path) -> None:
    from fpdf import FPDF

    paper = FPDF()
    paper.set_font("Times", size=12)
    for number in range(1_500):
        paper.add_page()
        paper.cell(text=f"This is what page {number * 7} says.")
    row = read(tmp_path / "long.pdf", bytes(paper.output()))
    assert row["text"].count("says") == len(row["page_starts"].split("\n")) == 1_500


def test_word_files_have_pages_only_where_word_left_its_marks(tmp_path: Path) -> None:
    from docx import Document

    def pages(*parts: str, mark: bool = True) -> str | None:
        document = Document()
        for number, part in enumerate(parts):
            if number:
                document.add_page_break()
            document.add_paragraph(part)
        data = saved(document)
        if mark:
            found = zipfile.ZipFile(io.BytesIO(data))
            parts_of = {name: found.read(name) for name in found.namelist()}
            body = parts_of["word/document.xml"]
            parts_of["word/document.xml"] = body.replace(b"<w:t>", b"<w:lastRenderedPageBreak/><w:t>", 1)
            data = zipped(parts_of)
        starts = read(tmp_path / "a.docx", data)["page_starts"]
        return None if starts is None else str(starts)

    assert pages("A title.", "And a text behind it.", mark=False) is None
    assert pages("A title.", "And a text behind it.") == "0\tp. 1\n0\tp. 2"
    assert pages("A title.", "A text.", "Another one, of which Word has not seen the page.") is None
    assert pages("A title.", "So much that it is no page. " * 600) is None


@pytest.mark.parametrize("make", [docx, odt, epub])
def test_a_package_without_a_suffix_is_known_by_its_content(tmp_path: Path, make: Any) -> None:
    assert read(tmp_path / "essay", make(["Some words."]))["text"] == "Some words."


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pdf", "rtf"):
        monkeypatch.setattr(f"neardup.readers.{module}.find_spec", lambda name: None)
    for name, data in (("a.pdf", pdf(["Words."])), ("a.rtf", rtf(["Words."]))):
        row = read(tmp_path / name, data)
        assert row["problem"] == "not installed"
        assert "pip install '.[office]'" in row["detail"]


def test_notes_come_behind_the_text_and_what_was_deleted_nowhere(tmp_path: Path) -> None:
    body = (
        b'<w:d xmlns:w="w"><w:p><w:r><w:t>One </w:t></w:r>'
        b"<w:del><w:r><w:delText>gone </w:delText></w:r></w:del><w:r><w:t>two.</w:t></w:r></w:p></w:d>"
    )
    notes = b'<w:f xmlns:w="w"><w:footnote><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:f>'
    data = zipped({"x": "", "word/document.xml": body, "word/footnotes.xml": notes})
    row = read(tmp_path / "a.docx", data)
    assert (row["text"], row["page_starts"]) == ("One two.\n\nA note.", "10\tnotes")


def test_the_text_has_the_numbers_of_its_notes(tmp_path: Path) -> None:
    mark = b'<w:r><w:footnoteReference w:id="%d"/></w:r>'
    own = b'<w:r><w:footnoteReference w:customMarkFollows="1" w:id="9"/><w:t>*</w:t></w:r>'
    words = b'<w:r><w:t xml:space="preserve"> or so</w:t></w:r>'
    body = b'<w:d xmlns:w="w"><w:p><w:r><w:t>\xe2\x80\x9cIt fell.\xe2\x80\x9d</w:t></w:r>'
    body += mark % 2 + words + mark % 3 + own + b"</w:p></w:d>"
    row = read(tmp_path / "a.docx", zipped({"x": "", "word/document.xml": body}))
    assert row["text"] == "“It fell.”[1] or so[2]*"
    note = b"<t:note-citation>1</t:note-citation><t:note-body><t:p>Hale.</t:p></t:note-body>"
    note = b"<t:note>%s</t:note>" % note
    content = b'<o xmlns:t="t"><t:p>\xe2\x80\x9cIt fell.\xe2\x80\x9d' + note + b" So.</t:p></o>"
    row = read(tmp_path / "a.odt", zipped({"x": "", "content.xml": content}))
    assert (row["text"], row["page_starts"]) == ("“It fell.”[1] So.\n\nHale.", "19\tnotes")


def test_an_encrypted_member_is_named(tmp_path: Path) -> None:
    data = bytearray(docx(["Words."]))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        infos = package.infolist()
    for info in infos:
        at = data.index(b"PK\x01\x02")
        data[info.header_offset + 6] |= 1
        while data[at + 46 : at + 46 + len(info.filename)] != info.filename.encode():
            at = data.index(b"PK\x01\x02", at + 4)
        data[at + 8] |= 1
    assert read(tmp_path / "a.docx", bytes(data))["problem"] == "encrypted"


def test_dedup_keeps_or_removes_whole_files(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "essays"
    folder.mkdir()
    same, other = essay(1), essay(2)
    files = {"a.docx": docx(same), "b.odt": odt(same), "c.rtf": rtf(other), "d.pdf": locked()}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    command("documents", folder, "-o", tmp_path / "out")
    command("dedup", tmp_path / "out", "--mode", "remove", "-o", tmp_path / "clean")
    kept = {
        path.name: path.read_bytes() for path in (tmp_path / "clean").glob("*.*") if path.name in files
    }
    assert kept == {name: data for name, data in files.items() if name != "b.odt"}


def test_texts_of_such_files_are_not_cut(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "essays"
    folder.mkdir()
    (folder / "a.docx").write_bytes(docx([*essay(1), *essay(2)]))
    (folder / "b.odt").write_bytes(odt([*essay(3), *essay(2)]))
    command("passages", folder, "-o", tmp_path / "out")
    refused = command("dedup", tmp_path / "out", "--mode", "remove", "-o", tmp_path / "clean")
    assert refused.code and "cannot be cut" in refused.said


@pytest.mark.parametrize(
    ("creation", "source", "date"),
    [
        ('<date when="1609"/>', '<date when="1623">later</date>', "1609"),
        ("", '<date when="1623">in that year</date><date>1630</date>', "1623"),
        ("", "<date> 5 March\n1623 </date>", "5 March 1623"),
        ("", '<publicationStmt><date notBefore="1599-04"/></publicationStmt>', "1599-04"),
        ("<origDate from='1601'>about then</origDate>", "", "1601"),
        ("<date>n.d.</date>", "<date/>", "2020"),
        ("", "", "2020"),
    ],
)
def test_the_date_of_an_edition_is_that_of_the_work(
    creation: str, source: str, date: str, tmp_path: Path
) -> None:
    parts = (
        "<publicationStmt><date when='2020'>now</date><availability><date>1999</date></availability>"
        f"</publicationStmt><sourceDesc><bibl>{source}</bibl></sourceDesc>"
    )
    profile = f"<profileDesc><creation>{creation}</creation></profileDesc>"
    header = f"<teiHeader><fileDesc>{parts}</fileDesc>{profile}</teiHeader>"
    path = tmp_path / "a.tei"
    path.write_text(
        f"<TEI>{header}<text><p>Rough winds do shake, in <date>1700</date>.</p></text></TEI>"
    )
    assert neardup.documents(path).documents["date"].to_pylist() == [date]
