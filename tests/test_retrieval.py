"""TREC's files, and what is done to near-duplicates in them."""

import gzip
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.errors import InputError, SettingsError
from neardup.retrieval.analysis import TrecSettings, analyse
from neardup.retrieval.duplicates import Duplicates, Groups, Pairs, read_groups
from neardup.retrieval.files import (
    Judgement,
    Qrels,
    Ranking,
    Run,
    read_qrels,
    read_run,
    read_topics,
    write_qrels,
    write_run,
)
from neardup.retrieval.origins import origin
from neardup.retrieval.policies import collapsed, judged_once, keepers, masked, preference, without
from neardup.retrieval.prevalence import cumulative, prevalence, run_topics

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(text: str) -> Path:
        path = tmp_path / "file.txt"
        path.write_text(text)
        return path

    return make


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
    assert run.topics == {"1": Ranking(["a", "b"], [3.5, 2.5]), "2": Ranking(["c"], [0.001])}
    assert run.tag == "mine"
    assert not run.remarks


def test_scores_decide_then_ids_as_in_trec_eval(write: Write) -> None:
    run = read_run(
        write("1 Q0 a 1 1 x\n1 Q0 b 2 2 x\n1 Q0 c 3 2.00000000001 x\n1 Q0 d 4 nine x\n"), True
    )
    # c is a little better than b, but not as a 32-bit number: the later id goes first
    assert run.topics["1"].ids == ["c", "b", "a"]
    assert [remark.partition(":")[0] for remark in run.remarks] == ["line 4"]
    assert (run.tied, run.misplaced) == (1, 1)


def test_the_order_is_that_of_pytrec_eval(write: Write) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")

    scores = [1, 1.0000000001, 0.5, 1e30, 1e30, -3, 0.5000001, 0.1, 0.1]
    ids = ["x9", "x10", "é", "b", "a", "z", "q", "A", "B"]
    run = read_run(write("".join(f"7 Q0 {i} 0 {s!r} t\n" for i, s in zip(ids, scores, strict=True))))
    for place, own in enumerate(run.topics["7"].ids, 1):
        judge = pytrec_eval.RelevanceEvaluator({"7": {own: 1}}, {"recip_rank"})
        found = judge.evaluate({"7": dict(zip(ids, map(float, scores), strict=True))})
        assert found["7"]["recip_rank"] == pytest.approx(1 / place)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 Q0 a 1 3.5", "line 2: 5 fields instead of 6"),
        ("1 Q0 an id 1 3.5 tag", "line 2: 7 fields instead of 6"),
        ("1 Q0 b 1 high tag", "line 2: the score high is no number"),
        ("1 Q0 b 1 nan tag", "line 2: the score nan is no number"),
        ("1 Q0 a 2 0.5 tag", "topic 1: 1 documents given again"),
    ],
)
def test_broken_lines_of_runs_are_named(write: Write, line: str, said: str) -> None:
    path = write(f"1 Q0 a 1 3.5 tag\n{line}\n")
    with pytest.raises(InputError, match=said) as raised:
        read_run(path)
    assert raised.value.where == str(path)
    run = read_run(path, lenient=True)
    assert run.topics == {"1": Ranking(["a"], [3.5])}
    assert said in run.remarks[0]


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


def test_many_broken_lines_are_counted(write: Write) -> None:
    with pytest.raises(InputError, match=r"line 5: .* and 95 more"):
        read_run(write("x\n" * 100))


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
    assert read_run(tmp_path / "again").topics == run.topics
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


def test_groups_are_read(write: Write) -> None:
    path = write('{"hash": "1", "ids": ["a", "b"]}\n{"ids": ["c"]}\n{"ids": ["b", "d"]}\n')
    groups = read_groups(path)
    assert groups.keepers(["d", "c", "a", "b"]) == [-1, -1, 0, 0]
    assert len(groups.remarks) == 2
    path = write('{"ids": ["a", "b"]}\n{"ids": "ab"}\n[1]\n{"ids": ["e", 1]}\n{broken\n')
    with pytest.raises(InputError, match=r"line 2: .*line 3: .*line 4: .*line 5"):
        read_groups(path)
    assert read_groups(path, lenient=True).alike(["a", "b"]) == 2


def obvious_keepers(ids: Sequence[str], alike: Callable[[str, str], bool]) -> list[int]:
    staying: list[int] = []
    found = []
    for place, own in enumerate(ids):
        keeper = next((k for k in staying if alike(own, ids[k])), -1)
        if keeper < 0:
            staying.append(place)
        found.append(keeper)
    return found


