"""Files of the input: found by name, folder, glob or remote address, and in archives."""

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pyarrow.fs as pafs

from neardup.errors import InputError
from neardup.readers import archives, folders, pipes
from neardup.readers.archives import COMPRESSIONS, kind_of
from neardup.readers.file import INDEX, File
from neardup.storage import MARK, resolve
from neardup.store.files import MANIFEST, check_folder, elsewhere, is_index, is_of_old

LOCK = "~$"  # a file of Word's beside one that is open begins so
OF_WINDOWS = ("thumbs.db", "desktop.ini")  # how it shows a folder
REMOVED_PREFIX = "neardup-removed."  # what `dedup` writes beside the documents is not one of them
OF_A_RESULT = ("run.json", "timings.json")  # a folder with both is a result of neardup
DUMP = "posts.xml"  # of Stack Exchange: a folder with it has tables beside it that are no posts
HISTORY = "posthistory.xml"
BESIDE_POSTS = frozenset(
    f"{name}.xml" for name in ("badges", "comments", "postlinks", "tags", "users", "votes")
)
DATABASES = ("", ".neardup", ".duckdb", ".db")  # what they are usually called
WILD = frozenset("*?[")


def as_it_is(file: File) -> File:
    """Return a file, or its archive, with the time at which it changed last, as this machine sees it."""
    file = file.stored
    if file.suffix == INDEX:
        return _index(file.path, file.name)
    info = file.filesystem.get_file_info(file.inner_path)
    return replace(file, modified=info.mtime_ns or 0)


def check_unchanged(files: Iterable[File]) -> None:
    """Refuse files that are not what they were when they were found."""
    places: dict[str, list[File]] = {}
    for file in dict.fromkeys(file.stored for file in files if file.inside or not file.problem):
        host = "/".join(file.path.split("/")[:3]) if "://" in file.path else ""
        places.setdefault(host, []).append(file)
    for those in places.values():
        for file in [file for file in those if file.suffix == INDEX]:
            those.remove(file)
            if as_it_is(file).modified != file.modified:
                hint = "Run neardup again when nobody adds to the index or removes from it."
                raise InputError("the index changed while it was read", where=file.path, hint=hint)
        if not those:
            continue
        infos = those[0].filesystem.get_file_info([file.inner_path for file in those])
        for file, info in zip(those, infos, strict=True):
            if (info.size, info.mtime_ns or 0) != (file.size, file.modified):
                raise changed(file, info)


def changed(file: File, info: pafs.FileInfo) -> InputError:
    """Return the error for a file that is no longer what it was."""
    now = "it is gone" if info.size is None else f"it had {file.size:,} bytes and has {info.size:,} now"
    if info.size == file.size:
        now = "it has as many bytes as before, but was written to"
    hint = "Run neardup again when nothing writes to the file any more, or on a copy of it."
    return InputError(f"the file changed while it was read: {now}", where=file.path, hint=hint)


def find(inputs: Iterable[str | Path], revisions: bool = False) -> list[File]:
    """List the files that the inputs name, each once, sorted by path; no two have the same name.

    Of a folder with a dump of Stack Exchange, those are the posts, or the `revisions` of these.
    """
    return named(listed(inputs, revisions))


def listed(inputs: Iterable[str | Path], revisions: bool = False) -> dict[str, File]:
    """Return the files that the inputs name, by their paths."""
    found: dict[str, File] = {}
    for address in dict.fromkeys(map(str, inputs)):
        try:
            files = (address and _find_one(address, revisions)) or _find_with_column(address, revisions)
        except OSError as error:
            hint = "Check the address and your permissions."
            raise InputError(f"cannot be read: {error}", where=address, hint=hint) from error
        except (UnicodeDecodeError, UnicodeEncodeError) as error:
            raise misnamed(error.object) from error
        if not files:
            raise folders.unusable(address) or InputError(
                "nothing matches this pattern" if WILD & set(address) else "no such file",
                where=address,
                hint="Check the spelling; a pattern may need quotes to reach neardup.",
            )
        for file in files:
            if found.setdefault(file.path, file).text_column != file.text_column:
                hint = "Copy it to compare two of its columns with each other."
                raise InputError("this file is given with two text columns", where=file.path, hint=hint)
    return found


def named(found: Mapping[str, File]) -> list[File]:
    """Sort files by path and give them names of their own."""
    files = sorted(found.values(), key=_place)
    counts = Counter(file.name for file in files)
    if max(counts.values(), default=1) == 1:
        return files
    # the same name in several folders: what the files have in common is left away
    places = [file.path.replace("://", "/").lstrip("/") for file in files]
    shared = posixpath.commonpath([posixpath.dirname(place) for place in places])
    return [replace(f, name=_under(p, shared)) for f, p in zip(files, places, strict=True)]


