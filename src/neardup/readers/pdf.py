"""PDF: the text of its pages, in the order in which it is written; one document a file."""

import re
from importlib.util import find_spec

from neardup.readers.pdf_pages import CHILD, Refused
from neardup.readers.pdf_quotes import as_paragraphs, with_signs
from neardup.readers.records import Record
from neardup.readers.signs import PDF
from neardup.readers.single import UnusableError, laid_out, other_kind, single
from neardup.text.layout import START, without_running_heads

MOST_UNKNOWN = 0.3  # of the characters: a font that does not say which letters its signs are
UNKNOWN = re.compile("[\x00-\x08\x0e-\x1f\ufffd\ue000-\uf8ff]")


def read_pdf(data: bytes) -> Record:
    """Return the record of a PDF."""
    if b"%PDF-" not in data[:1024]:
        raise other_kind(data, "a PDF")
    if find_spec("pypdfium2") is None:
        raise UnusableError(
            "not installed", "PDF needs an extra, in neardup's folder: pip install '.[office]'"
        )
    try:
        pages = CHILD.pages(data)
    except Refused as refused:
        raise UnusableError(*refused.args) from refused
    text = "".join(page.text for page in pages)
    if not text.strip():
        what = "its page shows" if len(pages) == 1 else f"its {len(pages):,} pages show"
        raise UnusableError("no text", f"{what} pictures only: it needs OCR")
    if len(UNKNOWN.findall(text)) > MOST_UNKNOWN * len("".join(text.split())):
        raise UnusableError("no text", "its fonts do not say which letters they show: it needs OCR")
    texts = without_running_heads([text.replace(START, "\n") for text in with_signs(pages)])
    whole = "".join(f"\n{START}{as_paragraphs(text)}" for text in texts)
    return laid_out(whole, [f"p. {page.name}" for page in pages])


READER = single(read_pdf, suffixes=(".pdf",), begins=re.compile(PDF), needs_end=True)
