"""passages: which documents are compared with which, and what is made of it."""

import itertools
from collections import Counter
from pathlib import Path

import pytest
from tests.corpora import prose, replaced
from tests.methods.passages.finding import named, pair_ids, quoted, rows, run, sharing

import neardup
from neardup.errors import InputError

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


def test_only_listed_pairs_are_compared() -> None:
    result = run(sharing("a", "b", "c", "d"), pairs=[("c", "a"), ("b", "d"), ("d", "b")])
    assert pair_ids(result) == {("a", "c"), ("b", "d")}
    assert (result.counts["listed_pairs"], result.counts["listed_pairs_not_found"]) == (3, 0)


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
    assert result.counts["listed_pairs_not_found"] == 2  # y.txt may be either


def test_unknown_names_are_counted() -> None:
    result = run(sharing("a", "b"), pairs=[("a", "b"), ("a", "x"), ("y", "z")])
    assert pair_ids(result) == {("a", "b")}
    assert (result.counts["listed_pairs"], result.counts["listed_pairs_not_found"]) == (3, 2)


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
    assert sum(result.counts[name] for name in result.counts if name.startswith("listed_pairs_")) == 2


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
    assert result.counts["boilerplate"] == 1
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
    assert {name: count for name, count in result.counts.items() if name.startswith("pairs.")} == {
        f"pairs.{kind}": count for kind, count in Counter(found.values()).items()
    }


def test_near_copies_of_one_part_are_not_parts() -> None:
    shared, end = prose(150, seed=21), prose(100, seed=22)
    texts = {f"copy-{n}": shared for n in range(3)} | {"whole": f"{shared} {end}"}
    found = {row["kind"] for row in run(named(**texts)).pairs.to_pylist() if row["id_b"] == "whole"}
    assert found == {"contained"}


def test_containment_is_the_share_of_each_document() -> None:
    result = kinds()
    pairs = {(row["id_a"], row["id_b"]): row for row in result.pairs.to_pylist()}
    contained = pairs["small", "large"]
    assert contained["containment_a"] == 1
    assert contained["containment_b"] == 80 / 280  # words
    assert contained["similarity"] == 2 * 80 / (80 + 280)
    assert pairs["quoting", "quoted"]["passage_similarity"] == 1


def test_every_record_is_a_document_or_skipped() -> None:
    texts = [prose(50, seed=1), "", "… !", None, prose(50, seed=1)]
    result = run(texts)
    assert result.counts["records"] == 5
    assert result.documents.num_rows == 2
    assert result.skipped.num_rows == 3
    assert pair_ids(result) == {("memory#1", "memory#5")}
