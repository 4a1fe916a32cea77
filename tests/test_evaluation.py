"""Evaluation: each measure by hand and against a slow twin, gold of every format, and bad gold."""

import json
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import neardup
from neardup.cli import main
from neardup.errors import InputError
from neardup.evaluation import (
    CaseGroup,
    ClusterGold,
    PairGold,
    Passage,
    PassageGold,
    cluster_scores,
    evaluate,
    pair_scores,
    passage_scores,
    read_gold,
)
from neardup.evaluation.evaluate import Names

SUSPICIOUS = "susp/suspicious-document00001.txt"
SOURCES = ["src/source-document00001.txt", "src/source-document00002.txt"]
PASSAGE_COLUMNS = "id_a,start_a,end_a,id_b,start_b,end_b"


def write_result(
    folder: Path,
    ids: Sequence[str],
    pairs: Iterable[tuple[str, str]] = (),
    clusters: Iterable[Sequence[str]] = (),
    passages: Iterable[Passage] | None = None,
) -> Path:
    """Write a result by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    members = [(number, id_) for number, cluster in enumerate(clusters) for id_ in cluster]
    text, whole = pa.string(), pa.int64()
    tables: dict[str, dict[str, tuple[list[Any], pa.DataType]]] = {
        "documents": {"doc": (list(range(len(ids))), whole), "id": (list(ids), text)},
        "pairs": {"id_a": ([a for a, _ in pairs], text), "id_b": ([b for _, b in pairs], text)},
        "clusters": {"cluster": ([n for n, _ in members], whole), "id": ([i for _, i in members], text)},
    }
    if passages is not None:
        rows = list(passages)
        tables["passages"] = {
            name: ([row[at] for row in rows], text if name.startswith("id") else whole)
            for at, name in enumerate(Passage._fields)
        }
    for name, columns in tables.items():
        arrays = {key: pa.array(values, kind) for key, (values, kind) in columns.items()}
        pq.write_table(pa.table(arrays), folder / f"{name}.parquet")
    method = "documents" if passages is None else "passages"
    (folder / "run.json").write_text(json.dumps({"method": method, "settings": {}, "counts": {}}))
    return folder


def feature(this: tuple[int, int], source: tuple[int, int], name: str, kind: str = "plagiarism") -> str:
    return (
        f'<feature name="{kind}" this_offset="{this[0]}" this_length="{this[1]}" '
        f'source_reference="{name}" source_offset="{source[0]}" source_length="{source[1]}"/>'
    )


def write_pan(folder: Path, files: dict[str, Sequence[str]], pairs: Sequence[str] | None = None) -> Path:
    """Write one of PAN's folders: features by suspicious document, and the list of pairs."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, features in files.items():
        text = f'<document reference="{name}">\n' + "\n".join(features) + "\n</document>\n"
        (folder / f"{name}.xml").write_text(text)
    if pairs is not None:
        (folder / "pairs").write_text("".join(f"{pair}\n" for pair in pairs))
    return folder


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def passage(this: tuple[int, int], source: tuple[int, int], id_a: str = "a", id_b: str = "b") -> Passage:
    return Passage(id_a, *this, id_b, *source)


# Pairs


def test_pairs_are_scored_by_counts() -> None:
    scores = pair_scores(right=6, wrong=2, missed=4)
    assert (scores.precision, scores.recall) == (0.75, 0.6)
    assert scores.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((0, 0, 0), (1, 1, 1)), ((0, 0, 3), (0, 0, 0)), ((0, 3, 0), (0, 0, 0)), ((2, 0, 0), (1, 1, 1))],
)
def test_pairs_where_something_is_missing(
    counts: tuple[int, int, int], expected: tuple[float, float, float]
) -> None:
    scores = pair_scores(*counts)
    assert (scores.precision, scores.recall, scores.f1) == expected


def test_without_labels_every_other_pair_is_wrong(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", "abcd", [("a", "b"), ("c", "b"), ("a", "d")])
    gold = write(tmp_path / "gold.csv", "id_a,id_b\nb,a\nb,c\nc,d\nd,b\n")
    scores = evaluate(out, gold)
    assert scores.kind == "pairs"
    assert scores.pairs == pair_scores(right=2, wrong=1, missed=2)
    assert scores.clusters is None
    assert scores.all is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gold.csv", "id_a,id_b,label\na,b,1\nb,c,0\nc,d,TRUE\na,c,false\n"),
        ("gold.tsv", "label\tid_b\tid_a\n1\tb\ta\n0\tc\tb\n1\td\tc\n0\tc\ta\n"),
        ("gold.csv", "\ufeffid_a;id_b;label;note\r\n\r\na;b;1;x\r\nb;c;0;\r\nc;d;1;y\r\na;c;0;\r\n"),
        (
            "gold.jsonl",
            '{"id_a": "a", "id_b": "b", "label": true}\n\n{"id_a": "b", "id_b": "c", "label": 0}\n'
            '{"id_a": "c", "id_b": "d", "label": 1}\n{"id_a": "a", "id_b": "c", "label": false}\n',
        ),
    ],
)
def test_with_labels_only_labelled_pairs_count(tmp_path: Path, name: str, text: str) -> None:
    out = write_result(tmp_path / "out", "abcd", [("a", "b"), ("b", "c"), ("a", "d")])
    scores = evaluate(out, write(tmp_path / name, text))
    assert scores.pairs == pair_scores(right=1, wrong=1, missed=1)
    assert scores.unlabelled_pairs == 1


