"""passages: what documents share is found, located to the character, and told apart by kind."""

import itertools
import json
import random
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from neardup.cli import main
from neardup.engines.local import engine as local
from neardup.errors import InputError, SettingsError
from neardup.readers import jsonl
from neardup.text import tokenise

SYLLABLES = ["ba", "den", "ki", "lor", "mu", "nas", "pe", "ril", "sto", "tam", "vu", "wex", "zo"]
VOCABULARY = ["".join(parts) for parts in itertools.product(SYLLABLES, repeat=3)]
Row = dict[str, Any]
Command = Callable[..., tuple[int, str]]


def prose(words: int, seed: int, vocabulary: Sequence[str] = VOCABULARY) -> str:
    """Return a text of sentences of some ten words."""
    rng = random.Random(seed)
    chosen = rng.choices(vocabulary, k=words)
    cuts = [at for at in range(words) if at % 10 == 0]
    return " ".join(" ".join(chosen[at : at + 10]).capitalize() + "." for at in cuts)


def replaced(text: str, every: int) -> str:
    """Return a text in which one word in every few is another one."""
    words = text.split(" ")
    return " ".join(f"Other{at}" if at % every == every - 1 else word for at, word in enumerate(words))


def run(texts: Any, **chosen: Any) -> neardup.Result:
    given: dict[str, Any] = {"workers": 1, "memory": "64MB"}
    return neardup.passages(texts, **(given | chosen))


def named(**texts: str) -> list[dict[str, str]]:
    return [{"id": name, "text": text} for name, text in texts.items()]


def rows(result: neardup.Result) -> list[Row]:
    found: list[Row] = result.table("passages").to_pylist()
    return found


def quoted(row: Row, a: str, b: str) -> tuple[str, str]:
    return a[row["start_a"] : row["end_a"]], b[row["start_b"] : row["end_b"]]


