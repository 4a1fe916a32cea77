"""What an index answers: the same as a batch run over its documents and the text."""

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import corpora, prose, replaced, whole_runs
from tests.index.building import built, named
from tests.quality import DATA

import neardup
from neardup.index import adding as adding_module
from neardup.index.adding import Row
from neardup.index.answers import within
from neardup.index.asking import find
from neardup.index.online import Index
from neardup.index.settings import IndexSettings, QuerySettings
from neardup.store.manifest import About
from neardup.text import tokenise

ALL = QuerySettings(limit=None)


def batch_documents(texts: Sequence[str], query: str, **chosen: Any) -> dict[str, tuple[Any, ...]]:
    """Return what a run over the texts and the query says of the query."""
    result = neardup.documents(
        [*named(texts), {"id": "query", "text": query}], workers=1, memory="64MB", **chosen
    )
    columns = ("similarity", "containment_a", "containment_b", "kind")
    return {
        row["id_a"]: tuple(row[name] for name in columns)
        for row in result.pairs.to_pylist()
        if row["id_b"] == "query"
    }


def index_documents(index: Index, query: str, settings: QuerySettings) -> dict[str, tuple[Any, ...]]:
    found = find(index.search, query, settings).documents
    whole = settings.measure == "resemblance"
    return {
        f.about.id: (
            f.resemblance if whole else max(f.containment_document, f.containment_query),
            f.containment_document,
            f.containment_query,
            f.kind,
        )
        for f in found
        if f.near
    }


def batch_passages(texts: Sequence[str], query: str, **chosen: Any) -> set[tuple[Any, ...]]:
    result = neardup.passages(
        [*named(texts), {"id": "query", "text": query}], workers=1, memory="64MB", **chosen
    )
    return {tuple(r[n] for n in COLUMNS) for r in result.passages.to_pylist() if r["id_b"] == "query"}


COLUMNS = ("id_a", "start_a", "end_a", "start_b", "end_b", "sentences", "similarity", "kind", "words")


def index_passages(index: Index, query: str) -> set[tuple[Any, ...]]:
    search = index.search
    found = find(search, query, ALL).passages
    known = search.contents.about(list(found))
    return {
        (known[doc].id, *(row[n] for n in COLUMNS[1:])) for doc, rows in found.items() for row in rows
    }