def test_a_pair_listed_twice_counts_once(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", "ab", [("a", "b"), ("b", "a")])
    scores = evaluate(out, write(tmp_path / "gold.csv", "id_a,id_b\na,b\nb,a\na,b\n"))
    assert scores.pairs == pair_scores(1, 0, 0)
    assert scores.duplicates == 2


def test_several_files_are_one_gold(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", "abc", [("a", "b"), ("b", "c")])
    one = write(tmp_path / "one.csv", "id_a,id_b\na,b\n")
    two = write(tmp_path / "two.jsonl", '{"id_a": "b", "id_b": "c"}')
    assert evaluate(out, [one, two]).pairs == pair_scores(2, 0, 0)


# Clusters


def labels(*values: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def test_clusters_by_hand() -> None:
    # gold {1 2 3} {4 5} {6}, found {1 2} {3 4 5} {6}
    scores = cluster_scores(labels(0, 0, 0, 1, 1, 2), labels(0, 0, 1, 1, 1, 2))
    assert scores.b_cubed.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3 + 1) / 6)
    assert scores.b_cubed.recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1 + 1) / 6)
    assert scores.b_cubed_clustered.documents == 5
    assert scores.b_cubed_clustered.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    # pairs: 2 common, 4 in gold, 4 found, of 15
    assert scores.adjusted_rand == pytest.approx((2 - 16 / 15) / (4 - 16 / 15))
    assert (scores.exact_clusters, scores.gold_clusters, scores.found_clusters) == (0, 2, 2)


def test_the_same_clusters_are_all_found() -> None:
    scores = cluster_scores(labels(0, 0, 1, 1, 2), labels(8, 8, 3, 3, 4))
    assert (scores.adjusted_rand, scores.b_cubed.f1, scores.exact) == (1, 1, 1)


@pytest.mark.parametrize("partition", [[], [0], [0, 1, 2], [5, 5, 5]])
def test_clusters_without_choice_agree(partition: list[int]) -> None:
    scores = cluster_scores(labels(*partition), labels(*partition))
    assert (scores.adjusted_rand, scores.b_cubed.f1, scores.exact) == (1, 1, 1)


def slow_adjusted_rand(gold: Sequence[int], found: Sequence[int]) -> float:
    """Count all pairs of documents one by one."""
    pairs = list(combinations(range(len(gold)), 2))
    same_gold = {(i, j) for i, j in pairs if gold[i] == gold[j]}
    same_found = {(i, j) for i, j in pairs if found[i] == found[j]}
    expected = len(same_gold) * len(same_found) / len(pairs) if pairs else 0
    most = (len(same_gold) + len(same_found)) / 2
    return (len(same_gold & same_found) - expected) / (most - expected) if most != expected else 1.0


def slow_b_cubed(gold: Sequence[int], found: Sequence[int]) -> tuple[float, float]:
    """Look from each document at the members of its two clusters."""
    precision, recall = [], []
    for g, f in zip(gold, found, strict=True):
        own_gold = {i for i, other in enumerate(gold) if other == g}
        own_found = {i for i, other in enumerate(found) if other == f}
        precision.append(len(own_gold & own_found) / len(own_found))
        recall.append(len(own_gold & own_found) / len(own_gold))
    return sum(precision) / len(gold), sum(recall) / len(gold)


def slow_exact(gold: Sequence[int], found: Sequence[int]) -> int:
    """Compare the sets themselves."""

    def sets(values: Sequence[int]) -> set[frozenset[int]]:
        own = (frozenset(i for i, v in enumerate(values) if v == value) for value in set(values))
        return {members for members in own if len(members) > 1}

    return len(sets(gold) & sets(found))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=25))
