"""Block quotations of PDFs are known by where their lines stand, and indented in the text."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.readers.layouts import pdf
from tests.readers.samples import rows_of

from neardup.text.layout import INDENT
from neardup.text.quotations import quotations

numbers = count(1)
QUOTE = (
    "Nobody who has seen the lamp at night from the sea will ever again say that the keeper slept on "
    "his watch, or that the tower which he had kept for so long was dark when a ship came by, whatever "
    "the owners of that ship may have told the court in the winter of the great storms."
)
ENTRY = (
    "Hale, Margaret (1998). Iron bridges of Wales and of the other counties in the west, with an "
    "account of those who built them, and of what became of them afterwards. Leeds: Orme, Harcourt and "
    "Sons, for the Society of the Friends of Bridges."
)


def own(words: int = 60) -> str:
    """Return a paragraph that no other one is."""
    return f"In paragraph {next(numbers)} I say" + " what I have to say on this" * (words // 7) + "."


def written(*parts: tuple[str, str], size: tuple[int, int] = (210, 297)) -> bytes:
    """Return a PDF of paragraphs, each with its kind."""
    from fpdf import FPDF

    class Paper(FPDF):
        def header(self) -> None:
            self.set_x(150)
            self.cell(text="A running head", new_x="LMARGIN", new_y="NEXT")
            self.ln(4)

    paper = Paper(format=size)
    paper.set_font("Times", size=11)
    paper.add_page()
    for kind, text in parts:
        indent, first = {"quote": (10.0, 10.0), "hanging": (10.0, 0.0), "list": (8.0, 2.0)}.get(
            kind, (0.0, 0.0)
        )
        lines: Any = paper.multi_cell(paper.epw - 20, 5, text, dry_run=True, output="LINES", align="L")
        for at, line in enumerate(lines):
            paper.set_x(paper.l_margin + (indent if at else first))
            paper.cell(text=line, h=5, new_x="LMARGIN", new_y="NEXT")
        paper.ln(0 if kind == "tight" else 3)
    return bytes(paper.output())


def text_of(folder: Path, data: bytes) -> str:
    (folder / "a.pdf").write_bytes(data)
    return str(rows_of(folder / "a.pdf")[0]["text"])


def quoted(text: str) -> str:
    """Return what is indented in a text."""
    return " ".join(line.strip() for line in text.split("\n") if line.startswith(INDENT))


@pytest.mark.parametrize("before", ["plain", "tight"])
def test_pdf_quotes_paragraph(tmp_path: Path, before: str) -> None:
    """An indented paragraph of wrapped lines is one, also without space before it if a colon is."""
    said = own() + (" She wrote:" if before == "tight" else "")
    text = text_of(
        tmp_path, written(("plain", own()), (before, said), ("quote", QUOTE), ("plain", own()))
    )
    assert quoted(text) == QUOTE
    [found] = quotations(text)
    assert " ".join(text[found.start : found.end].split()) == QUOTE


@pytest.mark.parametrize("kind", ["hanging", "list"])
@pytest.mark.parametrize("space", ["plain", "tight"])
def test_pdf_quotes_hanging(tmp_path: Path, kind: str, space: str) -> None:
    """Entries of reference lists and points of lists are none, though their lines are indented."""
    entry = f"1. {ENTRY}" if kind == "list" else ENTRY
    text = text_of(tmp_path, written((space, own()), (kind, entry), (kind, entry), ("plain", own(200))))
    assert quoted(text) == "" and "Leeds: Orme" in text


def test_pdf_quotes_pages(tmp_path: Path) -> None:
    """A quotation may begin a page, or go on there; what follows is none."""
    for lines in range(8):  # which move it down the page
        parts = [("plain", own()) for _ in range(9)] + [("tight", own(7)) for _ in range(lines)]
        text = text_of(
            tmp_path, written(*parts, ("quote", QUOTE), *[("plain", own())] * 5, size=(148, 210))
        )
        assert quoted(text) == QUOTE, lines
        assert " ".join(text.split()).count(QUOTE) == 1
    assert quoted(text)


def test_pdf_quotes_columns(tmp_path: Path) -> None:
    """A second column is none."""
    assert quoted(text_of(tmp_path, pdf([own(150) for _ in range(8)], columns=2))) == ""


def test_pdf_quotes_verses(tmp_path: Path) -> None:
    """Indented lines that are not wrapped are none: tables, and what people say in a novel."""
    spoken = [("quote", said) for said in ("Yes, he said, it is so.", "No.", "Why not? she asked.")]
    text = text_of(tmp_path, written(("plain", own()), *spoken * 3, ("plain", own(200))))
    assert quoted(text) == ""
