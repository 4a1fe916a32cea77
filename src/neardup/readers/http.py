"""HTTP responses inside web archives: headers read, transfer and content encodings undone."""

import io
import re
import zlib
from typing import Any, NamedTuple

import pyarrow as pa

HEAD_END = re.compile(rb"\r*\n\r*\n")
STATUS = re.compile(r"HTTP/\S+\s+(\d{3})")
CHUNK_HEAD = re.compile(rb"[ \t]*([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.I)
FAULTS = (zlib.error, OSError, EOFError, ValueError, pa.ArrowException)


class TooLargeError(ValueError):
    """What a record expands to is over the limit."""


class Response(NamedTuple):
    """An HTTP response: its status (None if it has no head), its headers, the rest of the bytes."""

    status: int | None
    headers: dict[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        """Return the media type without its parameters, or nothing."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """Return the charset that the server named."""
        found = CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else None


def parse(data: bytes) -> Response:
    """Separate the head of a response from its body; bytes without a head are a body."""
    if not data.startswith(b"HTTP/"):
        return Response(None, {}, data)
    end = HEAD_END.search(data)
    head = data[: end.start()] if end else data
    first, *lines = head.decode("latin-1").splitlines()
    status = STATUS.match(first)
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    body = data[end.end() :] if end else b""
    return Response(int(status[1]) if status else None, headers, body)


def payload(response: Response, limit: int) -> bytes:
    """Undo the encodings of a response's body; raise TooLargeError beyond the limit."""
    data = response.body
    if "chunked" in response.headers.get("transfer-encoding", "").lower():
        data = _unchunked(data)
    for coding in reversed(response.headers.get("content-encoding", "").lower().split(",")):
        data = _decoded(data, coding.strip(), limit)
    if len(data) > limit:
        raise TooLargeError
    return data


def _unchunked(data: bytes) -> bytes:
    """Join the chunks; archives often say chunked of what no longer is."""
    parts = []
    at = 0
    while found := CHUNK_HEAD.match(data, at):
        size = int(found[1], 16)
        if not size:
            break
        parts.append(data[found.end() : found.end() + size])
        at = found.end() + size
        at += 2 if data[at : at + 2] == b"\r\n" else data[at : at + 1] == b"\n"
    return b"".join(parts) if parts else data


def _decoded(data: bytes, coding: str, limit: int) -> bytes:
    if coding in ("gzip", "x-gzip"):
        return _inflated(data, 31, limit) if data.startswith(b"\x1f\x8b") else data
    if coding == "deflate":
        return _inflated(data, 15 if data[:1] == b"\x78" else -15, limit)
    if coding == "br":
        from fastwarc.stream_io import BrotliReader  # seldom needed, and slow to import

        return _bounded(BrotliReader(io.BytesIO(data)), limit)
    if coding == "zstd":
        return _bounded(pa.CompressedInputStream(pa.BufferReader(data), "zstd"), limit)
    return data


def _inflated(data: bytes, bits: int, limit: int) -> bytes:
    """Inflate as far as it goes: crawlers cut long pages off."""
    inner = zlib.decompressobj(bits)
    parts: list[bytes] = []
    size = 0
    try:
        while data and not inner.eof and (part := inner.decompress(data, 1 << 20)):
            parts.append(part)
            size += len(part)
            if size > limit:
                raise TooLargeError
            data = inner.unconsumed_tail
    except zlib.error:
        if not parts:
            raise
    return b"".join(parts)


def _bounded(reader: Any, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := reader.read(1 << 20):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise TooLargeError
    return b"".join(parts)