def test_cluster_measures_are_what_brute_force_says(both: list[tuple[int, int]]) -> None:
    gold, found = [g for g, _ in both], [f for _, f in both]
    scores = cluster_scores(labels(*gold), labels(*found))
    precision, recall = slow_b_cubed(gold, found)
    assert scores.adjusted_rand == pytest.approx(slow_adjusted_rand(gold, found))
    assert scores.b_cubed.precision == pytest.approx(precision)
    assert scores.b_cubed.recall == pytest.approx(recall)
    assert scores.exact_clusters == slow_exact(gold, found)


CLUSTER_FILES = {
    "gold.csv": "id,cluster\na,1\nb,1\nc,1\nd,2\ne,2\n",
    "gold.tsv": "cluster\tid\n1\ta\n1\tb\n1\tc\n2\td\n2\te\n",
    "rows.jsonl": "".join(f'{{"id": "{id_}", "cluster": {1 + (id_ > "c")}}}\n' for id_ in "abcde"),
    "groups.jsonl": '{"cluster": 1, "ids": ["a", "b", "c"]}\n{"cluster": 2, "ids": ["d", "e"]}\n',
    "hashes.jsonl": '{"hash": "x", "ids": ["a", "b", "c"]}\n{"hash": "y", "ids": ["d", "e"]}\n',
    "bare.jsonl": '{"ids": ["a", "b", "c"]}\n{"ids": ["d", "e"]}\n',
}  # fmt: skip


@pytest.mark.parametrize("name", CLUSTER_FILES)
def test_clusters_of_every_format(tmp_path: Path, name: str) -> None:
    out = write_result(
        tmp_path / "out", "abcdef", [("a", "b"), ("d", "e"), ("e", "f")], ["ab", "dc", "ef"]
    )
    scores = evaluate(out, write(tmp_path / name, CLUSTER_FILES[name]))
    assert scores.kind == "clusters"
    # within gold's clusters are four pairs: ab ac bc de
    assert scores.pairs == pair_scores(right=2, wrong=1, missed=2)
    gold, found = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
    assert scores.clusters is not None
    assert scores.clusters.adjusted_rand == pytest.approx(slow_adjusted_rand(gold, found))
    assert scores.clusters.b_cubed.precision == pytest.approx(slow_b_cubed(gold, found)[0])
    assert scores.clusters.exact == 0


