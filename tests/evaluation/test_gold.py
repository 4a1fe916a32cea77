"""Gold of every format: how it is read, and what is told of bad gold."""

import json
from pathlib import Path

import pytest
from tests.evaluation.written import PASSAGE_COLUMNS, feature, passage, write, write_pan, write_result
from tests.twins.measures import slow_adjusted_rand, slow_b_cubed

import neardup
from neardup.errors import InputError
from neardup.evaluation import (
    CaseGroup,
    PairGold,
    PassageGold,
    evaluate,
    pair_scores,
    read_gold,
)
from neardup.evaluation.labelled import read_labels

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
    "other XML": ("gold.xml", "<html/>", "this XML does not name a document"),
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


def test_links_of_stack_exchange_label_duplicates(tmp_path: Path) -> None:
    rows = [("4", "1", "3"), ("1", "20", "1"), ("2", "2", "3"), ("1", "4", "3"), ("", "5", "3")]
    lines = [
        f'<row Id="9" PostId="{a}" RelatedPostId="{b}" LinkTypeId="{kind}" />' for a, b, kind in rows
    ]
    path = tmp_path / "PostLinks.xml"
    text = "\n".join(
        ['\ufeff<?xml version="1.0"?>', "<postlinks>", *lines, "<row broken", "</postlinks>"]
    )
    path.write_text(text)
    gold = read_gold(path)
    assert isinstance(gold, PairGold)
    assert gold.right == {("1", "4")}
    assert gold.wrong is None
    assert read_labels([path], {"1", "4"}).right == {("1", "4")}
    path.write_text("<postlinks>\n</postlinks>")
    with pytest.raises(InputError, match="holds no labels"):
        read_gold(path)