IDS = [f"d{i}" for i in range(12)]
ORDERS = st.lists(st.sampled_from(IDS), unique=True)


@given(st.lists(st.integers(0, 4), min_size=12, max_size=12), ORDERS)
def test_keepers_of_groups(numbers: list[int], ids: list[str]) -> None:
    of = dict(zip(IDS, numbers, strict=True))
    groups = Groups([own for own in IDS if of[own] == number] for number in range(5))
    assert groups.keepers(ids) == obvious_keepers(ids, lambda a, b: of[a] == of[b])
    assert groups.alike(ids) == sum(any(of[a] == of[b] and a != b for b in ids) for a in ids)


PAIRS = st.dictionaries(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)).filter(lambda p: p[0] < p[1]),
    st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
)


@given(PAIRS, ORDERS, st.sampled_from([0.5, 0.7, 1.0]))
def test_keepers_of_pairs(known: dict[tuple[str, str], float], ids: list[str], least: float) -> None:
    pairs = Pairs(((a, b, s) for (a, b), s in known.items()), 0.5).at(least)

    def alike(a: str, b: str) -> bool:
        return known.get((min(a, b), max(a, b)), 0) >= least

    assert pairs.keepers(ids) == obvious_keepers(ids, alike)
    assert pairs.alike(ids) == sum(any(alike(a, b) for b in ids if a != b) for a in ids)


def test_pairs_below_what_is_known_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"below 0\.5 are not known"):
        Pairs([], 0.5).at(0.4)


@pytest.mark.parametrize(
    ("keep", "stays"), [("first", "a"), ("relevant", "c"), ("judged", "b"), ("id", "A")]
)
def test_who_stays(keep: Any, stays: str) -> None:
    ids, grades = ["a", "x", "b", "c", "A"], {"b": 0, "c": 2, "x": 1}
    found = keepers(ids, Groups([["a", "b", "c", "A"]]), preference(ids, keep, grades))
    assert [own for own, keeper in zip(ids, found, strict=True) if keeper < 0] == [
        own for own in ids if own in ("x", stays)
    ]
    assert {ids[keeper] for keeper in found if keeper >= 0} == {stays}


def run_with(*ids: str) -> Run:
    return Run("r", {"1": Ranking(list(ids), [float(len(ids) - i) for i in range(len(ids))])}, "t")


def test_policies() -> None:
    near = Groups([["a1", "a2", "a3"], ["b1", "b2"]])
    run = run_with("a2", "b2", "x", "a1", "b1", "a3")
    qrels = Qrels(
        [Judgement("1", "0", own, grade) for own, grade in {"a1": 2, "a2": 0, "b1": 1}.items()]
    )
    short, removed = without(run, near, "first", qrels.grades)
    assert short.topics["1"] == Ranking(["a2", "b2", "x"], [6.0, 5.0, 4.0])
    assert [(r.id, r.rank, r.keeper, r.keeper_rank) for r in removed] == [
        ("a1", 4, "a2", 1),
        ("b1", 5, "b2", 2),
        ("a3", 6, "a2", 1),
    ]
    assert masked(run, near).topics["1"].ids == [
        "a2",
        "b2",
        "x",
        "a1!duplicate",
        "b1!duplicate",
        "a3!duplicate",
    ]
    once, gone = judged_once(qrels, near, "first")
    assert [row.id for row in once.rows] == ["a1", "b1"]
    assert [(r.file, r.id, r.keeper) for r in gone] == [("qrels.txt", "a2", "a1")]
    assert collapsed(run, near, once.grades).topics["1"].ids == ["a1", "b1", "x"]


def test_judgements_of_subtopics_go_with_their_document() -> None:
    rows = [Judgement("1", s, own, 1) for own in ("a", "b") for s in ("1", "2")]
    other = Judgement("2", "1", "b", 1)
    once, _ = judged_once(Qrels([*rows, other]), Groups([["a", "b"]]), "first")
    assert once.rows == [*rows[:2], other], "b is judged once for topic 2, and stays there"
    other_way, _ = judged_once(Qrels(rows), Groups([["a", "b"]]), "first", rather={"1": {"b": 0}})
    assert other_way.rows == rows[2:], "b stays where other judgements have kept it"


