"""`passages` on a part of an index, which is told of the rest, against runs over all documents."""

import json
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.command_line import Command
from tests.corpora import prose, replaced, write

import neardup
from neardup.errors import SettingsError
from neardup.index import adding, writing
from neardup.index.online import Index
from neardup.index.settings import IndexSettings

Texts = list[dict[str, str]]
NUMBERS = ("doc_a", "doc_b", "doc", "best_doc")  # a run over all has those of more documents
FOOTER = prose(40, 99)


def table(folder: Path, name: str) -> Any:
    found = pq.read_table(folder / f"{name}.parquet")
    return found.drop_columns([own for own in NUMBERS if own in found.column_names]).to_pylist()


def made(chance: random.Random, count: int, prefix: str, known: Texts) -> Texts:
    """Return texts of which many quote others, word for word or not, and share what very many do."""
    rows: Texts = []
    for number in range(count):
        parts = [prose(chance.randint(5, 60), chance.randrange(10**6))]
        for _ in range(chance.randrange(3)):
            if known or rows:
                words = chance.choice([*known, *rows])["text"].split()
                begin = chance.randrange(len(words))
                quoted = " ".join(words[begin : begin + chance.randint(20, 50)])
                parts.append(replaced(quoted, chance.choice((4, 9, 100))))
        if chance.random() < 0.4:
            parts.append(FOOTER)
        chance.shuffle(parts)
        rows.append({"id": f"{prefix}{number}", "text": " ".join(parts)})
    return rows


@pytest.mark.parametrize(
    ("seed", "days", "settings"),
    [
        (0, 1, {"max_documents": 8}),
        (7, 1, {"soft": False, "max_documents": 6}),
        pytest.param(2, 3, {}, marks=pytest.mark.slow),
        pytest.param(3, 3, {"max_documents": 5, "min_sentences": 2}, marks=pytest.mark.slow),
        pytest.param(4, 3, {"signature": "winnowing:3,3", "min_length": 90}, marks=pytest.mark.slow),
    ],
)
def test_what_is_found_is_what_a_run_over_all_finds(
    seed: int, days: int, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in ((adding, "FEW", 12), (writing, "RECENT", 20), (writing, "LEFT", 9)):
        monkeypatch.setattr(module, name, value)
    chance = random.Random(seed)
    signature = settings.get("signature", "winnowing:4,2")
    settings = {"min_length": 60, **settings}
    store, known = tmp_path / "store.neardup", made(chance, 36, "o", [])
    with Index.build(store, None, IndexSettings(signature=signature)) as index:
        for begin in (0, 14, 28):  # segments, and what is in none
            index.add(known[begin : begin + 14])
        known[3]["text"] = made(chance, 1, "", known)[0]["text"]
        index.add([known[3]], replace_ids=True)
        index.remove(["o8", "o20"])
    found_any = 0
    for day in range(days):
        new = tmp_path / f"{day}.jsonl"
        write(new, [*made(chance, 24, f"n{day}-", known), {"id": f"none{day}", "text": "…"}])
        with Index(store) as index:
            about = index.search.contents.about
            order = [about([doc])[doc].id for doc, _ in index.search.contents.view.texts()]
            rows = [{"id": own, "text": index.document(own)[1]} for own in order]
        whole, part = tmp_path / f"whole{day}", tmp_path / f"part{day}"
        write(tmp_path / f"all{day}.jsonl", rows)
        every = tmp_path / f"all{day}.jsonl"
        neardup.passages(new, against=every, output=whole, **{**settings, "signature": signature})
        result = neardup.passages(new, against=store, add=True, output=part, **settings)
        for name in ("pairs", "passages", "families", "boilerplate"):
            if (whole / f"{name}.parquet").exists():
                assert table(part, name) == table(whole, name), name
        shares = {row["id"]: row for row in table(whole, "shares")}
        assert all(shares[row["id"]] == row for row in table(part, "shares"))
        own = [json.loads(line)["id"] for line in new.read_text().splitlines()][:-1]
        read = {row["id"] for row in result.documents.to_pylist()} - {*own, f"none{day}"}
        assert {row["id_b"] for row in table(whole, "pairs")} <= read <= set(order)
        found_any += len(table(whole, "pairs"))
        with Index(store) as index:
            assert len(index) == len(order) + len(own) and not index.damages()
    assert found_any > 3


def test_only_what_may_share_passages_is_read(tmp_path: Path, command: Command) -> None:
    store, new = tmp_path / "store.neardup", tmp_path / "new.jsonl"
    texts = [prose(80, n) for n in range(30)]
    Index.build(store, [{"id": f"d{n}", "text": text} for n, text in enumerate(texts)]).close()
    write(new, [{"id": "d1", "text": f"{prose(50, 77)} {texts[7][:300]}"}, {"id": "d2", "text": "…"}])
    done = command("passages", new, "--against", store, "--add", "-o", tmp_path / "out")
    assert f"1 document added to {store}; of the 30 before, 1 had to be read" in done.said
    result = neardup.Result(tmp_path / "out")
    assert [(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()] == [("d1", "d7")]
    for verb in (("show",), ("explain", "d1", "d7"), ("report",)):  # needs no index
        assert command(verb[0], tmp_path / "out", *verb[1:]).code == 0
    with Index(store) as index:
        assert len(index) == 31 and index.document("d1#31")[1].startswith(prose(50, 77)[:40])


def test_nothing_is_shared_with_an_empty_index(tmp_path: Path) -> None:
    store, new = tmp_path / "store.neardup", tmp_path / "new.jsonl"
    Index.build(store).close()
    write(new, [{"id": own, "text": prose(60, 1)} for own in "ab"])
    found = neardup.passages(new, against=store, add=True)
    assert found.pairs.num_rows == 0
    with Index(store) as index:
        assert "a" in index and "b" in index


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"signature": "winnowing:9,9"}, "compares passages by winnowing:5,3"),
        ({"preset": "paper"}, "this run by imatch"),
        ({"within": True}, "within="),
        ({"language": "de"}, "language="),
        ({"exclude_quoted": True}, "exclude_quoted="),
        ({"pairs": [("a", "b")]}, "not both"),
        ({"soft": True}, "without soft"),
    ],
)
def test_what_the_index_does_not_know_is_refused(
    settings: dict[str, Any], said: str, tmp_path: Path
) -> None:
    store, new = tmp_path / "store.neardup", tmp_path / "new.jsonl"
    Index.build(
        store, None, IndexSettings(signature="winnowing:5,3", soft="soft" not in settings)
    ).close()
    write(new, [{"id": "a", "text": prose(60, 1)}])
    with pytest.raises(SettingsError, match=said):
        neardup.passages(new, against=store, add=True, output=tmp_path / "out", **settings)
    assert len(Index.to_ask(store)) == 0 and not (tmp_path / "out").exists()
