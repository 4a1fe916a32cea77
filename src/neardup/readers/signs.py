"""Formats that are known by their first bytes, so that no file of one is ever read as another."""

import re

OFFICE = "a file of an old Office program (.doc, .xls, .ppt): save it as .docx or PDF"
PICTURE = "a picture: it would need OCR"
ZIPPED = rb"PK\x03\x04[\s\S]{26}"
PDF = rb"(?:\xef\xbb\xbf)?\s{0,99}%PDF-\d\.\d"
RTF = rb"(?:\xef\xbb\xbf)?\s{0,99}\{\\rtf"
KINDS = {
    PDF: "a PDF: its name should end in .pdf",
    RTF: "a Rich Text file: its name should end in .rtf",
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": OFFICE,
    ZIPPED + rb"mimetypeapplication/epub\+zip": "an EPUB: its name should end in .epub",
    ZIPPED
    + rb"mimetypeapplication/vnd\.oasis\.opendocument\.text": "an ODT: its name should end in .odt",
    ZIPPED + rb"mimetypeapplication/vnd\.oasis": "a sheet or slides: save it as CSV or PDF",
    rb"PK\x03\x04[\s\S]{0,60000}word/document\.xml": "a Word file: its name should end in .docx",
    rb"PK\x03\x04[\s\S]{0,60000}xl/w": "an Excel workbook: save its sheets as CSV",
    rb"PK\x03\x04[\s\S]{0,60000}ppt/": "PowerPoint slides: save them as PDF",
    rb"PK\x03\x04": "a zip archive: its name should end in .zip",
    rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07": "an archive: unpack it first, or make it a .zip or .tar",
    rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a(?=.{0,20}\0)|II\*\0|MM\0\*|RIFF....WEBP": PICTURE,
    rb"BM.{4}\0\0\0\0": PICTURE,
    rb"(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE svg[^>]*>)*<svg[\s>]": PICTURE,
    rb"AT&TFORM[\s\S]{4}DJV": "a DjVu file: save it as PDF",
    rb"[\s\S]{60}BOOKMOBI": "a Kindle book: save it as EPUB",
    rb"%!PS": "PostScript: make a PDF of it",
    rb"ID3[\x02-\x04]|OggS\0|fLaC\0|RIFF....WAVE|\x1aE\xdf\xa3|\0\0\0.ftyp": "sound or a film",
    rb"\x7fELF|MZ.{58,}PE\0\0|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe": "a program",
}
KNOWN = [(re.compile(pattern, re.S), called) for pattern, called in KINDS.items()]
HEAD_BYTES = 64 << 10


def kind_of_file(data: bytes) -> str | None:
    r"""Say what a file is by its first bytes, and what to do with it; None of what may be text.

    >>> kind_of_file(b"{\\rtf1 x}"), kind_of_file(b"Plain.")
    ('a Rich Text file: its name should end in .rtf', None)
    """
    head = data[:HEAD_BYTES]
    return next((called for pattern, called in KNOWN if pattern.match(head)), None)
