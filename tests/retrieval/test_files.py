"""Judgements and topics: how they are read and written; what is refused of any file."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.retrieval.collection import Write

from neardup.errors import InputError
from neardup.retrieval.duplicates import read_groups
from neardup.retrieval.files import Judgement, read_qrels, read_topics, write_qrels
from neardup.retrieval.runs import read_run, write_run

RUN = """\
1 Q0 a 1 3.5 mine
1\tQ0\tb 2   2.5 mine

2 Q0 c 1 1e-3 mine
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 0 b", "line 2: 3 fields instead of 4"),
        ("1 0 b yes", "line 2: no whole number"),
        ("1 0 a 0", "line 2: a is judged for topic 1 a second time"),
        ("1 0 \udcff 0", "line 2: invalid UTF-8"),
    ],
)
def test_broken_lines_of_judgements_are_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "q"
    path.write_bytes(f"1 0 a 1\n{line}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=said):
        read_qrels(path)
    assert read_qrels(path, lenient=True).rows == [Judgement("1", "0", "a", 1)]


@pytest.mark.parametrize("read", [read_run, read_qrels, read_groups])
def test_empty_files_are_refused(write: Write, read: Callable[[Path], object]) -> None:
    with pytest.raises(InputError):
        read(write("\n"))


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(RUN.encode() * 99)[:-20])
    with pytest.raises(InputError, match="truncated"):
        read_run(path)


def test_files_are_written_as_they_are_read(tmp_path: Path, write: Write) -> None:
    run = read_run(write(RUN))
    write_run(tmp_path / "again", run)
    assert read_run(tmp_path / "again").as_lists() == run.as_lists()
    rows = [Judgement("1", "2", "a", -2), Judgement("1", "3", "a", 1)]
    write_qrels(tmp_path / "qrels", rows)
    assert read_qrels(tmp_path / "qrels").rows == rows
    assert read_qrels(tmp_path / "qrels").has_subtopics
    assert read_qrels(tmp_path / "qrels").grades == {"1": {"a": 1}}


@pytest.mark.parametrize(
    "text",
    [
        '<t><!-- <topic number="9"><query>no</query></topic> -->\n<topic number="151" type="x">\n'
        "<query>403b &amp; more</query></topic></t>",
        "<top>\n<num> Number: 151\n<title> Topic: 403b &amp; more\n<desc> Description:\nwhat\n</top>",
        "151:403b & more\n",
        "wt09-151:403b & more\n",
    ],
)
def test_topics_of_all_kinds(write: Write, text: str) -> None:
    assert read_topics(write(text)) == {"151": "403b & more"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1:one\n2:two\n1:again\n", 3),
        ('<topic number="1"><query>x</query></topic>\n<!-- a\nb -->\n<topic number="1"></topic>', 4),
    ],
)
def test_a_topic_that_is_there_twice_is_named(write: Write, text: str, line: int) -> None:
    with pytest.raises(InputError, match=f"line {line}: topic 1 is there already"):
        read_topics(write(text))