def _place(file: File) -> tuple[str, int, str]:
    """Return what files are sorted by: paths, and in an archive the order of its members."""
    return file.stored.path, file.inside.at if file.inside else 0, file.path


def misnamed(path: str | bytes) -> InputError:
    """Return the error for a name that no table could hold.

    >>> print(misnamed(b"letters/\\xff.txt"))
    letters/\\xff.txt: the name of this file is not UTF-8
    Rename it: results tell files by their names.
    """
    hint = "Rename it: results tell files by their names."
    raw = path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else path
    where = folders.in_utf8(raw)
    return InputError("the name of this file is not UTF-8", where=where, hint=hint)


def absolute(path: str | Path) -> str:
    """Return the whole path of a local file or folder, with / between its parts on every system."""
    return os.path.abspath(path).replace(os.sep, "/")  # noqa: PTH100


def _find_one(address: str, revisions: bool = False) -> list[File]:
    if pipes.is_pipe(address):
        [copy] = _find_one(pipes.copied(address))
        copy = replace(copy, is_copy=True)
        return [*archives.members(copy)] if copy.size and archives.looks_like(copy) else [copy]
    if "://" not in address:
        address = absolute(address)  # so that a result can be used from anywhere
    elif not address.endswith("://"):
        address = address.rstrip("/")
    wild = "://" not in address or "?" not in address  # a query of an address is not a pattern
    if wild and WILD & set(address) and _type_of(address) == pafs.FileType.NotFound:  # no real name
        return _inside(address) or _unpacked(_glob(address))
    filesystem, inner = resolve(address)
    info = filesystem.get_file_info(inner)
    if info.type == pafs.FileType.File:
        if "://" not in address and is_of_old(Path(address)):
            check_folder(Path(address))
        return _chosen([_file(address, info, info.path.rpartition("/")[2])], revisions)
    if info.type != pafs.FileType.Directory:
        return _inside(address)
    if "://" not in address and is_index(Path(address)):
        return [_index(address, address.rpartition("/")[2])]
    infos = folders.infos_in(filesystem, inner, recursive=True)
    if any(i.path == f"{inner}/{MANIFEST}" for i in infos):
        raise elsewhere(address)
    if any(i.base_name == MARK for i in infos):
        hint = "Wait until it is whole, or send it again."
        raise InputError("the upload to this folder is incomplete", where=address, hint=hint)
    infos = [i for i in infos if i.type != pafs.FileType.Directory and not _hidden(i.path, inner)]
    infos = [i for i in infos if not (i.base_name.startswith(REMOVED_PREFIX) or _is_marker(i))]
    found = [_file(_moved(address, inner, i.path), i, _under(i.path, inner)) for i in infos]
    files = _chosen((file for file in found if not _is_database(file)), revisions)
    if not files:
        hint = "Hidden files, whose names begin with a dot, results and indexes of neardup are left out."
        raise InputError("the folder holds no files", where=address, hint=hint)
    return files


def _chosen(files: Iterable[File], revisions: bool) -> list[File]:
    """Return those of the files, and of the members of archives, that are input."""
    return _posts_of_dumps(_without_results(_without_indexes(_unpacked(files))), revisions)


def _unpacked(files: Iterable[File]) -> list[File]:
    """Put the members of archives in the place of these."""
    found: list[File] = []
    for file in files:
        found += archives.members(file) if archives.is_named(file.path) and file.size else [file]
    return found


def _inside(address: str) -> list[File]:
    """Return the members of an archive that an address names: one, those of a folder, or a pattern's."""
    parts = address.split("/")
    for end in range(1, len(parts)):
        place = "/".join(parts[:end])
        if archives.is_named(place) and _type_of(place) == pafs.FileType.File:
            [*files] = _find_one(place)
            known = archives.by_path(files[0].stored) if files else {}
            if address in known:
                return [known[address]]
            below = [(file, file.path.removeprefix(f"{place}/").split("/")) for file in files]
            wanted = parts[end:]
            return [f for f, own in below if own[: len(wanted)] == wanted or _matches(own, wanted)]
    return []


def _find_with_column(address: str, revisions: bool) -> list[File]:
    """Return the files of an address behind which the name of their text column stands."""
    place, colon, column = address.rpartition(":")
    if not colon or not place or not column or {"/", os.sep} & set(column):
        return []
    return [replace(file, text_column=column) for file in _find_one(place, revisions)]


def _without_results(files: list[File]) -> list[File]:
    """Leave out what earlier runs wrote beside their input."""
    places = [{_folder(f) for f in files if _base_name(f) == name} for name in OF_A_RESULT]
    results = tuple(f"{folder}/" for folder in set.intersection(*places))
    return [file for file in files if not file.path.startswith(results)] if results else files


