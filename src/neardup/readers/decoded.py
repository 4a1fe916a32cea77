"""The text of a whole document in whatever encoding: always read, and doubtful if that was a guess."""

import codecs
from typing import NamedTuple

from neardup.readers.encodings import UTF8, encoding_in

STRAY = "neardup-stray"  # what handles single bytes of another encoding
ANYTHING = 1  # a single byte that is not UTF-8: a document is never given up for it


class Decoded(NamedTuple):
    """A text, how it was encoded, and how it was read if that is a guess."""

    text: str
    codec: str
    mark: bytes
    doubt: str | None
    stray: int  # bytes that are not in this encoding

    def encoded(self, text: str) -> bytes:
        """Encode another text alike."""
        return self.mark + text.encode(self.codec)


def _stray(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return bad.decode("cp1252", "replace"), error.end


codecs.register_error(STRAY, _stray)


def decoded(data: bytes, name: str) -> Decoded:
    """Decode a document; `name` is what the user called its encoding, or auto.

    >>> decoded("déjà vu".encode() + b", caf\\xe9", "auto")[::3]
    ('déjà vu, café', 'utf-8 but for 1 byte')
    """
    encoding = encoding_in(data, name, ANYTHING)
    marked = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    codec, mark = (encoding.codec, encoding.mark) if encoding else (UTF8, marked)
    raw = data[len(mark) :]
    try:
        text, stray = raw.decode(codec), 0
    except UnicodeDecodeError:
        text = raw.decode(codec, STRAY)
        stray = _lost(raw, codec)
    doubt = codec if encoding and encoding.guessed else None
    if stray:
        doubt = f"{codec} but for {stray:,} byte{'s' if stray > 1 else ''}"
    return Decoded(text, codec, mark, doubt, stray)


def _lost(raw: bytes, codec: str) -> int:
    """Return how many bytes are not in an encoding."""
    return len(raw.decode(codec, "neardup-bad")) - len(raw.decode(codec, "ignore"))
