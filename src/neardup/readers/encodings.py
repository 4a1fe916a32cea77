"""Encodings of text: by byte-order mark, by the user's word, or UTF-8; else a careful guess.

Readers see UTF-8 only: what is encoded otherwise is recoded on the way in, and back on the way out.
Bytes that cannot be decoded become something that is not UTF-8, so their record is bad; in a copy they
are themselves again.
"""

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from neardup.errors import DamagedFileError, SettingsError
from neardup.readers.file import File
from neardup.readers.streams import Stream, written

AUTO = "auto"
SAMPLE = 64 << 10
STEP = 1 << 20
UTF8 = "utf-8"
ASCII = bytes(range(0x80))
MARKS = {  # those of UTF-32 first, as one of them begins like one of UTF-16
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
WITHOUT_MARK = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": UTF8, "ascii": UTF8}
NO_TEXT = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape")
NAMED = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}(?:charset|encoding)\s*=", re.I)  # in HTML
TYPED = bytes([0x85, *range(0x91, 0x98)])  # quotes, dashes, …: the same in all code pages of Windows
LATIN = ("cp1252", "mac_roman", "cp850")  # of old files from Windows, Macs and DOS
BEYOND_ASCII = re.compile(r"(?=(.|^)([^\x00-\x7f])(.|$))", re.M)
MARKED = frozenset("\u201c\u201d\u201e\u2018\u2019\u2013\u2014\u2026«»¿¡\xa0§°·•€£")
OPENING = frozenset("\u201c\u201e\u2018«¿¡")
CASED = "\u0590"  # scripts behind have no small letters
LEAST_EVIDENCE = 3  # characters that are not UTF-8: fewer are damage, not another encoding
MIXED = 20  # bad characters of UTF-8 for a good one that is there by chance; with fewer, it is not
MIXED_IN_ONE = 3  # the same in a document, which is read in any case
ENDS = 128  # bytes at both ends of what is looked at
ZEROS = 0.2  # of the bytes of UTF-16, if there is some Latin script in it
SEVERAL_WAYS = "in its encoding, the same text can be written in several ways"
BAD = "neardup-bad"  # what handles bytes that cannot be decoded
ESCAPES = 0xDC00


class Encoding(NamedTuple):
    """How a file is encoded, if not in UTF-8: Python's name for it, and the mark it begins with."""

    codec: str
    mark: bytes = b""
    guessed: bool = False


def _handled(error: UnicodeError) -> tuple[str | bytes, int]:
    """Turn bytes that cannot be decoded into halves of surrogate pairs, and those back into bytes."""
    if isinstance(error, UnicodeDecodeError):
        bad = error.object[error.start : error.end]
        return "".join(chr(ESCAPES + byte) for byte in bad), error.end
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bytes_ = [ord(char) - ESCAPES for char in error.object[error.start : error.end]]
    if all(0 <= byte < 256 for byte in bytes_):
        return bytes(bytes_), error.end
    return codecs.backslashreplace_errors(error)


codecs.register_error(BAD, _handled)


def check_encoding(name: str) -> None:
    """Refuse what is not the name of an encoding of text."""
    try:
        info = codecs.lookup(name) if name != AUTO else codecs.lookup(UTF8)
        known = getattr(info, "_is_text_encoding", True) and info.name.replace("-", "_") not in NO_TEXT
    except (LookupError, ValueError):
        known = False
    if not known:
        hint = "Take a name that Python knows, such as utf-16, cp1252 or shift_jis; or auto."
        raise SettingsError(f"there is no encoding {name!r}", hint=hint)


def guess_of(file: File) -> str | None:
    """Return the encoding of a file if it had to be guessed, None if it says so or is UTF-8."""
    encoding = encoding_of(file, AUTO)
    if encoding is None or not encoding.guessed:
        return None
    with file.open_stream() as stream:
        return None if NAMED.search(stream.read(1 << 10)) else encoding.codec