def _without_indexes(files: list[File]) -> list[File]:
    """Leave out what indexes are made of."""
    places = tuple(f"{_folder(file)}/" for file in files if _base_name(file) == MANIFEST)
    return [file for file in files if not file.path.startswith(places)] if places else files


def _posts_of_dumps(files: list[File], revisions: bool) -> list[File]:
    """Leave out the tables beside the posts of a dump, or beside the revisions that duplicate these."""
    taken = HISTORY if revisions else DUMP
    dumps = {_folder(file) for file in files if _plain_name(file) == taken}
    tables = {DUMP, HISTORY, *BESIDE_POSTS} - {taken}
    return [f for f in files if not (_folder(f) in dumps and _plain_name(f) in tables)]


def _plain_name(file: File) -> str:
    """Return the name of a file, in small letters and without the suffix of a compression."""
    path = Path(_base_name(file).lower())
    return path.stem if path.suffix in COMPRESSIONS else path.name


def _base_name(file: File) -> str:
    return file.path.rpartition("/")[2]


def _folder(file: File) -> str:
    return file.path.rpartition("/")[0]


def _is_database(file: File) -> bool:
    """Return whether a file is one of DuckDB's, as indexes once were."""
    if file.suffix not in DATABASES or not file.is_local or file.problem:
        return False
    try:
        with file.raw() as raw:
            return bool(raw.read(12)[8:] == b"DUCK")
    except OSError:  # who reads it says so
        return False


def _index(path: str, name: str) -> File:
    from neardup.readers.indexes import index_file

    try:
        return index_file(path, name)
    except InputError as error:
        return File(path, name, 0, suffix=INDEX, problem=("unreadable", f"index: {error.what}"))


def _type_of(address: str) -> pafs.FileType:
    filesystem, inner = resolve(address)
    return filesystem.get_file_info(inner).type


def _glob(address: str) -> list[File]:
    fixed = address[: min(address.index(c) for c in WILD if c in address)]
    base = fixed.rpartition("/")[0] or ("/" if fixed.startswith("/") else ".")
    filesystem, inner = resolve(base)
    pattern = address[len(base) :] if base != "." else address
    deep = "/" in pattern.strip("/") or "**" in pattern
    infos = folders.infos_in(filesystem, inner, deep)
    files = [i for i in infos if i.type != pafs.FileType.Directory]
    parts = pattern.strip("/").split("/")
    return [
        _file(_moved(base, inner, i.path), i, i.path.rpartition("/")[2])
        for i in files
        if _matches(_under(i.path, inner).split("/"), parts)
    ]


def _matches(path: list[str], pattern: list[str]) -> bool:
    """Match part by part: `*` stays within a folder, `**` spans any number of them."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(_matches(path[i:], pattern[1:]) for i in range(len(path) + 1))
    return bool(path) and fnmatchcase(path[0], pattern[0]) and _matches(path[1:], pattern[1:])


def _under(path: str, base: str) -> str:
    return path[len(base) :].lstrip("/") if path.startswith(base) else path.removeprefix("./")


def _moved(address: str, inner: str, path: str) -> str:
    """Return the address of another path in the filesystem of an address."""
    if "://" not in address:
        return path.removeprefix("./")
    plain, question, query = address.partition("?")
    prefix = plain[: -len(inner)] if plain.endswith(inner) else plain[: plain.index("://") + 3]
    return f"{prefix}{path}{question}{query}"


def _hidden(path: str, base: str) -> bool:
    """Return whether a file is hidden, a program's own, or part of a result that is being written."""
    parts = _under(path, base).split("/")
    if parts[-1].startswith(LOCK) or parts[-1].lower() in OF_WINDOWS:
        return True
    return any(part.startswith(".") or part.endswith(".partial") for part in parts)


def _is_marker(info: pafs.FileInfo) -> bool:
    """Return whether a file is empty because its name says it all, as _SUCCESS and py.typed do."""
    return bool(info.size == 0) and (info.base_name.startswith("_") or info.base_name == "py.typed")


def _file(address: str, info: pafs.FileInfo, name: str) -> File:
    suffix, compression = kind_of(info.path)
    if info.type == pafs.FileType.Unknown and not folders.what_is(info.path):
        problem = (folders.NO_NAME, "results tell files by their names: rename it")
        return File(address, name, 0, compression, suffix, problem=problem)
    if info.type != pafs.FileType.File:
        problem = (folders.NO_FILE, f"this is {folders.what_is(info.path) or 'something else'}")
        return File(address, name, 0, compression, suffix, problem=problem)
    return File(address, name, info.size or 0, compression, suffix, info.mtime_ns or 0)
