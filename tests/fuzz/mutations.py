"""What can happen to a file: each takes bytes and gives other ones, the same for the same seed."""

import re
from collections.abc import Callable
from random import Random

NUMBER = re.compile(rb"\d+")
NUMBERS = [
    b"",
    b"-1",
    b"--5",
    b"0" * 5000 + b"1",
    b"9" * 26,
    b"9" * 5000,
    "²".encode(),
    b"1e999",
    b"18446744073709551616",
    b"9223372036854775808",
    b"NaN",
    b"0x7f",
    b"2147483648",
]
WORDS = [
    b"&#" + b"1" * 5000 + b";",
    b"&#x110000;",
    b"&#xD800;",
    b"&",
    b"http://[x",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b'"',
    b"\\",
    b"\\ud800",
    b"<!--",
    b"<TEXT>",
    b"</DOC>",
    b"<page>",
    b"</text>",
    b"<row ",
    b"WARC/1.0\r\n",
    b"\r\n\r\n",
    b"Content-Length: 99999\r\n",
    b"\xed\xa0\x80",
    b"\x1f\x8b\x08",
    b"PAR1",
    b"\xff\xff\xff\xff",
]
NESTS = [
    b"[",
    b'{"a":',
    b"<div>",
    b"<b>",
    b"<TEXT>",
    b"<!--",
    b"{{",
    b"[[",
    b"<table>",
    b"(",
    b'"',
    b"<a ",
]
CODECS = [
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "cp1252",
    "latin-1",
    "gb18030",
    "shift_jis",
    "utf-8-sig",
]
MOST_BYTES = 2 << 20


def place(rng: Random, data: bytes) -> int:
    return rng.randint(0, len(data))


def span(rng: Random, data: bytes, most: int = 200) -> tuple[int, int]:
    start = place(rng, data)
    return start, min(start + rng.randint(1, most), len(data))


def flip_bits(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 3, 20])):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def other_bytes(rng: Random, data: bytes) -> bytes:
    start, end = span(rng, data, 30)
    return data[:start] + rng.randbytes(end - start) + data[end:]


def truncate(rng: Random, data: bytes) -> bytes:
    return data[: place(rng, data)]


def behead(rng: Random, data: bytes) -> bytes:
    return data[place(rng, data) :]


def cut_out(rng: Random, data: bytes) -> bytes:
    start, end = span(rng, data)
    return data[:start] + data[end:]


def repeat(rng: Random, data: bytes) -> bytes:
    start, end = span(rng, data)
    return data[:start] + data[start:end] * rng.choice([2, 3, 50]) + data[end:]


def splice(rng: Random, data: bytes) -> bytes:
    """Put a part of the file at another place in it."""
    start, end = span(rng, data, 1000)
    at = place(rng, data)
    return data[:at] + data[start:end] + data[at:]


def change_numbers(rng: Random, data: bytes) -> bytes:
    found = list(NUMBER.finditer(data))
    if not found:
        return data
    chosen = rng.choice(found)
    return data[: chosen.start()] + rng.choice(NUMBERS) + data[chosen.end() :]


def insert_words(rng: Random, data: bytes) -> bytes:
    at = place(rng, data)
    return data[:at] + rng.choice(WORDS) * rng.choice([1, 1, 1, 2, 300]) + data[at:]


def nest(rng: Random, data: bytes) -> bytes:
    at = place(rng, data)
    return data[:at] + rng.choice(NESTS) * rng.choice([10, 1000, 30_000]) + data[at:]


def encode(rng: Random, data: bytes) -> bytes:
    """Write the file, or what follows a place in it, in another encoding."""
    start = rng.choice([0, 0, place(rng, data)])
    text = data[start:].decode("utf-8", "replace")
    return data[:start] + text.encode(rng.choice(CODECS), "replace")


def inflate(rng: Random, data: bytes) -> bytes:
    """Make a bomb: a part of the file over and over, which packs to nothing."""
    start, end = span(rng, data)
    part = data[start:end] or b" "
    return data[:start] + part * (MOST_BYTES // len(part)) + data[end:]


INSIDE: list[Callable[[Random, bytes], bytes]] = [
    flip_bits,
    other_bytes,
    truncate,
    behead,
    cut_out,
    repeat,
    splice,
    change_numbers,
    change_numbers,
    insert_words,
    insert_words,
    nest,
    encode,
]
PACKED = [flip_bits, flip_bits, other_bytes, truncate, cut_out, splice]
BOMBS = 100  # one case in so many is one
