"""RTF: Rich Text, one document a file."""

import re
from importlib.util import find_spec

from neardup.readers.indents import begun, signed
from neardup.readers.records import Record
from neardup.readers.signs import RTF
from neardup.readers.single import UnusableError, laid_out, other_kind, single

MOST_BYTES = 20 << 20  # without pictures
PICTURE = re.compile(rb"[0-9a-fA-F\r\n]{400,}")
BEGINS = re.compile(RTF)
CODE_PAGE = re.compile(rb"\\ansicpg(\d{3,5})")


def read_rtf(data: bytes) -> Record:
    """Return the record of an RTF file."""
    if not BEGINS.match(data):
        raise other_kind(data, "RTF")
    if find_spec("striprtf") is None:
        raise UnusableError(
            "not installed", "RTF needs an extra, in neardup's folder: pip install '.[office]'"
        )
    from striprtf.striprtf import rtf_to_text

    data = PICTURE.sub(b"", data)
    if len(data) > MOST_BYTES:
        raise UnusableError("too large", f"over {MOST_BYTES >> 20} MB without pictures")
    # the library would search for links in a time that grows with the square of a line
    source = data.replace(b"HYPERLINK", b"").replace(rb"{\field", b"\n{\\field")
    found = CODE_PAGE.search(data)
    try:
        text = source.decode(f"cp{found[1].decode()}" if found else "cp1252", "replace")
    except LookupError:
        text = source.decode("cp1252", "replace")
    try:
        found = rtf_to_text(signed(text), errors="replace")
    except Exception as error:  # whatever the library meets in a file that is spoilt
        raise UnusableError("unreadable", f"the RTF is damaged: {error}") from error
    return laid_out(begun(found.replace("\f", "\n")), [])


READER = single(read_rtf, suffixes=(".rtf",), begins=BEGINS)