def pair_ids(result: neardup.Result) -> set[tuple[str, str]]:
    return {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a result that may not differ between runs."""
    paths = [path for path in folder.iterdir() if path.suffix == ".parquet" or path.name == "run.json"]
    return {path.name: path.read_bytes() for path in sorted(paths)}


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process; gives the exit code and all that it printed."""
    return runner(monkeypatch, capsys)


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command line in this process."""

    def call(*arguments: object) -> tuple[int, str]:
        code: Any = 0
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["neardup", *map(str, arguments)])
            patch.setattr(sys, "meta_path", list(sys.meta_path))
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        printed = capsys.readouterr()
        assert "Traceback" not in printed.out + printed.err
        return code, " ".join((printed.out + printed.err).split())

    return call


# What is found, and where


def test_a_verbatim_passage_is_found_to_the_character() -> None:
    passage = prose(60, seed=1)
    a = f"{prose(100, seed=2)} {passage} {prose(80, seed=3)}"
    b = f"{prose(10, seed=4)}\n\n{passage}\n\n{prose(200, seed=5)}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, passage)
    assert (row["similarity"], row["kind"], row["sentences"], row["words"]) == (1, "identical", 6, 60)


def test_case_and_punctuation_make_no_difference() -> None:
    passage = prose(60, seed=1)
    other = f"“{passage.upper().replace('. ', ' – ').removesuffix('.')}!”"
    a, b = f"{prose(50, seed=2)} {passage} {prose(50, seed=3)}", f"{prose(40, seed=4)} {other}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, other[1:])
    assert row["similarity"] == 1


def test_blocks_that_were_moved_are_two_passages() -> None:
    first, second = prose(60, seed=1), prose(60, seed=2)
    a, b = f"{first} {prose(40, seed=3)} {second}", f"{second} {prose(50, seed=4)} {first}"
    found = rows(run([a, b]))
    assert [quoted(row, a, b) for row in found] == [(first, first), (second, second)]


def test_blocks_that_changed_places_are_two_passages() -> None:
    first, second = prose(60, seed=1), prose(60, seed=2)
    a, b = f"{first} {second}", f"{second} {first}"
    found = rows(run([a, b]))
    assert [quoted(row, a, b) for row in found] == [(first, first), (second, second)]


def test_an_edited_passage_is_one() -> None:
    passage = prose(120, seed=1)
    other = replaced(passage, 9)
    a, b = f"{prose(50, seed=2)} {passage} {prose(50, seed=3)}", f"{prose(70, seed=4)} {other}"
    [row] = rows(run([a, b]))
    assert 0.8 < row["similarity"] < 1
    assert row["kind"] == "edited"
    assert row["end_a"] - row["start_a"] > 0.9 * len(passage)
    assert row["start_a"] >= a.index(passage)


@pytest.mark.parametrize("signature", ["auto", "imatch"])
def test_repeats_inside_a_document_are_found_beside_sources(signature: str) -> None:
    own, other = prose(60, seed=1), prose(60, seed=2)
    twice = f"{own} {prose(50, seed=3)} {own}"
    found = rows(run([twice], against=[other], within=True, signature=signature))
    assert [quoted(row, twice, twice) for row in found] == [(own, own)]


def test_of_listed_pairs_only_their_documents_are_compared_with_themselves() -> None:
    own = prose(60, seed=1)
    texts = [
        {"id": name, "text": f"{own} {prose(50, seed=seed)} {own}"} for seed, name in enumerate("abc")
    ]
    assert pair_ids(run(texts, pairs=[("a", "b")], within=True)) == {("a", "a"), ("a", "b"), ("b", "b")}


def test_a_result_tells_the_settings_that_were_left_open() -> None:
    settings = run([prose(30, seed=1), prose(30, seed=2)]).run["settings"]
    assert (settings["signature"], settings["soft"]) == ("winnowing:3,1", True)
    assert (settings["min_sentences"], settings["max_gap"]) == (1, 4)
    settings = run([prose(30, seed=1)], signature="imatch").run["settings"]
    assert (settings["min_sentences"], settings["max_gap"]) == (3, 1)


def test_the_same_words_in_another_order_are_not_identical() -> None:
    first, second, third = prose(60, seed=1), "Late ships wait here.", "Here wait late ships."
    a, b = f"{first} {second} {prose(60, seed=2)}", f"{first} {third} {prose(60, seed=2)}"
    [row] = rows(run([a, b]))
    assert (row["similarity"], row["kind"]) == (1, "edited")


def test_a_passage_with_a_sentence_put_in_is_one() -> None:
    first, second = prose(60, seed=1), prose(60, seed=2)
    a, b = f"{first} {second}", f"{first} {prose(10, seed=3)} {second}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (a, b)
    assert row["similarity"] == pytest.approx(240 / 250)


def test_a_rewritten_passage_is_found_by_soft_evidence_only() -> None:
    passage = prose(200, seed=1)
    other = replaced(passage, 4)
    a, b = f"{prose(100, seed=2)} {passage} {prose(100, seed=3)}", f"{prose(90, seed=4)} {other}"
    [row] = rows(run([a, b]))
    assert row["kind"] == "rewritten"
    assert row["end_a"] - row["start_a"] > 0.8 * len(passage)
    assert rows(run([a, b], soft=False)) == []


def test_texts_with_nothing_in_common_have_no_passages() -> None:
    result = run([prose(300, seed=seed) for seed in range(6)])
    assert (rows(result), result.pairs.num_rows, result.counts["passages"]) == ([], 0, 0)


def test_short_passages_are_left_out_and_min_length_says_how_short() -> None:
    passage = prose(30, seed=1)
    a, b = f"{prose(50, seed=2)} {passage}", f"{passage} {prose(50, seed=3)}"
    assert len(rows(run([a, b], min_length=len(passage)))) == 1
    assert rows(run([a, b], min_length=len(passage) + 1)) == []


def test_min_sentences_leaves_out_passages_of_fewer() -> None:
    passage = prose(50, seed=1)
    a, b = f"{prose(50, seed=2)} {passage}", f"{passage} {prose(50, seed=3)}"
    assert len(rows(run([a, b], min_sentences=5))) == 1
    assert rows(run([a, b], min_sentences=6)) == []


def letters(first: int, last: int) -> list[str]:
    """Return words of the letters of a range, and of the marks that follow them."""
    rng = random.Random(first)
    known = [chr(c) for c in range(first, last) if unicodedata.category(chr(c))[0] == "L"]
    marks = [chr(c) for c in range(first, last) if unicodedata.category(chr(c))[0] == "M"]
    word = [
        rng.choice(known) + (rng.choice(marks) if marks and rng.random() < 0.3 else "")
        for _ in range(9000)
    ]
    return ["".join(word[at : at + 3]) for at in range(0, len(word), 3)]


SCRIPTS = {
    "arabic": letters(0x620, 0x653),
    "hebrew": letters(0x591, 0x5EB),
    "hindi": letters(0x901, 0x94E),
    "thai": letters(0xE01, 0xE3A),
    "chinese": [chr(c) for c in range(0x4E00, 0x6000)],
    "astral": letters(0x1D400, 0x1D6A4),
    "gothic": letters(0x10330, 0x1034A),
    "rare-chinese": [chr(c) for c in range(0x20000, 0x21000)],
    "decomposed": [unicodedata.normalize("NFD", word) for word in letters(0x1EA0, 0x1EFA)],
    "emoji": [f"{word}🦊👩\u200d🚀" for word in VOCABULARY],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_places_are_right_in_every_script(script: str) -> None:
    words = SCRIPTS[script]
    passage = prose(150, seed=1, vocabulary=words).removesuffix(".")
    while unicodedata.category(passage[-1])[0] not in "LM":
        passage = passage[:-1]  # what stands behind the last word is no part of it
    before, behind, other = (prose(60, seed=seed, vocabulary=words) for seed in (2, 3, 4))
    a, b = f"🦊 e\u0301 {before} {passage}\n\n{behind}", f"{other} {passage}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, passage)
    assert row["similarity"] == 1


def test_composed_and_decomposed_characters_are_the_same() -> None:
    words = [unicodedata.normalize("NFC", word) for word in letters(0x1EA0, 0x1EFA)]
    a = prose(80, seed=1, vocabulary=words)
    b = f"{prose(30, seed=2)} {unicodedata.normalize('NFD', a)}"
    [row] = rows(run([a, b]))
    assert unicodedata.normalize("NFC", quoted(row, a, b)[1]) == quoted(row, a, b)[0] == a


def test_texts_without_any_sentence_mark_are_compared() -> None:
    passage = prose(80, seed=1).replace(".", "")
    a, b = (f"{prose(60, seed=seed).replace('.', '')} {passage}" for seed in (2, 3))
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, passage)
    assert row["sentences"] == 1


def test_sentences_of_a_language_are_counted_by_its_rules() -> None:
    passage = f"{prose(40, seed=1).removesuffix('.')} with Dr. Smith. {prose(20, seed=2)}"
    a, b = f"{passage} {prose(50, seed=3)}", f"{prose(50, seed=4)} {passage}"
    assert [row["sentences"] for row in rows(run([a, b], language="en"))] == [6]
    assert [quoted(row, a, b) for row in rows(run([a, b], language="en"))] == [(passage, passage)]


BETWEEN = [" ", "\n\n", " – ", "’\u0301 "]
PARTS = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from([1, 1, 1, 4, 9]), st.sampled_from(BETWEEN)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=15)
@given(st.lists(PARTS, min_size=2, max_size=6))
def test_what_a_passage_says_of_itself_is_true(drawn: list[list[tuple[int, int, str]]]) -> None:
    def block(number: int, every: int, behind: str) -> str:
        text = prose(40, seed=number)
        return (text if every == 1 else replaced(text, every)) + behind

    texts = ["".join(block(*part) for part in parts) for parts in drawn]
    result = run(texts, within=True)
    found = rows(result)
    order = [(row["doc_a"], row["doc_b"], row["start_a"], row["start_b"]) for row in found]
    assert order == sorted(order)
    for row in found:
        a, b = texts[row["doc_a"]], texts[row["doc_b"]]
        assert 0 <= row["start_a"] < row["end_a"] <= len(a)
        assert 0 <= row["start_b"] < row["end_b"] <= len(b)
        left, right = (tokenise(text).hashes.tolist() for text in quoted(row, a, b))
        assert row["words"] == (Counter(left) & Counter(right)).total()
        assert row["similarity"] == 2 * row["words"] / (len(left) + len(right))
        assert min(row["end_a"] - row["start_a"], row["end_b"] - row["start_b"]) >= 150
        if row["doc_a"] == row["doc_b"]:
            assert row["end_a"] <= row["start_b"]
    for pair in result.pairs.to_pylist():
        own = [r for r in found if (r["doc_a"], r["doc_b"]) == (pair["doc_a"], pair["doc_b"])]
        assert len(own) == pair["passages"]
        for side in "ab":
            covered = {at for r in own for at in range(r[f"start_{side}"], r[f"end_{side}"])}
            length = len(texts[pair[f"doc_{side}"]])
            assert pair[f"containment_{side}"] == pytest.approx(len(covered) / length)


# What is compared


def test_against_pairs_no_two_documents_of_one_side() -> None:
    passage = prose(60, seed=1)
    texts = [f"{prose(50, seed=seed)} {passage}" for seed in range(10, 16)]
    inputs = named(z=texts[0], y=texts[1], x=texts[2])
    sources = named(c=texts[3], b=texts[4], a=texts[5])
    result = run(inputs, against=sources)
    assert pair_ids(result) == set(itertools.product("zyx", "cba"))


def test_files_against_files_are_compared_whatever_their_names(tmp_path: Path) -> None:
    passage = prose(60, seed=1)
    for name, seed in {"z/s1.txt": 2, "z/s2.txt": 3, "a/t1.txt": 4, "a/t2.txt": 5}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{prose(50, seed)} {passage}")
    result = run(tmp_path / "z", against=tmp_path / "a")
    found = {(Path(a).name, Path(b).name) for a, b in pair_ids(result)}
    assert found == {
        ("s1.txt", "t1.txt"),
        ("s1.txt", "t2.txt"),
        ("s2.txt", "t1.txt"),
        ("s2.txt", "t2.txt"),
    }
    for row in rows(result):
        texts = [(tmp_path / name / Path(row[f"id_{s}"]).name).read_text() for name, s in ("za", "ab")]
        assert quoted(row, *texts) == (passage, passage)


def test_against_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="there is nothing to compare with"):
        run([prose(50, seed=1)], against=[])


def test_files_are_not_compared_with_memory(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(prose(50, seed=1))
    with pytest.raises(InputError, match="both inputs as files"):
        run(tmp_path / "a.txt", against=[prose(50, seed=2)])


def sharing(*names: str) -> list[dict[str, str]]:
    passage = prose(60, seed=1)
    return named(**{name: f"{prose(50, seed=ord(name[0]))} {passage}" for name in names})


def test_only_listed_pairs_are_compared() -> None:
    result = run(sharing("a", "b", "c", "d"), pairs=[("c", "a"), ("b", "d"), ("d", "b")])
    assert pair_ids(result) == {("a", "c"), ("b", "d")}
    assert (result.counts["listed pairs"], result.counts["listed pairs not found"]) == (3, 0)


def test_a_listed_pair_is_compared_even_if_it_shares_little() -> None:
    passage = prose(30, seed=1)
    texts = named(a=f"{passage} {prose(50, seed=2)}", b=passage, **{f"n{i}": passage for i in range(9)})
    assert pair_ids(run(texts, pairs=[("a", "b")], max_documents=2)) == {("a", "b")}


def test_listed_names_may_be_those_of_files(tmp_path: Path) -> None:
    passage = prose(60, seed=1)
    for number, name in enumerate(["one/x.txt", "one/y.txt", "two/y.txt", "two/z.txt"]):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{prose(50, seed=number + 5)} {passage}")
    listed = [("x.txt", "z.txt"), ("x.txt", "y.txt"), ("x.txt", "none.txt")]
    (tmp_path / "pairs").write_text("".join(f"{a} {b}\n" for a, b in listed))
    result = run([tmp_path / "one", tmp_path / "two"], pairs=tmp_path / "pairs")
    assert {(Path(a).name, Path(b).name) for a, b in pair_ids(result)} == {("x.txt", "z.txt")}
    assert result.counts["listed pairs not found"] == 2  # y.txt may be either


def test_unknown_names_are_counted() -> None:
    result = run(sharing("a", "b"), pairs=[("a", "b"), ("a", "x"), ("y", "z")])
    assert pair_ids(result) == {("a", "b")}
    assert (result.counts["listed pairs"], result.counts["listed pairs not found"]) == (3, 2)


def test_a_list_of_unknown_names_only_is_an_error() -> None:
    with pytest.raises(InputError):
        run(sharing("a", "b"), pairs=[("x", "y"), ("y", "z")])


def test_an_id_goes_before_the_name_of_a_file() -> None:
    texts = sharing("a", "b", "c")
    texts[2]["id"] = "folder/a"
    assert pair_ids(run(texts, pairs=[("a", "b")])) == {("a", "b")}


def test_listed_pairs_that_cannot_be_compared_are_counted() -> None:
    result = run(
        sharing("a", "b"), against=sharing("c", "d"), pairs=[("a", "b"), ("c", "c"), ("a", "c")]
    )
    assert pair_ids(result) == {("a", "c")}
    assert sum(result.counts[name] for name in result.counts if name.startswith("listed pairs ")) == 2


@pytest.mark.parametrize("others", [0, 1])
def test_within_finds_what_is_repeated_inside_a_document(others: int) -> None:
    passage = prose(60, seed=1)
    a = f"{prose(50, seed=2)} {passage} {prose(50, seed=3)} {passage} {prose(20, seed=4)}"
    result = run([a, *[passage] * others], within=True)
    [row] = [row for row in rows(result) if row["doc_a"] == row["doc_b"]]
    assert quoted(row, a, a) == (passage, passage)
    assert row["end_a"] < row["start_b"]
    assert all(row["doc_a"] != row["doc_b"] for row in rows(run([a, passage])))


# What is made of it


@pytest.mark.parametrize("signature", ["auto", "imatch", "shingles:3"])
def test_boilerplate_is_left_out_and_shown_once(signature: str) -> None:
    notice, passage = prose(60, seed=1), prose(60, seed=2)
    texts = [f"{prose(60, seed=seed)} {notice} {prose(30, seed=-seed)}" for seed in range(10, 18)]
    texts[3] = f"{passage} {texts[3]}"
    texts[6] = f"{texts[6]} {passage}"
    result = run(texts, max_documents=5, signature=signature)
    [row] = rows(result)
    assert quoted(row, texts[3], texts[6]) == (passage, passage)
    assert result.pairs.num_rows == 1
    [shown] = result.table("boilerplate").to_pylist()
    assert (shown["id"], shown["documents"]) == ("memory#1", 8)
    assert texts[0][shown["start"] : shown["end"]] == notice
    assert result.counts["passages of boilerplate"] == 1
    assert len(rows(run(texts, max_documents=8, signature=signature))) == 8 * 7 // 2 + 1


def kinds() -> neardup.Result:
    """Compare texts that are related in each of the five ways."""
    pages = [prose(100, seed=seed) for seed in (1, 2, 3)]
    items = [prose(60, seed=seed) for seed in (4, 5)]
    small, quote, twin = prose(80, seed=6), prose(60, seed=7), prose(150, seed=8)
    texts = {
        "twin": twin,
        "other-twin": replaced(twin, 40),
        "page-1": pages[0],
        "page-2": pages[1],
        "page-3": pages[2],
        "print": "\n\n".join(pages),
        "item-1": items[0],
        "item-2": items[1],
        "reader": f"{prose(100, seed=9)} {items[0]} {prose(200, seed=10)} {items[1]}",
        "small": small,
        "large": f"{prose(200, seed=12)} {small}",
        "quoting": f"{prose(150, seed=13)} {quote}",
        "quoted": f"{quote} {prose(250, seed=14)}",
    }
    return run(named(**texts))


def test_pairs_are_told_apart_by_kind() -> None:
    result = kinds()
    found = {(row["id_a"], row["id_b"]): row["kind"] for row in result.pairs.to_pylist()}
    assert found == {
        ("twin", "other-twin"): "near-duplicate",
        ("page-1", "print"): "multiple pages",
        ("page-2", "print"): "multiple pages",
        ("page-3", "print"): "multiple pages",
        ("item-1", "reader"): "collection",
        ("item-2", "reader"): "collection",
        ("small", "large"): "contained",
        ("quoting", "quoted"): "partial quotation",
    }
    assert {name: count for name, count in result.counts.items() if name.startswith("pairs: ")} == {
        f"pairs: {kind}": count for kind, count in Counter(found.values()).items()
    }


def test_near_copies_of_one_part_are_not_parts() -> None:
    shared, end = prose(150, seed=21), prose(100, seed=22)
    texts = {f"copy-{n}": shared for n in range(3)} | {"whole": f"{shared} {end}"}
    found = {row["kind"] for row in run(named(**texts)).pairs.to_pylist() if row["id_b"] == "whole"}
    assert found == {"contained"}


def test_containment_is_the_share_of_each_document() -> None:
    result = kinds()
    pairs = {(row["id_a"], row["id_b"]): row for row in result.pairs.to_pylist()}
    length = {row["id"]: row["length"] for row in result.documents.to_pylist()}
    contained = pairs["small", "large"]
    assert contained["containment_a"] == 1
    assert contained["containment_b"] == length["small"] / length["large"]
    both = length["small"] + length["large"]
    assert contained["similarity"] == pytest.approx(2 * length["small"] / both)
    assert pairs["quoting", "quoted"]["passage_similarity"] == 1


def test_every_record_is_a_document_or_skipped() -> None:
    texts = [prose(50, seed=1), "", "… !", None, prose(50, seed=1)]
    result = run(texts)
    assert result.counts["records"] == 5
    assert result.documents.num_rows == 2
    assert result.skipped.num_rows == 3
    assert pair_ids(result) == {("memory#1", "memory#5")}


# The same result, however it is computed


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write files of texts that share passages across and inside files."""
    folder = tmp_path_factory.mktemp("files")
    rng = random.Random(5)
    written = []
    for number, name in enumerate("abc"):
        lines = []
        for at in range(40):
            blocks = [prose(40, seed=rng.randrange(60)) for _ in range(3)]
            text = " ".join([prose(60, seed=1000 * number + at + 100), *blocks])
            lines.append(json.dumps({"id": f"{name}{at}", "text": text}))
        written.append(folder / f"{name}.jsonl")
        written[-1].write_text("\n".join(lines))
    return written


def test_the_bytes_of_a_result_do_not_depend_on_workers_or_the_order_of_files(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", 8_000)
    monkeypatch.setattr(local, "TASK_BYTES", 10_000)
    run(files, output=tmp_path / "one", workers=1, max_documents=7)
    expected = contents(tmp_path / "one")
    assert neardup.Result(tmp_path / "one").counts["passages"] > 100
    for number, workers in enumerate([2, 3]):
        shuffled = [files[at] for at in ([2, 0, 1], [1, 2, 0])[number]]
        run(shuffled, output=tmp_path / str(workers), workers=workers, max_documents=7)
        assert contents(tmp_path / str(workers)) == expected


def test_counts_are_sorted(files: list[Path]) -> None:
    result = run(files[:1])
    assert list(result.counts) == sorted(result.counts)


def test_result_tables_are_sorted(files: list[Path]) -> None:
    result = run(files, workers=2)
    for name, keys in {
        "documents": ["doc"],
        "passages": ["doc_a", "doc_b", "start_a", "start_b"],
        "pairs": ["doc_a", "doc_b"],
        "boilerplate": ["doc", "start"],
    }.items():
        found = [tuple(row[key] for key in keys) for row in result.table(name).to_pylist()]
        assert found == sorted(found), name
        assert len(found) == len(set(found)) or name == "passages"


@pytest.mark.parametrize("step", ["texts", "kept", "proposed", "hits", "found"])
def test_a_stopped_run_goes_on_where_it_was(
    step: str, files: list[Path], tmp_path: Path, command: Command
) -> None:
    arguments = ["passages", *files, "-o", tmp_path / "out", "--workers", "1", "--memory", "64MB"]
    code, said = command(*arguments, "--stop-after", step)
    assert code == 0
    assert f"stopped after step '{step}'" in said
    code, said = command(*arguments)
    assert code == 0
    assert "going on with an interrupted run" in said
    run(files, output=tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


# The command line


def test_the_command_finds_what_the_function_finds(
    files: list[Path], tmp_path: Path, command: Command
) -> None:
    code, said = command("passages", files[0], "--against", files[1], "-o", tmp_path / "out")
    assert code == 0
    assert "neardup show" in said
    run(files[:1], against=files[1:2], output=tmp_path / "twin")
    assert contents(tmp_path / "out") == contents(tmp_path / "twin")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--pairs", "none.tsv", "-o", "out"], "none.tsv: no such file"),
        (["--pairs", "bad.tsv", "-o", "out"], "bad.tsv, line 2: 3 names where two should be"),
        (["--pairs", "empty.tsv", "-o", "out"], "the list of pairs is empty"),
        (
            ["--against", "b.txt", "--against", "a.txt", "-o", "out"],
            "this file is an input and a source",
        ),
        (["--against", "none.txt", "-o", "out"], "none.txt"),
        (["--signature", "winnowing", "-o", "out"], "signature"),
        (["--signature", "winnowing:0,4", "-o", "out"], "signature"),
        (["--signature", "words", "-o", "out"], "signature"),
        (["--signature", "winnowing:3,0", "-o", "out"], "W 1–99"),
        (["--language", "klingon", "-o", "out"], "there is no language 'klingon'"),
        (["--min-sentences", "0", "-o", "out"], "--min-sentences must be at least 1"),
        (["--antecedents", "0", "-o", "out"], "antecedents must be at least 1"),
        (["--min-length", "0", "-o", "out"], "--min-length must be at least 1"),
        (["--max-documents", "1", "-o", "out"], "--max-documents must be at least 2"),
        (["--stop-after", "lunch", "-o", "out"], "there is no step 'lunch'"),
        ([], "-o"),
    ],
)
def test_errors_say_what_is_wrong(
    options: list[str],
    expected: str,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, seed in {"a.txt": 1, "b.txt": 2}.items():
        Path(name).write_text(prose(50, seed))
    Path("bad.tsv").write_text("a b\na b c\n")
    Path("empty.tsv").write_text("\n")
    code, said = command("passages", "a.txt", *options)
    assert code
    assert expected in said
    assert not Path("out").exists()
    assert not Path("out.partial").exists()


def test_the_plan_is_explained_without_an_output(files: list[Path], command: Command) -> None:
    code, said = command("passages", files[0], "--explain")
    assert code == 0
    assert "found" in said


def test_settings_are_checked_by_the_function_too() -> None:
    with pytest.raises(SettingsError, match="signature"):
        run(["a"], signature="winnowing:5")
    with pytest.raises(SettingsError, match="min_length"):
        run(["a"], min_length=0)


# Bad input


def test_an_endless_sentence_is_compared() -> None:
    words = [f"w{at}" for at in range(200_000)]
    a, quote = " ".join(words), " ".join(words[150_000:150_100])
    b = f"{prose(50, seed=1)} {quote} {prose(50, seed=2)}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (quote, quote)


def test_two_endless_sentences_are_compared() -> None:
    a = " ".join(f"w{at}" for at in range(200_000))
    b = " ".join(f"v{at}" if at % 4 == 3 else f"w{at}" for at in range(200_000))
    for row in rows(run([a, b])):
        assert row["end_a"] <= len(a)
        assert row["end_b"] <= len(b)


def test_a_million_empty_lines_are_no_trouble() -> None:
    passage = prose(60, seed=1)
    a, b = f"{prose(30, seed=2)}{chr(10) * 1_000_000}{passage}", f"{passage}{chr(10) * 1_000_000}"
    result = run([a, "\n" * 1_000_000, b])
    [row] = rows(result)
    assert quoted(row, a, b) == (passage, passage)
    assert result.counts["skipped: no words"] == 1


def test_a_file_of_very_many_empty_lines_is_no_trouble(tmp_path: Path) -> None:
    texts = sharing("a", "b")
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(texts[0]) + "\n" * 100_000 + json.dumps(texts[1]))
    assert pair_ids(run(path)) == {("a", "b")}


REPEATED = (
    "The quick brown fox jumps over the lazy dog and then it sleeps until the sun goes down again. "
)


def test_a_sentence_repeated_very_often_alone_is_no_trouble() -> None:
    result = run([REPEATED * 100_000])
    assert (result.counts["documents"], rows(result)) == (1, [])


def test_a_sentence_repeated_very_often_inside_a_document_is_no_trouble() -> None:
    texts = [REPEATED * 100_000, f"{prose(30, seed=1)} {REPEATED * 2}"]
    result = run(texts, within=True)
    assert result.counts["pairs"] >= 1
    for row in rows(result):
        left, right = quoted(row, texts[row["doc_a"]], texts[row["doc_b"]])
        assert (len(left) >= 150, len(right) >= 150) == (True, True)


def test_passages_inside_a_document_do_not_overlap_their_copy() -> None:
    found = rows(run([REPEATED * 8, REPEATED * 3], within=True))
    assert [row for row in found if row["doc_a"] == row["doc_b"] and row["end_a"] > row["start_b"]] == []


@pytest.mark.parametrize("turned", [False, True])
def test_a_sentence_repeated_very_often_against_one_that_has_it_once(turned: bool) -> None:
    passage = f"{REPEATED}{prose(30, seed=1)}"
    texts = [
        REPEATED * 100_000 + prose(30, seed=1),
        f"{prose(40, seed=2)} {passage} {prose(40, seed=3)}",
    ]
    texts = texts[::-1] if turned else texts
    result = run(texts)
    assert result.counts["pairs"] == 1
    for row in rows(result):
        left, right = quoted(row, *texts)
        assert (len(left) >= 150, len(right) >= 150) == (True, True)


def test_two_copies_of_a_large_text_are_one_passage() -> None:
    text = prose(700_000, seed=1)
    assert len(text) > 5_000_000
    [row] = rows(run([text, text], memory="1GB"))
    assert (row["start_a"], row["end_a"], row["start_b"], row["end_b"]) == (0, len(text), 0, len(text))
    assert (row["similarity"], row["sentences"]) == (1, 70_000)


def test_texts_with_lone_surrogates_are_skipped_and_counted(tmp_path: Path) -> None:
    good = sharing("a", "b")
    bad = {"id": "c", "text": f"{chr(0xD800)} {good[0]['text']}"}
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (good[0], bad, good[1])))
    for result in (run(path), run([good[0], bad, good[1]])):
        assert result.counts["skipped: invalid UTF-8"] == 1
        assert pair_ids(result) == {("a", "b")}
        assert [quoted(row, *(text["text"] for text in good)) for row in rows(result)] == [
            (prose(60, seed=1), prose(60, seed=1))
        ]


def test_escaped_surrogate_pairs_are_one_character(tmp_path: Path) -> None:
    texts = sharing("a", "b")
    texts[0]["text"] = f"🦊 {texts[0]['text']}"
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in texts))
    assert "\\ud83e" in path.read_text()
    [row] = rows(run(path))
    assert quoted(row, texts[0]["text"], texts[1]["text"]) == (prose(60, seed=1), prose(60, seed=1))


def test_a_document_of_marks_that_combine_with_nothing_is_no_trouble() -> None:
    passage = prose(60, seed=1)
    zalgo = "".join(f"{char}{chr(0x300 + at % 80) * 5}" for at, char in enumerate(passage))
    a, b = f"{chr(0x301) * 10_000} {passage}", f"{prose(30, seed=2)} {passage} {zalgo} {zalgo}"
    result = run([a, b])
    assert quoted(rows(result)[0], a, b) == (passage, passage)
