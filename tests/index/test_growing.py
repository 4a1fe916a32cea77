"""An index that grows by what is compared with it, against runs over all documents."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.command_line import Command
from tests.corpora import prose, replaced, write
from tests.index.building import built

import neardup
from neardup.errors import InputError, SettingsError
from neardup.index import adding, growing, writing
from neardup.index.online import Index
from neardup.results.places import Place

Texts = list[dict[str, str]]
OWN = ("doc_a", "doc_b", "doc")  # numbers: a run over all has those of more documents


def table(folder: Path, name: str, without: tuple[str, ...] = OWN) -> Any:
    found = pq.read_table(folder / f"{name}.parquet")
    return found.drop_columns([own for own in without if own in found.column_names]).to_pylist()


def made(chance: random.Random, count: int, prefix: str, known: Texts) -> Texts:
    """Return texts of which many are like others, or the same."""
    rows: Texts = []
    for number in range(count):
        like = chance.choice([*known, *rows])["text"] if known or rows else ""
        kind = chance.choice(["new", "new", "same", "edited", "part"]) if like else "new"
        text = prose(chance.randint(3, 60), chance.randrange(10**6))
        if kind == "same":
            text = like
        elif kind == "edited":
            text = replaced(like, chance.choice((9, 20, 40)))
        elif kind == "part":
            text = f"{like} {prose(4, chance.randrange(10**6))}"
        rows.append({"id": f"{prefix}{number}", "text": text})
    return rows


def as_files(texts: Texts, path: Path) -> Path:
    write(path, texts)
    return path


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make segments of few documents."""
    monkeypatch.setattr(adding, "FEW", 12)
    monkeypatch.setattr(writing, "RECENT", 20)
    monkeypatch.setattr(writing, "LEFT", 9)


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "settings",
    [{}, {"threshold": 0.3}, {"measure": "containment"}, {"within": False, "clusters": "components"}],
)
def test_what_is_found_is_what_a_run_over_all_finds(
    seed: int, settings: dict[str, Any], tmp_path: Path
) -> None:
    chance = random.Random(seed)
    known = made(chance, 30, "o", [])
    store = tmp_path / "store.neardup"
    with built(store, []) as index:
        for begin in (0, 14, 28):  # a segment, another one, and what is in none
            index.add(known[begin : begin + 14])
        for row in (known[3], known[20]):
            row["text"] = prose(50, chance.randrange(10**6))
            index.add([row], replace_ids=True)
        index.remove(["o8"])
    with Index(store) as index:
        order = [
            index.search.contents.about([doc])[doc].id for doc, _ in index.search.contents.view.texts()
        ]
    for day in range(2):
        new = as_files(made(chance, 12, f"n{day}-", known), tmp_path / f"{day}.jsonl")
        with Index(store) as index:
            rows = [{"id": own, "text": index.document(own)[1]} for own in order]
        whole, part = tmp_path / f"whole{day}", tmp_path / f"part{day}"
        files = as_files(rows, tmp_path / f"all{day}.jsonl")
        neardup.documents(new, against=files, output=whole, **settings)
        result = neardup.documents(new, against=store, add=True, output=part, **settings)
        for name in ("pairs", "clusters"):
            assert table(part, name) == table(whole, name)
        own = [json.loads(line) for line in new.read_text().splitlines()]
        assert [row["id"] for row in table(part, "documents")][: len(own)] == [r["id"] for r in own]
        found = {row["id"] for row in result.documents.to_pylist()}
        assert found <= {*order, *(row["id"] for row in own)}
        order += [row["id"] for row in own]
        with Index(store) as index:
            assert len(index) == len(order)
            assert all(index.document(row["id"])[1] == row["text"] for row in own)
            assert not index.damages()


def test_only_what_may_be_like_new_documents_is_read(tmp_path: Path, command: Command) -> None:
    store, new = tmp_path / "store.neardup", tmp_path / "new.jsonl"
    texts = [prose(60, n) for n in range(40)]
    built(store, texts).close()
    rows = [{"id": "new", "text": replaced(texts[7], 20)}, {"id": "d2", "text": texts[2]}]
    write(new, [*rows, {"text": ""}])
    done = command("documents", new, "--against", store, "--add", "-o", tmp_path / "out")
    assert f"2 documents added to {store}; of the 40 before, 2 had to be read" in done.said
    result = neardup.Result(tmp_path / "out")
    assert result.pairs["id_b"].to_pylist() == ["store.neardup##d2"]  # its own id is that of a new one
    for verb in (("show",), ("explain", "d2", "store.neardup##d2"), ("report",)):  # needs no index
        assert command(verb[0], tmp_path / "out", *verb[1:]).code == 0
    assert neardup.dedup(result, tmp_path / "clean", mode="remove").removed == 1
    with Index(store) as index:
        assert len(index) == 42
        assert index.document("d2")[1] == texts[2] == index.document("d2#41")[1]
    again = command("documents", new, "--against", store, "--add", "-o", tmp_path / "out")
    assert again.code == 1 and "already holds a result" in again.said
    assert len(Index.to_ask(store)) == 42


