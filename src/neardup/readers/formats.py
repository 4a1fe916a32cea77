"""Which reader reads which file: by suffix, else by a look at the content."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib import import_module

from neardup import plugins
from neardup.errors import InputError
from neardup.readers import ADDED, READERS
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
    'Parquet, Arrow, indexes of neardup, PDF, DOCX, ODT, EPUB'
    """
    found = _listed(tuple(READERS)).items()
    return ", ".join(READERS[path] for path, reader in found if can(reader))


def added() -> tuple[str, ...]:
    """Return where the readers of other packages are found that can be loaded here."""
    return tuple(path for path in _listed(tuple(READERS)) if path in ADDED) if ADDED else ()


def check_added(paths: Iterable[str]) -> None:
    """Refuse to read where readers of other packages are missing: their files would be read as text."""
    if missing := set(paths).difference(added()):
        hint = "Install its package wherever files are read, as neardup itself: docs/extending.md."
        raise InputError(f"the reader {min(missing)} cannot be loaded in this process", hint=hint)


@cache
def _loaded(modules: tuple[str, ...]) -> tuple[Reader, ...]:
    return tuple(_listed(modules).values())


def _listed(modules: tuple[str, ...]) -> dict[str, Reader]:
    own = {path: import_module(path).READER for path in modules if path not in ADDED}
    taken = {suffix for reader in own.values() for suffix in reader.suffixes}
    others: dict[str, Reader] = {}
    for path, point in ADDED.items():
        reader = plugins.loaded(point, Reader)
        if reader and (twice := taken.intersection(reader.suffixes)):
            plugins.warn(point, f"the suffix {min(twice)!r} is taken")
        elif reader:
            others[path] = reader
            taken.update(reader.suffixes)
    known = own | others
    return {path: known[path] for path in modules if path in known}


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