@lru_cache(1 << 14)
def encoding_of(file: File, name: str) -> Encoding | None:
    """Return how a file is encoded, None if in UTF-8; `name` is what the user called it, or auto."""
    with file.open_stream() as stream:
        head = stream.read(SAMPLE)
        while name != AUTO and head.isascii() and (more := stream.read(SAMPLE)):
            head = more  # what is no ASCII tells whether the name is right
        return encoding_in(head, name)


def encoding_in(head: bytes, name: str, least: int = LEAST_EVIDENCE) -> Encoding | None:
    """Return the encoding of some bytes, None if it is UTF-8: no name makes something else of that.

    >>> encoding_in("größer, schöner, älter".encode("cp1252"), "auto")
    Encoding(codec='cp1252', mark=b'', guessed=True)
    """
    if head.startswith(codecs.BOM_UTF8):
        return None
    if marked := marked_in(head):
        return marked
    if name == AUTO:
        guess = _wide(head[:SAMPLE]) or _guessed(_telling(head), least)
        return Encoding(guess, guessed=True) if guess else None
    codec = codecs.lookup(name).name
    codec = WITHOUT_MARK.get(codec, codec)
    good, bad = _counted(_telling(head))
    return None if codec == UTF8 or good > bad else Encoding(codec)


def _telling(head: bytes) -> bytes:
    """Return what of some bytes may tell their encoding: the lines that are not ASCII."""
    if head.isascii():
        return head[:SAMPLE]
    return b"\n".join(line for line in head.split(b"\n") if not line.isascii())[:SAMPLE]


def _counted(head: bytes) -> tuple[int, int]:
    """Return how many characters beyond ASCII are good UTF-8, and how many bytes are none."""
    text = head.decode(UTF8, "surrogateescape")
    bad = sum(1 for char in text if "\udc80" <= char <= "\udcff")
    return sum(1 for char in text if char > "\x7f") - bad, bad


def marked_in(head: bytes) -> Encoding | None:
    """Return the encoding that a byte-order mark names, None if that is UTF-8 or there is no mark."""
    found = (Encoding(codec, mark) for mark, codec in MARKS.items() if head.startswith(mark))
    return next(found, None)


def wide_in(head: bytes) -> Encoding | None:
    """Return the encoding of what has several bytes for any character, None for others."""
    guess = _wide(head[:SAMPLE])
    return marked_in(head) or (Encoding(guess, guessed=True) if guess else None)


def _guessed(head: bytes, least: int) -> str | None:
    """Return the encoding of what is not UTF-8, not even damaged, but may be text in another."""
    if _decodes(head, UTF8):
        return None
    if not head.translate(None, ASCII + TYPED) and _plausible(head.decode(LATIN[0])) > 0:
        return LATIN[0]
    good, bad = _counted(head)
    if bad < least or good * (MIXED if least > 1 else MIXED_IN_ONE) > bad:
        return None
    from resiliparse.parse.encoding import detect_encoding

    found = str(detect_encoding(head))
    tried = (found, *(() if b"\0" in head else LATIN))
    known = [codec for codec in tried if codec not in (UTF8, "ascii") and _decodes(head, codec)]
    if not known:
        return None
    looks = {codec: head.decode(codec, "ignore") for codec in known}
    best = max(known, key=lambda codec: _plausible(looks[codec]))  # the first of equals
    if best != found and _plausible(looks[best]) <= 0:
        return None
    return next(codecs.lookup(codec).name for codec in (*LATIN, best) if looks.get(codec) == looks[best])


def _plausible(text: str) -> int:
    """Return how many characters beyond ASCII stand where people write them, less those that do not."""
    found = 0
    for before, char, after in BEYOND_ASCII.findall(text):
        small = char.islower() and (before.isalpha() or after.isalpha() or not (before + after).strip())
        large = char.isupper() and not before.islower()
        other = char.isalpha() and char > CASED
        sign = char in MARKED and not (char in OPENING and before.isalpha())
        found += 1 if small or large or other or sign else -1
    return found