def test_prevalence_and_table() -> None:
    near = Groups([["a", "b", "c"]])
    [together, first, second] = prevalence("pool", {"10": ["a", "b"], "9": ["c", "x"]}, near)
    assert (together.topic, together.documents, together.near_duplicates, together.redundant) == (
        None,
        4,
        3,
        2,
    )
    assert (first.topic, first.near_duplicates) == ("9", 0)
    assert (second.topic, second.redundant) == ("10", 1)
    runs = [Run("r", {"1": Ranking(list("xabyz"), [5, 4, 3, 2, 1]), "2": Ranking(["x"], [1.0])})]
    rows = list(run_topics(runs, [2, 4], near))
    assert [(r.topic, r.n, r.documents, r.redundant) for r in rows] == [
        ("1", 2, 2, 0), ("1", 4, 4, 1), ("2", 2, 1, 0), ("2", 4, 1, 0),
    ]  # fmt: skip
    cells = {(cell.n, cell.least): cell.share for cell in cumulative(rows)}
    assert cells[4, 0.25] == 0.5
    assert cells[4, 0.3] == 0
    assert (2, 0.45) not in cells and (2, 0.5) in cells, "no part of a document"


@pytest.mark.parametrize(
    ("a", "b", "similarity", "kind"),
    [
        ("http://x.org/a", "https://www.x.org/a/", 0.9, "URL variation"),
        ("http://x.org", "http://X.ORG:80/index.html", 0.9, "URL variation"),
        ("http://x.org/a?b=1&sid=7", "http://x.org/a?SID=8&b=1", 0.9, "URL variation"),
        ("http://x.org/a;jsessionid=12", "http://x.org/a", 0.9, "URL variation"),
        ("http://x.org/%7Ejoe/", "http://x.org/~joe", 0.9, "URL variation"),
        ("http://x.org/a#one", "x.org/a", 0.9, "URL variation"),
        ("http://x.org/a", "http://x.org/print?page=a", 1.0, "URL variation"),
        ("http://x.org/a", "http://x.org/b", 0.9, "editorial variation"),
        ("http://x.org/a?page=1", "http://x.org/a?page=2", None, "editorial variation"),
        ("http://x.org/a/b.html", "http://mirror.net/a/b.html", 1.0, "mirror"),
        ("http://x.org/", "http://y.org/", 1.0, "other"),
        ("http://x.org:8080/a", "http://x.org/b", 0.9, "other"),
        ("http://x.org/a", "http://y.org/b", 0.9, "other"),
        ("http://x.org/a", None, 0.9, "unknown"),
        ("http://x.org/a", "http://[half", 0.9, "unknown"),
        ("http:///a", "http://x.org/a", 0.9, "unknown"),
    ],
)
def test_origins(a: str, b: str | None, similarity: float | None, kind: str) -> None:
    assert origin(a, b, similarity) == kind
    assert origin(b, a, similarity) == kind


def small(duplicates: Duplicates, **settings: Any) -> Any:
    pytest.importorskip("ir_measures")
    qrels = Qrels(
        [Judgement("1", "0", "a", 1), Judgement("1", "0", "b", 0), Judgement("2", "0", "a", 1)]
    )
    run = Run("r", {"1": Ranking(["a", "b"], [2.0, 1.0]), "3": Ranking(["a"], [1.0])})
    return analyse([run], qrels, duplicates, TrecSettings(measures=("P@2",), **settings))


def test_odd_topics_are_told() -> None:
    found = small(Groups([["a", "b"]]))
    assert "r: topics without judgements are not measured: 3" in found.remarks
    assert "r: nothing was found for topics that are measured as 0: 2" in found.remarks
    assert found.effects[0].before == 0.25


def test_thresholds_that_are_not_known_are_told() -> None:
    found = small(Pairs([("a", "b", 0.9)], 0.6), thresholds=(0.5, 0.8))
    assert found.threshold == 0.6
    assert [r.threshold for r in found.prevalence if r.topic is None and r.scope == "pool"] == [0.8, 0.6]
    assert any("1 thresholds below 0.6 are left out" in remark for remark in found.remarks)
    with pytest.raises(SettingsError, match="not known"):
        small(Pairs([("a", "b", 0.9)], 0.6), threshold=0.5)


def test_a_run_for_other_topics_is_refused() -> None:
    qrels = Qrels([Judgement("9", "0", "a", 1)])
    with pytest.raises(InputError, match="no topic of this run has judgements"):
        analyse([run_with("a")], qrels, Groups([]), TrecSettings())


@pytest.mark.parametrize(
    "settings", [{"threshold": 0.0}, {"thresholds": (1.5,)}, {"depths": (0,)}, {"keep": "last"}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        TrecSettings(**settings)