@pytest.mark.parametrize("measure", ["resemblance", "containment"])
@whole_runs(3)
@given(texts=corpora(), threshold=st.sampled_from([0.1, 0.5, 0.7, 1.0]))
def test_documents_are_those_of_a_batch_run(
    measure: Any, texts: list[str], threshold: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    *texts, query = texts
    if not query.split():
        return
    with built(tmp_path_factory.mktemp("i") / "i.neardup", texts, shingle="word:2") as index:
        found = index_documents(index, query, QuerySettings(threshold, measure, None))
    assert found == batch_documents(texts, query, threshold=threshold, measure=measure, shingle="word:2")


def mosaic(rng: random.Random, pieces: Sequence[str]) -> str:
    """Return a text put together of pieces, some of them changed, with words of its own between them."""
    parts = []
    for piece in rng.sample(pieces, rng.randint(1, 3)):
        parts.append(prose(rng.randint(10, 60), rng.randrange(10**6)))
        parts.append(rng.choice((piece, replaced(piece, rng.choice((4, 7, 12))))))
    return " ".join(parts)


@given(st.text("ab cd\u0301é漢’'-.«»\n", max_size=200), st.data())
def test_words_of_a_part_of_a_text_are_those_of_the_part_by_itself(
    text: str, data: st.DataObject
) -> None:
    whole = tokenise(text)
    if not len(whole.starts):
        return
    first, last = sorted(data.draw(st.integers(0, len(whole.starts) - 1)) for _ in range(2))
    start, end = int(whole.starts[first]), int(whole.ends[last])
    found, own = within(whole, start, end), tokenise(text[start:end])
    assert found.hashes.tolist() == own.hashes.tolist()
    assert (found.starts - start).tolist() == own.starts.tolist()
    assert (found.ends - start).tolist() == own.ends.tolist()


@pytest.mark.parametrize("signature", ["winnowing:3,1", "winnowing:5,6"])
def test_passages_are_those_of_a_batch_run(tmp_path: Path, signature: str) -> None:
    rng = random.Random(7)
    pieces = [prose(60, seed) for seed in range(12)]
    texts = [mosaic(rng, pieces) for _ in range(60)]
    chosen = {"signature": signature, "soft": signature == "winnowing:3,1", "max_documents": 8}
    with built(tmp_path / "i.neardup", texts, **chosen) as index:
        seen = 0
        for _ in range(4):
            query = mosaic(rng, pieces)
            found = index_passages(index, query)
            assert found == batch_passages(texts, query, **chosen)
            seen += len(found)
    assert seen > 5


def test_answers_are_the_same_whether_added_at_once_in_parts_or_after_others_were_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(3)
    pieces = [prose(60, seed) for seed in range(6)]
    texts, others = ([mosaic(rng, pieces) for _ in range(40)] for _ in range(2))
    query = mosaic(rng, pieces)
    chosen = IndexSettings(signature="winnowing:3,1", soft=True, max_documents=60)
    whole = Index.build(tmp_path / "whole.neardup", named(texts), chosen)
    expected = index_passages(whole, query), index_documents(whole, query, QuerySettings(0.1))
    assert len(expected[0]) > 3
    monkeypatch.setattr(adding_module, "FEW", 7)
    parts = Index.build(tmp_path / "parts.neardup", None, chosen)
    parts.add([{"id": f"other{n}", "text": text} for n, text in enumerate(others[:20])])
    parts.search  # noqa: B018  (in memory from here on)
    for number, document in enumerate(named(texts)):
        parts.add([document])
        parts.add_rows([Row(About(f"more{number}"), others[number].encode())])
    parts.add(
        [{"id": document["id"], "text": document["text"]} for document in named(texts)], replace_ids=True
    )
    parts.remove([f"other{n}" for n in range(20)])
    parts.remove([f"more{n}" for n in range(40)])
    assert len(parts) == 40
    again = index_passages(parts, query), index_documents(parts, query, QuerySettings(0.1))
    assert again == expected
    parts.close()
    with Index(tmp_path / "parts.neardup", writable=False) as opened:
        assert (
            index_passages(opened, query),
            index_documents(opened, query, QuerySettings(0.1)),
        ) == expected
    whole.close()


@pytest.mark.parametrize("signature", ["winnowing:3,1", "winnowing:5,6"])
@pytest.mark.parametrize("soft", [True, False])
def test_one_text_finds_parts_of_it_and_a_corpus_what_a_run_finds(
    tmp_path: Path, signature: str, soft: bool
) -> None:
    texts = [prose(300, seed) for seed in range(30)]
    own = " ".join(texts[4].split()[100:112])
    with built(tmp_path / "i.neardup", texts, signature=signature, soft=soft) as index:
        for query in (own, f"{own} <b>{prose(5, 90)}</b>", f"{prose(6, 91)} {own} {prose(6, 92)}"):
            [match] = index.query(query).matches
            [row] = match.rows
            assert (match.id, query[row["start_b"] : row["end_b"]]) == ("d4", own)
            assert texts[4][row["start_a"] : row["end_a"]] == own
            assert index_passages(index, query) == set()
            found = match.as_dict()
            assert found["words_query"] == 12 / len(re.findall(r"\w+", query))
            assert found["words_document"] == 12 / 300
        typo = own.replace(own.split()[5], "typo")
        assert [match.id for match in index.query(typo).matches] == ["d4"]
        assert not index.query(f"{own} {prose(60, 93)}").matches  # a sixth of it


def test_a_part_that_very_many_documents_have_is_looked_for_in_the_best(tmp_path: Path) -> None:
    own = prose(12, 5)
    texts = [f"{prose(40, 10 + n)} {own} {prose(40, 100 + n)}" for n in range(20)]
    with built(tmp_path / "i.neardup", texts, max_documents=8) as index:
        assert index.query(own).total == 20
        assert index.query(f"{own} {prose(6, 91)}").total == 8


@pytest.mark.skipif(not (DATA / "pan13-train").is_dir(), reason="PAN's data are not here")
def test_passages_of_real_texts_are_those_of_a_batch_run(tmp_path: Path) -> None:
    sources = sorted((DATA / "pan13-train").rglob("src/*.txt"))[:150]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sources]
    queries = sorted((DATA / "pan13-train").rglob("susp/*.txt"))[:200:40]
    chosen = {"signature": "winnowing:3,1", "soft": True}
    seen = 0
    with built(tmp_path / "i.neardup", texts, **chosen) as index:
        for path in queries:
            query = path.read_text(encoding="utf-8", errors="replace")
            found = index_passages(index, query)
            assert found == batch_passages(texts, query, **chosen)
            seen += len(found)
    assert seen