def test_documents_in_no_cluster_are_alone(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", "abcdef", [("a", "b")], ["ab"])
    gold = write(tmp_path / "gold.csv", "id,cluster\na,1\nb,1\nc,2\nd,3\nd,3\n")
    scores = evaluate(out, gold)
    assert scores.clusters is not None
    assert (scores.clusters.exact_clusters, scores.clusters.gold_clusters) == (1, 1)
    assert scores.clusters.adjusted_rand == 1
    assert scores.clusters.b_cubed.documents == 6
    assert scores.clusters.b_cubed_clustered.documents == 2
    assert scores.duplicates == 1


def test_the_same_name_in_two_files_is_two_clusters(tmp_path: Path) -> None:
    one = write(tmp_path / "one.csv", "id,cluster\na,1\nb,1\n")
    two = write(tmp_path / "two.csv", "id,cluster\nc,1\nd,1\n")
    gold = read_gold([one, two])
    assert isinstance(gold, ClusterGold)
    assert len(set(gold.clusters.values())) == 2


# Passages: PAN's measures


def test_a_case_that_is_found_whole() -> None:
    case = passage((0, 100), (500, 620))
    scores = passage_scores([case], [case])
    assert (scores.plagdet, scores.precision, scores.recall, scores.granularity) == (1, 1, 1, 1)
    assert (scores.micro_plagdet, scores.cases, scores.cases_found, scores.detections) == (1, 1, 1, 1)


def test_a_detection_must_overlap_in_both_documents() -> None:
    case = passage((0, 100), (0, 100))
    beside = [
        passage((100, 200), (0, 100)),
        passage((0, 100), (100, 200)),
        passage((0, 100), (0, 100), id_b="other"),
        passage((0, 100), (0, 100), id_a="other"),
    ]
    scores = passage_scores([case], beside)
    assert (scores.precision, scores.recall, scores.plagdet) == (0, 0, 0)
    assert (scores.granularity, scores.cases_found) == (1, 0)


def test_characters_of_both_documents_count() -> None:
    # of 100 + 100 characters 50 + 75 are found, and the detection has 100 + 75
    scores = passage_scores([passage((0, 100), (0, 100))], [passage((50, 150), (25, 100))])
    assert scores.recall == pytest.approx(125 / 200)
    assert scores.precision == pytest.approx(125 / 175)


def test_overlapping_detections_count_each_character_once() -> None:
    case = passage((0, 100), (0, 100))
    scores = passage_scores([case], [passage((50, 150), (50, 150)), passage((25, 100), (25, 100))])
    assert scores.recall == pytest.approx(0.75)
    assert scores.precision == pytest.approx((0.5 + 1) / 2)
    assert scores.granularity == 2
    assert scores.f1 == pytest.approx(0.75)
    assert scores.plagdet == pytest.approx(0.75 / log2(3))
    # common: 25 to 100 on either side; found in all: 25 to 150
    assert scores.micro_recall == pytest.approx(0.75)
    assert scores.micro_precision == pytest.approx(75 / 125)


def test_granularity_is_the_mean_over_cases_that_were_found() -> None:
    cases = [passage((0, 100), (0, 100)), passage((200, 300), (200, 300)), passage((400, 500), (0, 9))]
    pieces = [passage((at, at + 20), (at, at + 20)) for at in (0, 40, 80)]
    scores = passage_scores(cases, [*pieces, cases[1]])
    assert scores.granularity == 2
    assert (scores.cases_found, scores.cases) == (2, 3)
    assert scores.recall == pytest.approx((0.6 + 1 + 0) / 3)
    assert scores.precision == 1


def test_macro_averages_weigh_every_case_alike_and_micro_averages_every_character() -> None:
    cases = [passage((0, 1000), (0, 1000)), passage((2000, 2010), (2000, 2010))]
    scores = passage_scores(cases, cases[:1])
    assert scores.recall == 0.5
    assert scores.micro_recall == pytest.approx(2000 / 2020)


def test_one_detection_over_two_cases() -> None:
    cases = [passage((0, 40), (0, 40)), passage((60, 100), (60, 100))]
    scores = passage_scores(cases, [passage((0, 100), (0, 100))])
    assert (scores.recall, scores.granularity) == (1, 1)
    assert scores.precision == pytest.approx(0.8)


@pytest.mark.parametrize(("cases", "found", "expected"), [(0, 0, 1), (1, 0, 0), (0, 1, 0)])
def test_without_cases_or_detections_it_is_as_pan_has_it(cases: int, found: int, expected: int) -> None:
    one = passage((0, 10), (0, 10))
    scores = passage_scores([one] * cases, [one] * found)
    assert (scores.precision, scores.recall, scores.plagdet) == (expected, expected, expected)
    assert (scores.micro_precision, scores.micro_recall, scores.granularity) == (expected, expected, 1)


def test_what_is_listed_twice_counts_once() -> None:
    one, other = passage((0, 10), (0, 10)), passage((20, 30), (20, 30))
    assert passage_scores([one, one, other], [one, one]) == passage_scores([one, other], [one])


Characters = set[tuple[str, str, int]]


def slow_characters(one: Passage) -> Characters:
    """List the characters of a passage one by one."""
    side_a = {("a", one.id_a, at) for at in range(one.start_a, one.end_a)}
    return side_a | {("b", one.id_b, at) for at in range(one.start_b, one.end_b)}


def slow_common(one: Passage, other: Passage) -> Characters:
    """Return the common characters of two passages of one pair that overlap on both sides."""
    common = slow_characters(one) & slow_characters(other)
    same = one.pair == other.pair
    return common if same and {side for side, _, _ in common} == {"a", "b"} else set()


def slow_recall(cases: set[Passage], found: set[Passage]) -> float:
    """Return the macro-averaged recall; with both exchanged it is the precision."""
    if not cases or not found:
        return 0.0 if cases or found else 1.0
    shares = []
    for case in cases:
        covered = set().union(*(slow_common(case, other) for other in found))
        shares.append(len(covered) / len(slow_characters(case)))
    return sum(shares) / len(cases)


def slow_micro_recall(cases: set[Passage], found: set[Passage]) -> float:
    if not cases or not found:
        return 0.0 if cases or found else 1.0
    common = set().union(*(slow_common(case, other) for case in cases for other in found))
    return len(common) / len(set().union(*map(slow_characters, cases)))


def slow_granularity(cases: set[Passage], found: set[Passage]) -> float:
    counts = [sum(bool(slow_common(case, other)) for other in found) for case in cases]
    detected = [count for count in counts if count]
    return sum(detected) / len(detected) if detected else 1.0


spans = st.tuples(st.integers(0, 40), st.integers(1, 15)).map(lambda at: (at[0], at[0] + at[1]))
passages = st.builds(passage, spans, spans, st.sampled_from("ax"), st.sampled_from("ba"))


@given(st.lists(passages, max_size=8), st.lists(passages, max_size=8))
def test_passage_measures_are_what_sets_of_characters_say(
    cases: list[Passage], found: list[Passage]
) -> None:
    scores = passage_scores(cases, found)
    sets = set(cases), set(found)
    precision, recall = slow_recall(sets[1], sets[0]), slow_recall(*sets)
    granularity = slow_granularity(*sets)
    assert scores.recall == pytest.approx(recall)
    assert scores.precision == pytest.approx(precision)
    assert scores.granularity == pytest.approx(granularity)
    assert scores.micro_recall == pytest.approx(slow_micro_recall(*sets))
    assert scores.micro_precision == pytest.approx(slow_micro_recall(sets[1], sets[0]))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    assert scores.plagdet == pytest.approx(f1 / log2(1 + granularity))


def test_many_passages_take_little_time() -> None:
    random_ = random.Random(1)
    starts = [random_.randrange(5 * 10**6) for _ in range(10_000)]
    many = [passage((at, at + 300), (at, at + 300)) for at in starts]
    moved = [passage((at + 50, at + 350), (at, at + 300)) for at in starts]
    assert passage_scores(many, moved).recall > 0.9  # every one with every other would take minutes


# Passages: results and PAN's folders


def pan_result(folder: Path, found: Iterable[Passage]) -> Path:
    ids = [SUSPICIOUS, "susp/suspicious-document00002.txt", *SOURCES]
    return write_result(folder, ids, passages=found)


def test_pan_folders_are_scored_one_by_one_and_together(tmp_path: Path) -> None:
    susp, source = "suspicious-document00001.txt", "source-document00001.txt"
    gold = tmp_path / "gold"
    clean = "suspicious-document00002.txt"
    write_pan(
        gold / "01-none",
        {clean: []},
        [f"{clean} {source}", f"{clean} source-document00002.txt"],
    )
    write_pan(gold / "02-copied", {susp: [feature((0, 100), (50, 100), source)]}, [f"{susp} {source}"])
    other = "source-document00002.txt"
    shuffled = feature((200, 100), (0, 100), other, kind="artificial-plagiarism")
    write_pan(gold / "03-shuffled", {susp: [shuffled]}, [f"{susp} {other}"])
    (gold / "src").mkdir()
    found = [
        passage((0, 50), (50, 100), SUSPICIOUS, SOURCES[0]),
        passage((50, 100), (100, 150), SUSPICIOUS, SOURCES[0]),
        passage((7, 9), (7, 9), "susp/" + clean, SOURCES[0]),
        passage((7, 9), (7, 9), SUSPICIOUS, "susp/" + clean),  # a pair that no folder lists
    ]
    scores = evaluate(pan_result(tmp_path / "out", found), gold)
    by_name = {group.name: group for group in scores.groups}
    assert list(by_name) == ["01-none", "02-copied", "03-shuffled"]
    assert by_name["01-none"].scores.plagdet == 0
    assert by_name["01-none"].pairs_without_reuse == 2
    assert by_name["01-none"].pairs_without_reuse_found == 1
    copied = by_name["02-copied"].scores
    assert (copied.precision, copied.recall, copied.granularity) == (1, 1, 2)
    assert copied.plagdet == pytest.approx(1 / log2(3))
    assert by_name["03-shuffled"].scores.recall == 0
    assert scores.all is not None
    assert scores.all.scores.recall == 0.5
    assert scores.all.scores.precision == pytest.approx(2 / 3)
    assert (scores.all.pairs_without_reuse, scores.all.pairs_without_reuse_found) == (2, 1)
    assert (scores.unlisted_passages, scores.unknown) == (1, ())
    same = evaluate(tmp_path / "out", [gold / "01-none", gold / "02-copied", gold / "03-shuffled"])
    assert same == scores


def test_sides_do_not_matter(tmp_path: Path) -> None:
    susp, source = "suspicious-document00001.txt", "source-document00001.txt"
    gold = write_pan(
        tmp_path / "gold", {susp: [feature((0, 100), (50, 70), source)]}, [f"{susp} {source}"]
    )
    one = passage((0, 60), (50, 90), SUSPICIOUS, SOURCES[0])
    scores = evaluate(pan_result(tmp_path / "a", [one]), gold)
    turned = evaluate(pan_result(tmp_path / "b", [one.turned()]), gold)
    assert scores == turned
    assert scores.all is not None
    assert scores.all.scores.recall == pytest.approx(100 / 170)


def test_without_a_list_of_pairs_the_documents_of_the_xml_count(tmp_path: Path) -> None:
    susp, source = "suspicious-document00001.txt", "source-document00001.txt"
    intrinsic = '<feature name="plagiarism" this_offset="5" this_length="7"/>'
    about = '<feature name="about" authors="Nobody"/>'
    case = feature((0, 100), (0, 100), source)
    gold = write_pan(tmp_path / "gold", {susp: [about, case, intrinsic, case]})
    found = [
        passage((0, 100), (0, 100), SUSPICIOUS, SOURCES[0]),
        passage((0, 100), (0, 100), SUSPICIOUS, SOURCES[1]),
        passage((0, 100), (0, 100), "susp/suspicious-document00002.txt", SOURCES[0]),
    ]
    scores = evaluate(pan_result(tmp_path / "out", found), gold)
    assert scores.all is not None
    assert (scores.all.scores.precision, scores.all.scores.recall) == (0.5, 1)
    assert (scores.unlisted_passages, scores.cases_without_source, scores.duplicates) == (1, 1, 1)
    assert evaluate(tmp_path / "out", gold / f"{susp}.xml").all is not None


def test_cases_of_pairs_that_are_not_listed_are_left_out(tmp_path: Path) -> None:
    susp, source = "suspicious-document00001.txt", "source-document00001.txt"
    features = [feature((0, 100), (0, 100), source), feature((0, 9), (0, 9), "source-document00002.txt")]
    gold = write_pan(tmp_path / "gold", {susp: features}, [f"{susp} {source}"])
    found = [passage((0, 100), (0, 100), SUSPICIOUS, SOURCES[0])]
    scores = evaluate(pan_result(tmp_path / "out", found), gold)
    assert scores.all is not None
    assert (scores.all.scores.plagdet, scores.unlisted_cases) == (1, 1)


def test_a_folder_may_have_nothing_but_its_list(tmp_path: Path) -> None:
    pairs = ["suspicious-document00001.txt source-document00001.txt"]
    gold = write_pan(tmp_path / "gold", {}, pairs)
    scores = evaluate(pan_result(tmp_path / "out", []), gold)
    assert scores.all is not None
    assert (scores.all.scores.plagdet, scores.all.pairs_without_reuse) == (1, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gold.csv", f"{PASSAGE_COLUMNS}\na,0,100,b,50,150\na,0,100,b,50,150\n"),
        ("gold.jsonl", json.dumps(passage((0, 100), (50, 150))._asdict())),
    ],
)
def test_passages_of_tables(tmp_path: Path, name: str, text: str) -> None:
    found = [passage((0, 50), (50, 100)), passage((0, 9), (0, 9), "c", "d")]
    out = write_result(tmp_path / "out", "abcd", passages=found)
    scores = evaluate(out, write(tmp_path / name, text))
    assert scores.all is not None
    assert (scores.all.scores.recall, scores.all.scores.precision) == (0.5, 0.5)
    assert scores.groups[0].name == name


