"""Runs: in which order they are read, quickly and with care, and what is told of broken ones."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.collection import Write

from neardup.errors import InputError
from neardup.retrieval.runs import (
    Catalogue,
    Columns,
    careful_columns,
    quick_columns,
    quick_run,
    read_run,
)

RUN = """\
1 Q0 a 1 3.5 mine
1\tQ0\tb 2   2.5 mine

2 Q0 c 1 1e-3 mine
"""


@pytest.mark.parametrize("packing", ["", "gz"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_run_is_read(tmp_path: Path, packing: str, ends: str) -> None:
    data = RUN.replace("\n", ends).encode()
    path = tmp_path / f"run.{packing}"
    path.write_bytes(gzip.compress(data) if packing else data)
    run = read_run(path)
    assert run.as_lists() == {"1": (["a", "b"], [3.5, 2.5]), "2": (["c"], [0.001])}
    assert run.tag == "mine"
    assert not run.remarks


def test_scores_decide_then_ids_as_in_trec_eval(write: Write) -> None:
    run = read_run(
        write("1 Q0 a 1 1 x\n1 Q0 b 2 2 x\n1 Q0 c 3 2.00000000001 x\n1 Q0 d 4 nine x\n"), True
    )
    # c is a little better than b, but not as a 32-bit number: the later id goes first
    assert run.as_lists()["1"][0] == ["c", "b", "a"]
    assert [remark.partition(":")[0] for remark in run.remarks] == ["line 4"]
    assert (run.tied, run.misplaced) == (1, 1)


def test_the_order_is_that_of_trec_eval(write: Write) -> None:
    scores = [1, 1.0000000001, 0.5, 1e30, 1e30, -3, 0.5000001, 0.1, 0.1]
    ids = ["x9", "x10", "é", "b", "a", "z", "q", "A", "B"]
    run = read_run(write("".join(f"7 Q0 {i} 0 {s!r} t\n" for i, s in zip(ids, scores, strict=True))))
    # 0.5000001 is more than 0.5 as a 32-bit number; x9 and x10 have the same score
    assert run.as_lists()["7"][0] == ["b", "a", "x9", "x10", "q", "é", "B", "A", "z"]


LINES = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "wt-3"]),
        st.text("abé-", min_size=1, max_size=4),
        st.sampled_from(["1", "12", "-1", "x"]),
        st.sampled_from(["1", "-2.5", "3e-2", "1e400", "inf", ".5", "+1", "0x1", "one", "nan", ""]),
    ),
    max_size=5,
)


def quickly(data: bytes, catalogue: Catalogue) -> Columns | None:
    table = quick_run(data)
    return table and quick_columns(data, table, *catalogue.numbers_of([table["id"]]))


@given(LINES, st.sampled_from([" ", "\t", "  "]), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_the_quick_way_is_the_careful_way(
    rows: list[tuple[str, str, str, str]], between: str, end: str
) -> None:
    text = "".join(between.join([t, "Q0", i, r, s, "tag"]) + end for t, i, r, s in rows)
    broken: list[str] = []
    one, other = Catalogue(), Catalogue()
    careful = careful_columns(text.encode(), one, broken)
    quick = quickly(text.encode(), other)
    if quick is None:
        return
    assert not broken
    assert [np.asarray(column).tolist() for column in quick[:6]] == [
        np.asarray(column).tolist() for column in careful[:6]
    ]
    assert quick.lines and careful.lines and quick.lines() == careful.lines()
    assert one == other


def test_usual_lines_are_read_the_quick_way() -> None:
    data = "151 Q0 clueweb09-en0011-54-30937 1 -2.28234 indri\n" * 3
    for text in (data, data.replace(" ", "\t"), data.replace("\n", "\r\n")):
        assert quickly(text.encode(), Catalogue()) is not None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 Q0 a 1 3.5", "line 2: 5 fields instead of 6"),
        ("1 Q0 an id 1 3.5 tag", "line 2: 7 fields instead of 6"),
        ("1 Q0 b 1 high tag", "line 2: the score high is not a number"),
        ("1 Q0 b 1 nan tag", "line 2: the score nan is not a number"),
        ("1 Q0 a 2 0.5 tag", "line 2: a is given for topic 1 again"),
    ],
)
def test_broken_lines_of_runs_are_named(write: Write, line: str, said: str) -> None:
    path = write(f"1 Q0 a 1 3.5 tag\n{line}\n")
    with pytest.raises(InputError, match=said) as raised:
        read_run(path)
    assert raised.value.where == str(path)
    run = read_run(path, lenient=True)
    assert run.as_lists() == {"1": (["a"], [3.5])}
    assert said in run.remarks[0]


def test_many_broken_lines_are_counted(write: Write) -> None:
    with pytest.raises(InputError, match=r"line 5: .* and 95 more"):
        read_run(write("x\n" * 100))


def test_a_document_given_again_is_named_also_below_broken_lines(write: Write) -> None:
    path = write("1 Q0 a 1 3.5 t\nbroken\n\n1 Q0 a 1 2.5 t\n")
    assert "line 4: a is given for topic 1 again: only the best" in read_run(path, True).remarks[1]
