"""Results are scored against gold: pairs, clusters, and passages of PAN's folders."""

from math import log2
from pathlib import Path

import pytest
from tests.evaluation.written import (
    PASSAGE_COLUMNS,
    SOURCES,
    SUSPICIOUS,
    feature,
    pan_result,
    passage,
    write,
    write_pan,
    write_result,
)

from neardup.evaluation import (
    ClusterGold,
    evaluate,
    pair_scores,
    read_gold,
)
from neardup.evaluation.evaluate import Names


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