def test_gold_may_be_made_in_python(tmp_path: Path) -> None:
    case = passage((0, 100), (0, 100))
    out = write_result(tmp_path / "out", "ab", [("a", "b")], passages=[case])
    gold = PassageGold(where="here", groups=(CaseGroup(name="mine", cases=(case,)),))
    result = evaluate(neardup.Result(out), gold)
    assert result.as_dict()["passages"]["groups"][0]["plagdet"] == 1
    pairs = PairGold(where="here", right=frozenset({("b", "a")}))
    assert evaluate(str(out), pairs).as_dict()["pairs"]["f1"] == 1


# Names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("susp/one.txt", "susp/one.txt"),
        ("two.txt", "src/two.txt"),
        ("two", "src/two.txt"),
        ("corpus/src/two.txt", "src/two.txt"),
        ("elsewhere/two.txt", None),
        ("three.txt", "three"),
        ("one.txt", None),  # two of them
        ("one", None),
        ("v1", None),  # 1.5 is a version, not a suffix
        ("four.txt.gz", None),
    ],
)
def test_names_of_gold_are_matched_kindly(name: str, expected: str | None) -> None:
    names = Names(["susp/one.txt", "src/one.txt", "src/two.txt", "three", "v1.5"])
    assert names.find(name) == expected


