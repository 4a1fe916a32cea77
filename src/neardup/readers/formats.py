"""Which reader reads which file: by suffix, else by a look at the content."""

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module

from neardup.readers import READERS
from neardup.readers.encodings import wide_in
from neardup.readers.file import File
from neardup.readers.reader import Reader

HEAD_BYTES = 64 << 10


def reader_of(file: File) -> Reader:
    """Return the reader of a file."""
    return _by_suffix(tuple(READERS)).get(file.suffix) or _by_content(file)


def left_out() -> list[str]:
    """Return the problems of records that are as they should be, such as redirects, in any format.

    >>> left_out()
    ['redirect', 'other namespace', 'no question or answer']
    """
    return [problem for reader in _loaded(tuple(READERS)) for problem in reader.left_out]


def those_that(can: Callable[[Reader], bool]) -> str:
    """Return what the formats are called of which something is true.

    >>> those_that(lambda reader: reader.needs_end)
    'Parquet, Arrow, indexes of neardup'
    """
    found = zip(_loaded(tuple(READERS)), READERS.values(), strict=True)
    return ", ".join(called for reader, called in found if can(reader))


@cache
def _loaded(modules: tuple[str, ...]) -> tuple[Reader, ...]:
    return tuple(import_module(name).READER for name in modules)


@cache
def _by_suffix(modules: tuple[str, ...]) -> dict[str, Reader]:
    return {suffix: reader for reader in _loaded(modules) for suffix in reader.suffixes}


@lru_cache(1 << 17)
def _by_content(file: File) -> Reader:
    try:
        with file.open_stream() as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        head = b""  # the last reader says what is wrong
    *readers, last = _loaded(tuple(READERS))
    if encoding := wide_in(head):
        head = head[len(encoding.mark) :].decode(encoding.codec, "replace").encode()
        readers = [reader for reader in readers if reader.decodes]
    found = [reader for reader in readers if reader.begins and reader.begins.match(head)]
    found += [reader for reader in readers if file.suffix in reader.usual]
    return next(iter(found), last)
