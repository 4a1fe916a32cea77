"""dedup: what stays, what goes and why, in the input's own formats; the input is never changed."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from tests.cleaning.records import (
    FORMATS,
    IDS,
    RECORDS,
    REMOVED,
    WORDS,
    Write,
    decoded,
    everything,
    found_in,
    removed_ids,
    text,
)

import neardup
from neardup.errors import SettingsError
from neardup.readers.source import rewrite

# --- the three modes, in every format


@pytest.mark.parametrize("kind", FORMATS)
def test_list_writes_ids_and_reasons_and_no_text(kind: str, write: Write, tmp_path: Path) -> None:
    result = found_in(write(kind), tmp_path)
    done = neardup.dedup(result, tmp_path / "clean")
    assert (done.mode, done.removed, done.kept, done.files) == ("list", 4, 2, ())
    assert sorted(path.name for path in done.output.iterdir()) == [REMOVED, IDS]
    suffix = ".txt" if kind == "txt" else ""
    expected = [f"{name}{suffix}" for name in (["b", "c", "d", "f"])]
    assert removed_ids(done.output) == expected
    assert (done.tables / IDS).read_text().splitlines() == expected


@pytest.mark.parametrize("kind", FORMATS[:-1])
def test_remove_keeps_order_columns_format_and_compression(
    kind: str, write: Write, tmp_path: Path
) -> None:
    path = write(kind)
    before = everything(path.parent)
    done = neardup.dedup(found_in(path, tmp_path), tmp_path / "clean", mode="remove")
    assert done.files == (tmp_path / "clean" / path.name,)
    kept = decoded(done.files[0])
    assert kept == [record for record in decoded(path) if record["id"] in ("a", "u")]
    assert list(kept[0]) == list(RECORDS[0])
    assert everything(path.parent) == before, "the input was changed"
    if kind == "parquet":
        assert pq.read_schema(done.files[0]).equals(pq.read_schema(path), check_metadata=True)
    elif kind != "jsonl.gz":
        rows = path.read_bytes().splitlines(keepends=True)
        assert set(done.files[0].read_bytes().splitlines(keepends=True)) <= set(rows)


def test_views_of_strings_are_copied_too(tmp_path: Path) -> None:
    path, view = tmp_path / "views.parquet", pa.string_view()
    texts = [text(), text(), "Something else altogether, in a few more words.", text()]
    columns = {
        "id": pa.array(list("abcd"), view),
        "text": pa.array(texts, view),
        "tags": pa.array([["x"], None, ["y", "z"], []], pa.list_(view)),
    }
    pq.write_table(pa.table(columns), path)
    result = found_in(path, tmp_path)
    neardup.dedup(result, tmp_path / "clean", mode="remove")
    kept = pq.read_table(tmp_path / "clean" / "views.parquet")
    assert kept.schema == pq.read_schema(path)
    assert kept["id"].to_pylist() == ["a", "c"]
    assert kept["tags"].to_pylist() == [["x"], ["y", "z"]]


def test_remove_leaves_files_of_a_folder_out(write: Write, tmp_path: Path) -> None:
    folder = write("txt")
    before = everything(folder)
    done = neardup.dedup(found_in(folder, tmp_path), tmp_path / "clean", mode="remove")
    assert sorted(path.name for path in done.files) == ["a.txt", "u.txt"]
    for path in done.files:
        assert path.read_bytes() == (folder / path.name).read_bytes()
    assert everything(folder) == before


@pytest.mark.parametrize("kind", FORMATS[:-1])
def test_annotate_keeps_all_records_and_adds_three_columns(
    kind: str, write: Write, tmp_path: Path
) -> None:
    path = write(kind)
    before = everything(path.parent)
    result = found_in(path, tmp_path)
    done = neardup.dedup(result, tmp_path / "clean", mode="annotate")
    rows = decoded(done.files[0])
    own = list(RECORDS[0])
    assert [{name: row[name] for name in own} for row in rows] == decoded(path)
    members = {row["id"]: row for row in result.clusters.to_pylist()}
    for row in rows:
        notes: list[Any] = [row.get(f"neardup_{name}") for name in ("cluster", "keeper", "similarity")]
        if row["id"] == "u":
            assert {note or None for note in notes} == {None}
        else:
            member = members[row["id"]]
            assert (int(notes[0]), notes[1]) == (member["cluster"], member["keeper_id"])
            assert float(notes[2]) == member["similarity"]
    assert everything(path.parent) == before


def test_texts_have_no_place_for_notes(write: Write, tmp_path: Path) -> None:
    result = found_in(write("txt"), tmp_path)
    with pytest.raises(neardup.InputError, match="no place for notes") as caught:
        neardup.dedup(result, tmp_path / "clean", mode="annotate")
    assert "list" in str(caught.value.hint)


def test_several_files_of_several_formats_at_once(write: Write, tmp_path: Path) -> None:
    write("jsonl", RECORDS[:2])
    write("csv", RECORDS[2:4])
    write("parquet", RECORDS[4:])
    result = found_in(tmp_path / "in", tmp_path)
    done = neardup.dedup(result, tmp_path / "clean", mode="remove")
    left = {path.name: [row["id"] for row in decoded(path)] for path in done.files}
    assert sorted(left) == ["data.csv", "data.jsonl", "data.parquet"]
    assert sum(map(len, left.values())) == done.kept == 2
    assert "u" in left["data.csv"]


@pytest.mark.parametrize("mode", ["remove", "annotate"])
def test_two_files_of_the_same_name_in_different_folders(
    mode: Any, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write("jsonl", RECORDS[:3], name="one/data")
    second = write("jsonl", RECORDS[3:], name="two/data")
    before = everything(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for number, inputs in enumerate(
        [[first, second], [Path("../one/data.jsonl"), Path("../two/data.jsonl")]]
    ):
        result = neardup.documents(inputs, threshold=0.6, keep="first", output=tmp_path / f"out{number}")
        done = neardup.dedup(result, tmp_path / f"clean{number}", mode=mode)
        assert len(set(done.files)) == 2
        assert all(path.is_relative_to(done.output) for path in done.files)
        assert all(".." not in path.parts for path in done.files)
        left = [row["id"] for path in sorted(done.files) for row in decoded(path)]
        assert left == (["a", "u"] if mode == "remove" else ["a", "b", "u", "c", "d", "f"])
    after = everything(tmp_path)
    assert {name: after[name] for name in before} == before, "the input was changed"


def test_a_file_that_is_called_like_our_own_tables_is_not_lost(write: Write, tmp_path: Path) -> None:
    path = write("parquet", name=f"in/{REMOVED.removesuffix('.parquet')}")
    done = neardup.dedup(found_in(path, tmp_path), tmp_path / "clean", mode="remove")
    assert [row["id"] for row in decoded(done.files[0])] == ["a", "u"]


# --- who stays


@pytest.mark.parametrize(
    ("keep", "keeper"),
    [("first", "a"), ("longest", "f"), ("newest", "b"), ("score", "b"), ("note", "c")],
)
@pytest.mark.parametrize("later", [False, True], ids=["by the run", "by dedup"])
def test_the_keeper_is_the_best_of_its_cluster(
    keep: str, keeper: str, later: bool, write: Write, tmp_path: Path
) -> None:
    result = found_in(
        write("jsonl"), tmp_path, keep="first" if later else keep, columns=["score", "note"]
    )
    neardup.dedup(result, tmp_path / "clean", keep=keep if later else None)
    rows = pq.read_table(tmp_path / "clean" / REMOVED).to_pylist()
    keepers = {row["keeper_id"] for row in rows}
    assert keeper in keepers
    assert keeper not in {row["id"] for row in rows}
    assert not keepers & {row["id"] for row in rows}, "a keeper was removed"


@pytest.mark.parametrize("later", [False, True], ids=["by the run", "by dedup"])
def test_the_earliest_moment_is_kept(later: bool, tmp_path: Path) -> None:
    records = [
        {"id": day, "text": "one and the same text", "date": day}
        for day in ("12 April 2024", "5 May 2023")
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    result = found_in(path, tmp_path, keep="first" if later else "date:asc")
    neardup.dedup(result, tmp_path / "clean", keep="date:asc" if later else None)
    rows = pq.read_table(tmp_path / "clean" / REMOVED).to_pylist()
    assert [(row["id"], row["keeper_id"]) for row in rows] == [("12 April 2024", "5 May 2023")]


def test_an_unknown_keeper_is_a_settings_error(write: Write, tmp_path: Path) -> None:
    result = found_in(write("jsonl"), tmp_path)
    with pytest.raises(neardup.SettingsError, match="cannot keep by 'beauty'"):
        neardup.dedup(result, tmp_path / "clean", keep="beauty")
    assert not (tmp_path / "clean").exists()


def test_a_higher_threshold_removes_less_and_says_so_in_the_reason(write: Write, tmp_path: Path) -> None:
    result = found_in(write("jsonl"), tmp_path)
    neardup.dedup(result, tmp_path / "clean", threshold=0.9)
    rows = pq.read_table(tmp_path / "clean" / REMOVED).to_pylist()
    assert {row["id"] for row in rows} == {"c", "d"}
    assert all("0.9" in row["reason"] and "0.6" not in row["reason"] for row in rows if row["id"] == "c")
    with pytest.raises(neardup.SettingsError, match="run again for a lower one"):
        neardup.dedup(result, tmp_path / "lower", threshold=0.3)


def test_components_remove_whole_chains(write: Write, tmp_path: Path) -> None:
    words = [f"word{i}" for i in range(60)]
    chain = [
        {"id": name, "text": " ".join(words[at : at + 40])}
        for name, at in zip("abc", (0, 4, 8), strict=True)
    ]
    result = found_in(write("jsonl", chain), tmp_path, threshold=0.7)
    star = neardup.dedup(result, tmp_path / "star")
    whole = neardup.dedup(result, tmp_path / "whole", clusters="components")
    assert removed_ids(star.output) == ["b"]
    assert removed_ids(whole.output) == ["b", "c"]
    rows = {row["id"]: row for row in pq.read_table(whole.tables / REMOVED).to_pylist()}
    assert rows["b"]["similarity"] == 32 / 40
    assert rows["c"]["similarity"] is None, "c is no verified pair with its keeper"
    assert "resemblance" not in rows["c"]["reason"]


# --- why


def check_reasons(result: neardup.Result, output: Path, records: int) -> None:
    """Check the table of what was removed against the pairs that the run verified."""
    pairs = {}
    for row in result.pairs.to_pylist():
        pairs[row["id_a"], row["id_b"]] = pairs[row["id_b"], row["id_a"]] = row["similarity"]
    rows = pq.read_table(output / REMOVED).to_pylist()
    where = {row["id"]: (row["source"], row["position"]) for row in result.documents.to_pylist()}
    assert len({row["id"] for row in rows}) == len(rows) == records
    for row in rows:
        assert (row["source"], row["position"]) == where[row["id"]]
        assert row["similarity"] == pairs[row["id"], row["keeper_id"]]
        assert row["similarity"] >= result.threshold
        assert f"{row['similarity']:.4f}" in row["reason"] or row["similarity"] == 1


def test_every_removed_document_is_a_verified_pair_with_its_keeper(write: Write, tmp_path: Path) -> None:
    records = [
        {"id": f"{group}-{i}", "text": " ".join(f"g{group}w{(i * 3 + k) % 60}" for k in range(40 + i))}
        for group in range(20)
        for i in range(8)
    ]
    result = found_in(write("jsonl", records), tmp_path, threshold=0.5, keep="longest")
    assert result.counts["pairs"] > 100
    for keep in ("longest", "first", None):
        done = neardup.dedup(result, tmp_path / f"clean-{keep}", keep=keep)
        check_reasons(result, done.output, done.removed)
        assert done.removed + done.kept == len(records)


def test_what_contains_a_short_text_is_not_removed_for_it(write: Write, tmp_path: Path) -> None:
    records = [
        {"id": "excerpt", "text": " ".join(WORDS[10:30])},
        {"id": "whole", "text": " ".join(WORDS)},
        {"id": "copy", "text": " ".join(WORDS) + "."},
    ]
    result = found_in(write("jsonl", records), tmp_path, measure="containment", threshold=0.8)
    done = neardup.dedup(result, tmp_path / "clean", keep="longest")
    rows = {row["id"]: row for row in pq.read_table(done.tables / REMOVED).to_pylist()}
    assert "whole" not in rows or "copy" not in rows
    assert "identical" not in rows["excerpt"]["reason"], "an excerpt is not identical to the whole"
    first = neardup.dedup(result, tmp_path / "first", keep="first")
    gone = set(removed_ids(first.output))
    assert gone != {"whole", "copy"}, "most of the text would be lost"


# --- what could not be read stays


def test_records_that_were_skipped_stay(tmp_path: Path) -> None:
    path = tmp_path / "in" / "data.jsonl"
    path.parent.mkdir()
    good = [json.dumps(record) for record in RECORDS]
    lines = [
        good[0],
        "nonsense",
        good[1],
        '{"id": "x", "text": null}',
        good[2],
        '{"text": "?!"}',
        "",
        good[3],
    ]
    path.write_text("\n".join(lines) + "\n")
    (path.parent / "empty.jsonl").touch()
    result = found_in(path.parent, tmp_path)
    assert result.counts["documents"] == 4
    done = neardup.dedup(result, tmp_path / "clean", mode="remove")
    left = (done.output / "data.jsonl").read_text().splitlines()
    assert [line for line in left if line] == [good[0], "nonsense", lines[3], good[2], lines[5]]
    assert (done.output / "empty.jsonl").read_bytes() == b""


def test_files_of_a_folder_that_could_not_be_read_stay(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for record in RECORDS[:3]:
        (folder / f"{record['id']}.txt").write_text(record["text"])
    (folder / "latin1.txt").write_bytes(b"caf\xe9 " * 50)
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 4)
    (folder / "empty.txt").touch()
    done = neardup.dedup(found_in(folder, tmp_path), tmp_path / "clean", mode="remove")
    left = {path.name for path in done.output.iterdir()}
    assert left == {"a.txt", "u.txt", "latin1.txt", "binary.txt", "empty.txt"}
    for name in left:
        assert (done.output / name).read_bytes() == (folder / name).read_bytes()


# --- what fails leaves nothing behind


def test_without_a_folder_the_table_is_returned() -> None:
    result = neardup.documents(RECORDS, threshold=0.6, keep="first")
    done = neardup.dedup(result)
    assert (done.removed, done.kept, done.output, done.files) == (4, 2, None, ())
    assert done.table["id"].to_pylist() == ["b", "c", "d", "f"]
    assert neardup.dedup(result, keep="longest", threshold=0.95).removed == 1
    with pytest.raises(SettingsError, match="needs an output"):
        neardup.dedup(result, mode="remove")


@pytest.mark.parametrize("mode", ["remove", "annotate"])
def test_data_in_memory_cannot_be_rewritten(mode: Any, tmp_path: Path) -> None:
    result = neardup.documents(RECORDS, threshold=0.6)
    with pytest.raises(neardup.InputError, match="in memory") as caught:
        neardup.dedup(result, tmp_path / "clean", mode=mode)
    assert "list" in str(caught.value.hint)
    assert not list(tmp_path.iterdir())
    done = neardup.dedup(result, tmp_path / "clean")
    assert done.removed == len(removed_ids(done.output)) == 4


@pytest.mark.parametrize("damage", ["gone", "changed", "touched"])
def test_input_that_is_no_longer_what_it_was_is_refused(
    damage: str, write: Write, tmp_path: Path
) -> None:
    path = write("jsonl")
    found_in(path, tmp_path)
    if damage == "gone":
        path.unlink()
    elif damage == "changed":
        path.write_bytes(path.read_bytes() + b"{}\n")
    else:
        path.write_bytes(path.read_bytes()[::-1])
    with pytest.raises(neardup.InputError):
        neardup.dedup(neardup.Result(tmp_path / "out"), tmp_path / "clean", mode="remove")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "out"]


def test_a_failure_in_the_middle_leaves_nothing_behind(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("jsonl", RECORDS[:3], name="in/a")
    write("jsonl", RECORDS[3:], name="in/b")
    result = found_in(tmp_path / "in", tmp_path)

    def full(file: Any, target: Path, *rest: Any) -> str | None:
        if file.name.startswith("b"):
            target.write_text("half a file")
            raise OSError(28, "No space left on device")
        return rewrite(file, target, *rest)

    monkeypatch.setattr("neardup.cleaning.dedup.rewrite", full)
    with pytest.raises((OSError, neardup.OutputError), match="space"):
        neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "out"]
    monkeypatch.undo()
    assert neardup.dedup(result, tmp_path / "clean", mode="remove").removed == 4


def test_a_folder_that_is_not_empty_is_refused(write: Write, tmp_path: Path) -> None:
    result = found_in(write("jsonl"), tmp_path)
    for output in (tmp_path / "in", tmp_path / "out", tmp_path / "in" / "data.jsonl"):
        before = everything(tmp_path)
        with pytest.raises(neardup.OutputError, match="not an empty folder"):
            neardup.dedup(result, output, mode="remove")
        assert everything(tmp_path) == before
    (tmp_path / "empty").mkdir()
    assert neardup.dedup(result, tmp_path / "empty").removed == 4


def test_an_unknown_mode_is_a_settings_error(write: Write, tmp_path: Path) -> None:
    mode: Any = "burn"
    with pytest.raises(neardup.SettingsError, match="list, annotate, remove"):
        neardup.dedup(found_in(write("jsonl"), tmp_path), tmp_path / "clean", mode=mode)


def test_a_corpus_without_duplicates_comes_back_as_it_is(write: Write, tmp_path: Path) -> None:
    path = write("jsonl", [RECORDS[0], RECORDS[2]])
    done = neardup.dedup(found_in(path, tmp_path), tmp_path / "clean", mode="remove")
    assert done.removed == 0
    assert done.files[0].read_bytes() == path.read_bytes()
    assert (done.tables / IDS).read_text() == ""


def test_odd_ids_stay_apart_and_take_one_line_each(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    ids = ["", "", "\udc00", "\udc01", "two\nlines", "two\r\nlines"]
    path.write_text("".join(json.dumps({"id": given, "text": text()}) + "\n" for given in ids))
    result = found_in(path, tmp_path)
    assert result.counts["ids_given_twice"] == 0
    expected = ["odd.jsonl#1", "odd.jsonl#2", r"\udc00", r"\udc01", "two\nlines", "two\r\nlines"]
    assert result.documents["id"].to_pylist() == expected
    neardup.dedup(result, tmp_path / "listed")
    lines = (tmp_path / "listed" / "neardup-removed.txt").read_text().split("\n")
    assert lines == ["odd.jsonl#2", r"\udc00", r"\udc01", r"two\nlines", r"two\r\nlines", ""]


@pytest.mark.parametrize("mode", ["remove", "annotate"])
def test_many_files_are_rewritten_without_a_look_at_whole_tables_for_each(
    mode: Any, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [write("jsonl", RECORDS, name=f"in/{number:02}") for number in range(20)]
    result = found_in(files[0].parent, tmp_path)
    looks = Mock(wraps=pc.equal)
    monkeypatch.setattr(pc, "equal", looks)
    assert len(neardup.dedup(result, tmp_path / "clean", mode=mode).files) == 20
    assert looks.call_count < 5


# --- several that stay, and counts on all that do

ADDED = ("cluster", "cluster_size", "cluster_keeper", "similarity_to_keeper", "duplicates_removed")


@pytest.mark.parametrize("kind", FORMATS[:-1])
def test_counts_are_added_to_what_stays(kind: str, write: Write, tmp_path: Path) -> None:
    result = found_in(write(kind), tmp_path)
    done = neardup.dedup(result, tmp_path / "clean", mode="remove", add=ADDED)
    rows = {row["id"]: row for row in decoded(done.files[0])}
    found = {
        name: tuple(str(row[f"neardup_{column}"] or 0) for column in ADDED if column != "cluster")
        for name, row in rows.items()
    }
    assert found == {"a": ("5", "a", "1.0", "4"), "u": ("1", "u", "1.0", "0")}
    assert not rows["u"]["neardup_cluster"]
    assert str(rows["a"]["neardup_cluster"]) == "0"
    summary = json.loads((done.tables / "neardup-removed.json").read_text())
    assert summary == {
        "mode": "remove", "keep_at_most": 1, "kept": 2, "removed": 4, "sizes": {"1": 1, "5": 1}
    }  # fmt: skip


def test_counts_of_all_documents_are_listed(write: Write, tmp_path: Path) -> None:
    result = found_in(write("jsonl"), tmp_path)
    done = neardup.dedup(result, tmp_path / "clean", add="cluster_size, duplicates_removed")
    table = pq.read_table(done.tables / "neardup-removed.all.parquet")
    assert table.column_names == ["id", "source", "position", "cluster_size", "duplicates_removed"]
    assert table["cluster_size"].to_pylist() == [5, 5, 1, 5, 5, 5]
    assert sum(table["duplicates_removed"].to_pylist()) == done.removed == 4
    noted = neardup.dedup(result, tmp_path / "noted", mode="annotate", add="cluster_size")
    assert [row["neardup_cluster_size"] for row in decoded(noted.files[0])] == [5, 5, 1, 5, 5, 5]
    assert "neardup_keeper" not in decoded(noted.files[0])[0]


@pytest.mark.parametrize(
    ("keep", "most", "stay"),
    [
        ("score", 1, "bu"),
        ("score", 2, "buc"),
        ("score:asc", 3, "udfa"),
        ("score", 9, "abucdf"),
        ("date:asc", 2, "auf"),
    ],
)
def test_a_cluster_may_keep_several(
    keep: str, most: int, stay: str, write: Write, tmp_path: Path
) -> None:
    result = found_in(write("jsonl"), tmp_path, columns=["score"], clusters="components", threshold=0.4)
    for name in ("once", "again"):
        done = neardup.dedup(result, tmp_path / name, mode="remove", keep=keep, keep_at_most=most)
        assert {row["id"] for row in decoded(done.files[0])} == set(stay)
        assert done.kept == len(stay)
    told = [(tmp_path / f"{name}.removed" / REMOVED).read_bytes() for name in ("once", "again")]
    assert told[0] == told[1]


def test_what_cannot_be_added_is_refused(write: Write, tmp_path: Path) -> None:
    path = write("jsonl")
    result = found_in(path, tmp_path)
    with pytest.raises(neardup.SettingsError, match="cannot add 'weight'"):
        neardup.dedup(result, tmp_path / "clean", add="weight")
    with pytest.raises(neardup.SettingsError, match="at least 1"):
        neardup.dedup(result, tmp_path / "clean", keep_at_most=0)
    shared = neardup.passages(path, output=tmp_path / "shared", min_length=20)
    with pytest.raises(neardup.SettingsError, match="has no clusters"):
        neardup.dedup(shared, tmp_path / "clean", add="cluster")