def test_documents_that_the_result_does_not_have_are_missed_and_counted(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", "abc", [("a", "b")], ["ab"])
    pairs = evaluate(out, write(tmp_path / "pairs.csv", "id_a,id_b\na,b\na,zz\nzz,yy\n"))
    assert pairs.pairs == pair_scores(1, 0, 2)
    assert (pairs.unknown, pairs.gold_documents) == (("yy", "zz"), 4)
    clusters = evaluate(out, write(tmp_path / "clusters.csv", "id,cluster\na,1\nb,1\nzz,1\n"))
    assert clusters.clusters is not None
    assert clusters.clusters.b_cubed.documents == 4
    assert clusters.clusters.exact == 0
    case = write(tmp_path / "passages.csv", f"{PASSAGE_COLUMNS}\na,0,9,b,0,9\na,0,9,zz,0,9\n")
    write_result(out, "abc", passages=[passage((0, 9), (0, 9))])
    passages_ = evaluate(out, case)
    assert passages_.all is not None
    assert passages_.all.scores.recall == 0.5


# Bad gold

BAD_FILES = {
    "empty file": ("gold.csv", "", "holds no labels"),
    "only a header": ("gold.csv", "id_a,id_b\n", "holds no labels"),
    "unknown columns": ("gold.csv", "one,two\na,b\n", "no column of labels among: one, two"),
    "a column missing": ("gold.csv", "id_a,label\na,1\n", "line 1: gold for pairs lacks the column"),
    "cluster missing": ("gold.csv", "id\na\n", "lacks the column cluster"),
    "ends missing": ("gold.csv", "id_a,start_a,id_b\na,1,b\n", "lacks the column end_a, start_b, end_b"),
    "short row": ("gold.csv", "id_a,id_b\na,b\nc\n", "line 3: this row has 1 values, the first line 2"),
    "empty id": ("gold.csv", "id_a,id_b\na, \n", "line 2: 'id_b' must be a name"),
    "itself": ("gold.csv", "id_a,id_b\na,a\n", "line 2: 'a' is paired with itself"),
    "bad label": ("gold.csv", "id_a,id_b,label\na,b,maybe\n", "line 2: 'label' must be 0, 1"),
    "labels contradict": ("g.csv", "id_a,id_b,label\na,b,1\nb,a,0\n", "line 3: 'b' and 'a' are"),
    "two clusters": ("gold.csv", "id,cluster\na,1\na,2\n", "line 3: 'a' is in another cluster, too"),
    "no whole number": ("g.csv", f"{PASSAGE_COLUMNS}\na,x,9,b,0,9\n", "line 2: 'start_a' must be a"),
    "fraction": ("gold.csv", f"{PASSAGE_COLUMNS}\na,0,9,b,0,9.5\n", "'end_b' must be a whole number"),
    "negative": ("gold.csv", f"{PASSAGE_COLUMNS}\na,0,9,b,-1,9\n", "'start_b' must not be negative"),
    "empty passage": ("gold.csv", f"{PASSAGE_COLUMNS}\na,9,9,b,0,9\n", "from 9 to 9 is empty"),
    "bad JSON": ("gold.jsonl", '{"id_a": "a", "id_b": "b"}\n{"id_a"\n', "line 2: this is not JSON"),
    "no object": ("gold.jsonl", '{"id_a": "a", "id_b": "b"}\n[1]\n', "line 2: this line is not an"),
    "missing key": ("gold.jsonl", '{"id_a": "a", "id_b": "b"}\n{"id_a": "a"}\n', "no value for 'id_b'"),
    "ids no list": ("gold.jsonl", '{"ids": "ab"}\n', "'ids' is not a list"),
    "not text": ("gold.csv", "\udcff", "this is not UTF-8"),
    "unknown documents": ("gold.csv", "id_a,id_b\nx,y\n", "none of the 2 documents"),
    "bad XML": ("gold.xml", '<document reference="a">', "not well-formed XML"),
    "other XML": ("gold.xml", "<html/>", "this XML names no document"),
    "bad offset": ("gold.xml", feature((0, 9), (0, 9), "b").replace('"0"', '"zero"'), "whole number"),
    "negative length": ("gold.xml", feature((0, -9), (0, 9), "b"), "'this_length' must not be negative"),
    "no length": ("gold.xml", feature((0, 9), (0, 0), "b"), "'source_length' must not be 0"),
    "no source": ("gold.xml", feature((0, 9), (0, 9), ""), "'source_reference' must be a name"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_gold_says_what_and_where(tmp_path: Path, case: str) -> None:
    name, text, message = BAD_FILES[case]
    if text.startswith("<feature"):
        text = f'<document reference="a">{text}</document>'
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    out = write_result(tmp_path / "out", "abc", passages=[])
    with pytest.raises(InputError) as caught:
        evaluate(out, path)
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_names_of_both_sides_are_shown_if_none_match(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", ["first", "second"])
    gold = write(tmp_path / "gold.csv", "id_a,id_b\neins,zwei\n")
    with pytest.raises(InputError, match="Gold has 'eins', 'zwei'; the result has 'first', 'second'"):
        evaluate(out, gold)


def test_gold_that_is_not_there(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", "ab")
    with pytest.raises(InputError, match="no such file"):
        evaluate(out, tmp_path / "gold.csv")
    with pytest.raises(InputError, match="this folder holds no gold"):
        evaluate(out, out)
    with pytest.raises(InputError, match="there is no gold"):
        evaluate(out, [])


def test_gold_of_several_kinds_is_refused(tmp_path: Path) -> None:
    pairs = write(tmp_path / "pairs.csv", "id_a,id_b\na,b\n")
    clusters = write(tmp_path / "clusters.csv", "id,cluster\na,1\n")
    with pytest.raises(InputError, match="gold of several kinds: clusters, pairs"):
        read_gold([pairs, clusters])


def test_folders_of_one_name_are_refused(tmp_path: Path) -> None:
    folders = [write_pan(tmp_path / part / "02", {"a": []}, ["a b"]) for part in ("x", "y")]
    with pytest.raises(InputError, match="two parts of the gold have this name"):
        read_gold(folders)


def test_a_list_of_pairs_has_two_names_a_line(tmp_path: Path) -> None:
    folder = write_pan(tmp_path / "gold", {}, ["a b", "", "a b c"])
    with pytest.raises(InputError, match=r"pairs, line 3: .* two documents"):
        read_gold(folder)


def test_passages_need_a_result_that_has_some(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", "ab")
    gold = write(tmp_path / "gold.csv", f"{PASSAGE_COLUMNS}\na,0,9,b,0,9\n")
    with pytest.raises(InputError, match=r"about passages, and this result has none\n.*documents"):
        evaluate(out, gold)


def test_a_document_by_two_names_in_two_clusters_is_refused(tmp_path: Path) -> None:
    out = write_result(tmp_path / "out", ["src/a.txt", "src/b.txt"])
    gold = write(tmp_path / "gold.csv", "id,cluster\na,1\na.txt,2\nb,2\n")
    with pytest.raises(InputError, match="in several ways, in different clusters"):
        evaluate(out, gold)


# The command

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `neardup evaluate` in this process."""

    def run(*arguments: object) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["neardup", "evaluate", *map(str, arguments)])
            patch.setattr(sys, "meta_path", list(sys.meta_path))
            code: Any = 0
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        printed = capsys.readouterr()
        return code, " ".join(printed.out.split()), printed.err

    return run


def test_a_real_run_is_evaluated(tmp_path: Path, run: Run) -> None:
    text = "The ferry to the island leaves at nine in the morning from the old pier"
    texts = {
        "one": text,
        "two": f"{text}.",
        "three": "Something else entirely, with enough words in it.",
    }
    records = [{"id": name, "text": value} for name, value in texts.items()]
    neardup.documents(records, output=tmp_path / "out")
    gold = write(tmp_path / "gold.csv", "id,cluster\none,1\ntwo,1\nthree,2\n")
    code, printed, _ = run(tmp_path / "out", "--gold", gold)
    assert code == 0
    assert "pairs 1.0000 1.0000 1.0000" in printed
    assert "adjusted Rand index 1.0000" in printed
    assert "1 of 1 clusters found exactly (1.0000); 1 found in all" in printed


def test_the_command_prints_groups_and_what_is_left_out(tmp_path: Path, run: Run) -> None:
    susp, source = "suspicious-document00001.txt", "source-document00001.txt"
    gold = tmp_path / "gold"
    long = "a folder with a long name [1]"
    write_pan(gold / long, {susp: [feature((0, 100), (0, 100), source)]}, [f"{susp} {source}"])
    write_pan(gold / "two", {}, [f"{susp} source-document00002.txt", f"{susp} nowhere.txt"])
    found = [
        passage((0, 100), (0, 100), SUSPICIOUS, SOURCES[0]),
        passage((0, 9), (0, 9), SUSPICIOUS, SOURCES[1]),
        passage((0, 9), (0, 9), *SOURCES),
    ]
    out = pan_result(tmp_path / "out", found)
    code, printed, _ = run(out, "--gold", gold)
    assert code == 0
    assert f"{long} 1.0000 1.0000 1.0000 1.0000 1 1 1 two 0.0000" in printed
    assert "all 0.6667 0.5000 1.0000 1.0000 1 1 2" in printed
    assert "pairs without reuse in which passages were found: 1 of 2" in printed
    assert "1 passage found in pairs that the gold does not list: ignored" in printed
    assert "1 of 4 documents of the gold are not in the result, such as nowhere.txt" in printed


def test_json_has_every_number_in_full(tmp_path: Path, run: Run) -> None:
    out = write_result(tmp_path / "out", "abcd", [("a", "b"), ("a", "c"), ("a", "d")])
    gold = write(tmp_path / "gold.csv", "id_a,id_b\na,b\n")
    code, printed, _ = run(out, "--gold", gold, "--json")
    scores = json.loads(printed)
    assert code == 0
    assert scores == evaluate(out, gold).as_dict()
    assert scores["pairs"]["precision"] == 1 / 3


def test_an_error_ends_with_1_and_a_hint(tmp_path: Path, run: Run) -> None:
    out = write_result(tmp_path / "out", "ab")
    code, printed, said = run(out, "--gold", tmp_path / "nothing.csv")
    assert (code, printed) == (1, "")
    assert "no such file" in said
    assert "Traceback" not in said