def _wide(head: bytes) -> str | None:
    """Return which UTF-16 it is, by where the zeros are, None if there are few."""
    if any(part.count(0) <= ZEROS * len(part) for part in (head[:ENDS], head, head[-ENDS:])):
        return None
    for codec, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if zeros.count(0) > 0.95 * head.count(0) and _decodes(head, codec):
            return codec
    return None


def _decodes(head: bytes, codec: str) -> bool:
    """Return whether some bytes are text in an encoding; the last character may be cut."""
    try:
        codecs.getincrementaldecoder(codec)().decode(head)
    except UnicodeError:
        return False
    return True


class Recoded:
    """A stream in UTF-8, made of one that is not."""

    def __init__(self, stream: Stream, encoding: Encoding) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding.codec)(BAD)
        self._rest = b""
        self._ended = False
        stream.read(len(encoding.mark))

    @property
    def failure(self) -> tuple[str, str] | None:
        """Return what is wrong with the stream below."""
        return self._stream.failure

    @property
    def packing(self) -> str | None:
        """Return how the file is compressed."""
        return self._stream.packing

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer than asked for only at the end."""
        parts, have = [self._rest], len(self._rest)
        while have < size and not self._ended:
            raw = self._stream.read(STEP)
            self._ended = not raw
            parts.append(self._decoder.decode(raw, not raw).encode(UTF8, "surrogatepass"))
            have += len(parts[-1])
        data = b"".join(parts)
        self._rest = data[size:]
        return data[:size]

    def resume(self) -> bool:
        """Go on behind a failure, as the stream below does."""
        self._decoder.reset()
        self._ended = False
        return self._stream.resume()

    def __enter__(self) -> "Recoded":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


class _Writer:
    """Takes UTF-8 and writes another encoding."""

    def __init__(self, out: IO[bytes], encoding: Encoding) -> None:
        self._out = out
        self._decoder = codecs.getincrementaldecoder(UTF8)("surrogatepass")
        self._encoder = codecs.getincrementalencoder(encoding.codec)(BAD)
        out.write(encoding.mark)

    def write(self, data: bytes, final: bool = False) -> None:
        self._out.write(self._encoder.encode(self._decoder.decode(data, final), final))


Opened = Stream | Recoded


def opened(file: File, name: str, begin: int = 0) -> Opened:
    """Open a file of text as a stream in UTF-8; what is not has to be read from its beginning."""
    encoding = None if begin else encoding_of(file, name)
    stream = file.open_stream(begin)
    return Recoded(stream, encoding) if encoding else stream


@contextmanager
def written_like(file: File, target: Path, name: str) -> Iterator[Any]:
    """Open a copy of a file of text to write UTF-8 to: it is encoded and compressed like the file."""
    encoding = encoding_of(file, name)
    if not comes_back(file, name):
        raise DamagedFileError(SEVERAL_WAYS, where=file.name)
    with written(target, file.packing()) as out:
        if encoding is None:
            yield out
            return
        writer = _Writer(out, encoding)
        yield writer
        writer.write(b"", final=True)


def comes_back(file: File, name: str) -> bool:
    """Return whether a file that is decoded and encoded again is the same: not in some old encodings."""
    encoding = encoding_of(file, name)
    if encoding is None:
        return True
    decoder = codecs.getincrementaldecoder(encoding.codec)(BAD)
    encoder = codecs.getincrementalencoder(encoding.codec)(BAD)
    ahead = b""  # what is decoded, but not yet encoded again
    with file.open_stream() as stream:
        stream.read(len(encoding.mark))
        while True:
            raw = stream.read(STEP)
            ahead += raw
            try:
                again = encoder.encode(decoder.decode(raw, not raw), not raw)
            except UnicodeError:  # a part of a character of several bytes
                return False
            if not ahead.startswith(again):
                return False
            ahead = ahead[len(again) :]
            if not raw:
                return not ahead