def test_an_empty_index_takes_what_comes(tmp_path: Path) -> None:
    store, new = (
        tmp_path / "store.neardup",
        as_files([{"id": "a", "text": prose(9, 1)}], tmp_path / "n.jsonl"),
    )
    Index.build(store).close()
    found = neardup.documents(new, against=store, add=True)
    assert found.documents["id"].to_pylist() == ["a"]
    with Index(store) as index:
        assert "a" in index


class Killed(BaseException):
    """Stands for the end of a process."""


def after(name: str, monkeypatch: pytest.MonkeyPatch, kind: Any) -> Callable[[], None]:
    """Let a process end when a function of a class is called; return what undoes that."""
    own = getattr(kind, name)

    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    monkeypatch.setattr(kind, name, killed)
    return lambda: monkeypatch.setattr(kind, name, own)


def test_a_run_that_is_killed_when_documents_are_added_gets_its_name_when_it_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, out = tmp_path / "store.neardup", tmp_path / "out"
    built(store, [prose(60, n) for n in range(5)]).close()
    new = as_files([{"id": "x", "text": prose(60, 3)}], tmp_path / "new.jsonl")
    undo = after("take_name", monkeypatch, Place)
    with pytest.raises(Killed):
        neardup.documents(new, against=store, add=True, output=out)
    undo()
    assert len(Index.to_ask(store)) == 6 and not out.exists()
    found = neardup.documents(new, against=store, add=True, output=out)
    assert found.pairs["id_b"].to_pylist() == ["d3"]
    assert len(Index.to_ask(store)) == 6
    other = as_files([{"id": "y", "text": prose(60, 4)}], tmp_path / "other.jsonl")
    undo = after("take_name", monkeypatch, Place)
    with pytest.raises(Killed):
        neardup.documents(other, against=store, add=True, output=tmp_path / "second")
    undo()
    neardup.documents(as_files([{"text": "one"}], tmp_path / "z.jsonl"), against=store, add=True)
    assert neardup.Result(tmp_path / "second").pairs["id_b"].to_pylist() == ["d4"]


def test_a_run_that_is_killed_before_leaves_the_index_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, out = tmp_path / "store.neardup", tmp_path / "out"
    built(store, [prose(60, n) for n in range(5)]).close()
    new = as_files([{"id": "x", "text": prose(60, 3)}], tmp_path / "new.jsonl")
    for kind, name in ((Index, "grow"), (growing, "sync_all"), (growing, "documents_needed")):
        undo = after(name, monkeypatch, kind)
        with pytest.raises(Killed):
            neardup.documents(new, against=store, add=True, output=out)
        undo()
        assert len(Index.to_ask(store)) == 5 and not out.exists()
    neardup.documents(new, against=store, add=True, output=out)
    assert len(Index.to_ask(store)) == 6


def test_what_cannot_be_found_by_a_part_of_an_index_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "store.neardup"
    built(store, [prose(60, 1)], shingle="word:4").close()
    new = as_files([{"id": "x", "text": prose(60, 3)}], tmp_path / "new.jsonl")
    run = neardup.documents
    with pytest.raises(SettingsError, match=r"compares documents by word:4, this run by word:5"):
        run(new, against=store, add=True)
    with pytest.raises(SettingsError, match="max_shared"):
        run(new, against=store, add=True, shingle="word:4", max_shared=9)
    with pytest.raises(SettingsError, match="against= one index"):
        run(new, against=as_files([{"text": "one"}], tmp_path / "old.jsonl"), add=True)
    with pytest.raises(SettingsError, match="against= one index"):
        run(new, add=True)
    with pytest.raises(InputError, match="both inputs as files"):
        run(["one text"], against=store, add=True)
    with pytest.raises(
        InputError, match=r"nowhere\.neardup: there is no such index\nMake one with: neardup"
    ):
        neardup.documents(new, against=tmp_path / "nowhere.neardup", add=True)
    with pytest.raises(SettingsError, match="pages cannot add"):
        neardup.pages(new, against=store, add=True)
    with pytest.raises(SettingsError, match="on this machine"):
        run(new, against=store, add=True, shingle="word:4", output="s3://bucket/out")
    assert len(Index.to_ask(store)) == 1
