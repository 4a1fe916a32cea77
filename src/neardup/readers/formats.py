"""Which reader reads which file: by suffix, else by a look at the content."""

import json
import re
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from neardup.readers.files import File

# Names, not modules: most runs need one reader, and some take long to import.
BY_SUFFIX = {
    **dict.fromkeys((".jsonl", ".ndjson", ".jl"), "jsonl"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc", ".arrows"), "arrow"),
    **dict.fromkeys((".csv", ".tsv", ".tab"), "csv"),
    **dict.fromkeys((".txt", ".text", ".md", ".markdown", ".rst"), "plain"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".warc", ".wet", ".wat", ".arc"), "warc"),
    **dict.fromkeys((".trec", ".trectext", ".trecweb"), "trec"),
}
HEAD_BYTES = 64 << 10
BY_CONTENT = {
    re.compile(rb"PAR1"): "parquet",
    re.compile(rb"ARROW1|\xff\xff\xff\xff[\x10-\xff]"): "arrow",
    re.compile(rb"WARC/\d|filedesc:"): "warc",
    re.compile(rb"(\xef\xbb\xbf)?\s*<DOC>\s", re.I): "trec",
    re.compile(rb"(\xef\xbb\xbf)?\s*\[\s*[{\]\"]"): "jsonarray",
    re.compile(rb"(\xef\xbb\xbf)?\s*\{\s*[\"}]"): "jsonl",
    re.compile(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<(mediawiki|page>\s*<title)\b"): "wikipedia",
    re.compile(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<(posts|posthistory)\s*>"): "stackexchange",
    re.compile(rb"(\xef\xbb\xbf)?\s*<[!?a-zA-Z]"): "html",
}


def reader_of(file: File) -> ModuleType:
    """Return the module that reads a file."""
    return import_module(f"neardup.readers.{name_of(file)}")


def name_of(file: File) -> str:
    """Return the name of a file's format."""
    return BY_SUFFIX.get(file.suffix) or _by_content(file)


@lru_cache(1 << 17)
def _by_content(file: File) -> str:
    try:
        with file.open_stream() as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return "plain"  # which says what is wrong
    found = next((name for start, name in BY_CONTENT.items() if start.match(head)), "plain")
    return "jsonarray" if found == "jsonl" and not _has_whole_lines(head) else found


def _has_whole_lines(head: bytes) -> bool:
    """Say whether the first line is a whole JSON value, as far as it can be seen."""
    line, end, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if not end:
        return True
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return line.rstrip().endswith(b"}")  # a bad line, yet a line
    return True
