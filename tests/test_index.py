"""The index: the answers of a batch run, added to and taken from at any time, whole after a crash."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.test_documents import corpora
from tests.test_passages import Command, prose, replaced, runner

import neardup
from neardup.errors import (
    InputError,
    LockedError,
    OutputError,
    SettingsError,
    TakenIdError,
    UnknownDocumentError,
)
from neardup.index import Index
from neardup.index import adding as adding_module
from neardup.index import store as store_module
from neardup.index.adding import Row
from neardup.index.analysis import Analysis, end_to_end
from neardup.index.asking import find
from neardup.index.corpus import check
from neardup.index.memory import About, Memory
from neardup.index.postings import MOST_SEGMENTS, Postings, Tally, sorted_keys
from neardup.kernels.beside import beside_last
from neardup.kernels.hits import marks_of
from neardup.kernels.inverted import bucket_starts, discount_words, enough, summed_worth, tally
from neardup.kernels.shingles import shingle_hashes, shingle_words
from neardup.kernels.texts import PARAGRAPHS, split_texts
from neardup.kernels.winnowing import winnow_texts
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source
from neardup.settings import IndexSettings, QuerySettings
from neardup.signatures.sentences import WordCounts
from neardup.text import unicode_table

DATA = Path(os.environ.get("NEARDUP_DATA", Path(__file__).parents[2] / "shared" / "data"))
ALL = QuerySettings(limit=None)


def named(texts: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]


def built(path: Path, texts: Sequence[str], **chosen: Any) -> Index:
    return Index.build(path, named(texts), IndexSettings(**chosen))


# The same answers as a batch run


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
    ids = {doc: getattr(search.memory.about[doc], "id", None) for doc in found}
    return {(ids[doc], *(row[n] for n in COLUMNS[1:])) for doc, rows in found.items() for row in rows}


@pytest.mark.parametrize("measure", ["resemblance", "containment"])
@settings(max_examples=6)
@given(texts=corpora(), threshold=st.sampled_from([0.1, 0.5, 0.7, 1.0]))
def test_documents_are_those_of_a_batch_run(
    measure: Any, texts: list[str], threshold: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    *texts, query = texts
    if not query.split():
        return
    with built(tmp_path_factory.mktemp("i") / "i.duckdb", texts, shingle="word:2") as index:
        found = index_documents(index, query, QuerySettings(threshold, measure, None))
    assert found == batch_documents(texts, query, threshold=threshold, measure=measure, shingle="word:2")


def mosaic(rng: random.Random, pieces: Sequence[str]) -> str:
    """Return a text put together of pieces, some of them changed, with words of its own between them."""
    parts = []
    for piece in rng.sample(pieces, rng.randint(1, 3)):
        parts.append(prose(rng.randint(10, 60), rng.randrange(10**6)))
        parts.append(rng.choice((piece, replaced(piece, rng.choice((4, 7, 12))))))
    return " ".join(parts)


@pytest.mark.parametrize("signature", ["winnowing:3,1", "winnowing:5,6"])
def test_passages_are_those_of_a_batch_run(tmp_path: Path, signature: str) -> None:
    rng = random.Random(7)
    pieces = [prose(60, seed) for seed in range(12)]
    texts = [mosaic(rng, pieces) for _ in range(60)]
    chosen = {"signature": signature, "soft": signature == "winnowing:3,1", "max_documents": 8}
    with built(tmp_path / "i.duckdb", texts, **chosen) as index:
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
    chosen = IndexSettings(signature="winnowing:3,1", soft=True, max_documents=9)
    whole = Index.build(tmp_path / "whole.duckdb", named(texts), chosen)
    expected = index_passages(whole, query), index_documents(whole, query, QuerySettings(0.1))
    assert len(expected[0]) > 3
    monkeypatch.setattr(adding_module, "SEGMENT_DOCUMENTS", 7)  # keys in the file, and not in it
    monkeypatch.setattr(store_module, "MOST_NOTED", 7)
    parts = Index.build(tmp_path / "parts.duckdb", None, chosen)
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
    with Index(tmp_path / "parts.duckdb", writable=False) as opened:
        assert (
            index_passages(opened, query),
            index_documents(opened, query, QuerySettings(0.1)),
        ) == expected
    whole.close()


@pytest.mark.skipif(not (DATA / "pan13-train").is_dir(), reason="PAN's data are not here")
def test_passages_of_real_texts_are_those_of_a_batch_run(tmp_path: Path) -> None:
    sources = sorted((DATA / "pan13-train").rglob("src/*.txt"))[:150]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sources]
    queries = sorted((DATA / "pan13-train").rglob("susp/*.txt"))[:200:40]
    chosen = {"signature": "winnowing:3,1", "soft": True}
    seen = 0
    with built(tmp_path / "i.duckdb", texts, **chosen) as index:
        for path in queries:
            query = path.read_text(encoding="utf-8", errors="replace")
            found = index_passages(index, query)
            assert found == batch_passages(texts, query, **chosen)
            seen += len(found)
    assert seen


# Parts of it


@given(
    segments=st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20))), max_size=6),
    gone=st.sets(st.integers(0, 20)),
    most=st.none() | st.integers(0, 5),
)
def test_postings_say_who_has_a_key(
    segments: list[list[tuple[int, int]]], gone: set[int], most: int | None
) -> None:
    missing = np.isin(np.arange(21), list(gone))
    postings = Postings()
    for rows in segments:
        keys = np.array([(key << 60) + key for key, _ in rows], np.uint64)
        docs = np.array([doc for _, doc in rows], np.int64)
        postings = postings.with_more(*sorted_keys(keys, docs)).merged(np.zeros(21, np.bool_))
    wanted = np.array([(key << 60) + key for key in range(12)], np.uint64)
    for some in (postings, postings.without(missing)):
        found = some.look_up(wanted, missing if gone else None, most)
        owners = [
            [d for rows in segments for k, d in rows if k == key and d not in gone] for key in range(12)
        ]
        assert found.counts.tolist() == [len(docs) for docs in owners]
        expected = [
            (k, d) for k, docs in enumerate(owners) for d in docs if most is None or len(docs) <= most
        ]
        assert sorted(zip(found.numbers.tolist(), found.docs.tolist(), strict=True)) == sorted(expected)
        room = Tally(21)
        counted = some.count(wanted, room).tolist()
        rows = some.look_up(wanted).docs.tolist()
        assert sorted(counted) == sorted(set(rows))
        assert dict(enumerate(room.table.tolist())) == {doc: rows.count(doc) for doc in range(21)}


@given(
    rows=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6))),
    wanted=st.lists(st.integers(0, 11), unique=True),
    before=st.sets(st.integers(0, 6)),
)
def test_documents_are_counted_by_the_keys_that_they_have(
    rows: list[tuple[int, int]], wanted: list[int], before: set[int]
) -> None:
    keys, docs = sorted_keys(
        *(np.array(column) for column in (spread(k for k, _ in rows), [d for _, d in rows]))
    )
    room = Tally(7)
    room.table[list(before)] = 1
    room.found[: len(before)] = list(before)
    count = tally(keys, docs, bucket_starts(keys), spread(wanted), room.table, room.found, len(before))
    expected = counted_twin(rows, wanted, before)
    assert room.table.tolist() == [expected[doc] for doc in range(7)]
    assert sorted(room.found[:count].tolist()) == sorted(+expected)


def counted_twin(rows: list[tuple[int, int]], wanted: list[int], before: set[int]) -> Counter[int]:
    """Count as `tally` does, one row after the other."""
    counts = Counter(dict.fromkeys(before, 1))
    counts.update(doc for key, doc in rows if key in wanted)
    return counts


def spread(keys: Iterable[int]) -> Any:
    """Return keys that differ in their upper bits, as hashes do, and in their lower ones."""
    return np.array([(key << 60) + key for key in keys], np.uint64)


@given(docs=st.lists(st.integers(0, 9)), counts=st.lists(st.integers(1, 40), min_size=3, max_size=3))
def test_documents_are_weighed(docs: list[int], counts: list[int]) -> None:
    numbers = np.arange(len(docs)) % 3
    worth = summed_worth(numbers, np.array(docs, np.int64), np.array(counts), 10)
    expected = Counter(dict.fromkeys(range(10), 0))
    for number, doc in zip(numbers.tolist(), docs, strict=True):
        expected[doc] += int(1024 / math.log2(counts[number] + 1))
    assert worth.tolist() == [expected[doc] for doc in range(10)]


@given(
    rows=st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.booleans()), min_size=1),
    size=st.integers(1, 9),
    threshold=st.sampled_from([0.1, 1 / 3, 0.7, 1.0]),
)
def test_what_may_be_alike_shares_enough_of_the_smaller_set(
    rows: list[tuple[int, int, bool]], size: int, threshold: float
) -> None:
    table = np.array([min(common, own, size) for own, common, _ in rows], np.int32)
    sizes, gone = np.array([row[0] for row in rows]), np.array([row[2] for row in rows])
    found = enough(np.arange(len(rows), dtype=np.int32), table, sizes, gone, size, threshold)
    assert found.tolist() == enough_twin(rows, table.tolist(), size, threshold)


def enough_twin(
    rows: list[tuple[int, int, bool]], common: list[int], size: int, threshold: float
) -> list[int]:
    """Choose as `enough` does, by the share of either set that is common."""
    return [
        doc
        for doc, (own, _, missing) in enumerate(rows)
        if not missing and (common[doc] / own >= threshold or common[doc] / size >= threshold)
    ]


@given(texts=st.lists(st.text("abc .\n", max_size=60), min_size=2, max_size=4))
def test_texts_beside_another_are_split_and_hit_as_in_single_steps(texts: list[str]) -> None:
    data = end_to_end([text.encode() for text in texts])
    none, rows = np.empty(0, np.uint64), np.arange(len(texts) - 1)
    found = beside_last(*data, unicode_table(), 2, 2, none, 1, 100)
    words, starts, ends, bounds, sentences, parts, _ = split_texts(*data, unicode_table(), PARAGRAPHS)
    for own, expected in zip(found[:4], (words, starts, ends, sentences), strict=True):
        assert own.tolist() == expected.tolist()
    marks, at = marks_of(*winnow_texts(words, bounds, 2, 2, np.empty(0, np.uint8)), none)
    for row in rows:
        one, last = marks[at[row] : at[row + 1]], marks[at[-2] :]
        places = [(int(a) % 2**32, int(b) % 2**32) for a in one for b in last if a >> 32 == b >> 32]
        own = found.hits[found.bounds[row] : found.bounds[row + 1]].tolist()
        assert own == sorted(a << 32 | b for a, b in places)
    others, last = found.sides()
    assert others.words.sizes.tolist() == np.diff(bounds)[:-1].tolist()
    assert last.sentences.sizes.tolist() == [np.diff(parts)[-1]] * len(rows)


@given(words=st.lists(st.integers(0, 2**64 - 1)), others=st.lists(st.integers(0, 2**64 - 1)))
def test_words_can_be_counted_and_taken_back(words: list[int], others: list[int]) -> None:
    counted = WordCounts(once=False, cells=16)
    for some in (words, others):
        counted.take(np.array(some, np.uint64), np.array([0, len(some)]))
    discount_words(counted.table, np.array(words, np.uint64))
    alone = WordCounts(once=False, cells=16)
    alone.take(np.array(others, np.uint64), np.array([0, len(others)]))
    assert counted.table.tolist() == alone.table.tolist()


@given(texts=st.lists(st.text("abé .", max_size=60), max_size=4), width=st.integers(1, 4))
def test_shingles_of_hashed_words_are_those_of_the_texts(texts: list[str], width: int) -> None:
    data = end_to_end([text.encode() for text in texts])
    words, _, _, bounds, *_ = split_texts(*data, unicode_table(), PARAGRAPHS)
    values, starts = shingle_hashes(words, bounds, width)
    expected = shingle_words(*data, width, unicode_table())
    assert (values.tolist(), starts.tolist()) == (expected[0].tolist(), expected[1].tolist())


@given(batches=st.lists(st.integers(1, 3), max_size=30), asked=st.sets(st.integers(0, 30)))
def test_a_view_has_all_keys_whenever_it_is_taken(batches: list[int], asked: set[int]) -> None:
    memory = Memory(Analysis.of(IndexSettings(signature="winnowing:2,1")), soft=False)
    texts: list[bytes] = []
    for number, count in enumerate(batches):
        docs = np.arange(len(texts), len(texts) + count)
        new = [f"alpha beta gamma delta word{doc}".encode() for doc in docs]
        remembered = memory.analysis.remembered(docs, new)
        texts += new
        memory.add(docs, [About(str(doc)) for doc in docs], remembered.sizes, new, remembered)
        if number in asked:
            view = memory.view
            assert view.shingles.rows == len(texts)  # of 5 words, one each
            assert len(view.shingles.segments) <= MOST_SEGMENTS + 2
            [whole] = memory.analysis.taken_apart([texts[-1]])[1].values.tolist()
            found = view.shingles.look_up(np.array([whole], np.uint64)).docs.tolist()
            assert found == [len(texts) - 1]


def test_there_are_few_segments_however_documents_come() -> None:
    postings = Postings()
    for number in range(200):
        keys = np.arange(10, dtype=np.uint64) << np.uint64(56)
        docs = np.full(10, number, np.int32)
        postings = postings.with_more(keys, docs).merged(np.zeros(200, np.bool_))
    assert len(postings.segments) <= 8
    assert postings.rows == 2000


# Adding, removing, and what may go wrong


@pytest.fixture
def index(tmp_path: Path) -> Any:
    with built(tmp_path / "i.duckdb", [prose(80, 1), prose(80, 2)]) as index:
        yield index


def ids_of(index: Index, text: str) -> list[str]:
    return [match.id for match in index.query(text).matches]


def test_what_is_added_is_found_and_what_is_removed_is_not(index: Index) -> None:
    assert ids_of(index, prose(80, 3)) == []
    added = index.add([{"id": "new", "text": prose(80, 3), "title": "A title", "url": "u", "date": "d"}])
    assert (added.documents, added.replaced, added.skipped) == (1, 0, {})
    [match] = index.query(prose(80, 3)).matches
    assert (match.id, match.kind, match.about.title) == ("new", "identical", "A title")
    assert index.remove(["new", "new"]) == 1
    assert ids_of(index, prose(80, 3)) == []
    index.close()
    with Index(index.path) as again:
        assert ids_of(again, prose(80, 3)) == []
        assert ids_of(again, prose(80, 1)) == ["d0"]


def test_an_id_that_is_there_is_an_error_or_replaced(index: Index) -> None:
    new = [{"id": "x", "text": prose(30, 8)}, {"id": "d1", "text": prose(80, 9)}]
    with pytest.raises(TakenIdError, match="'d1'"):
        index.add(new)
    assert "x" not in index  # all or none
    assert index.add(new, replace_ids=True).replaced == 1
    assert (ids_of(index, prose(80, 2)), ids_of(index, prose(80, 9))) == ([], ["d1"])
    with pytest.raises(TakenIdError, match="given twice"):
        index.add([{"id": "y", "text": "one text"}, {"id": "y", "text": "two texts"}], replace_ids=True)


def test_documents_without_ids_or_words_and_bad_records_are_told(index: Index, tmp_path: Path) -> None:
    lines = [json.dumps({"text": prose(30, 5)}), "no json", json.dumps({"text": "…"}), '{"text": null}']
    (tmp_path / "new.jsonl").write_text("\n".join(lines))
    added = index.add(str(tmp_path / "new.jsonl"))
    assert added.documents == 1
    assert added.skipped["no words"] == 1
    assert sum(added.skipped.values()) == 3
    assert ids_of(index, prose(30, 5)) == ["new.jsonl#1"]  # no folder of this machine in it


def test_unknown_ids_are_told_and_nothing_is_removed(index: Index) -> None:
    with pytest.raises(UnknownDocumentError, match="no document has the id 'nobody'"):
        index.remove(["d0", "nobody"])
    with pytest.raises(UnknownDocumentError):
        index.document("nobody")
    assert len(index) == 2


def test_a_query_without_words_is_refused(index: Index) -> None:
    for text in ("", " \n", "…!"):
        with pytest.raises(InputError, match="no words"):
            index.query(text)


def test_a_match_says_where_and_in_which_words_it_differs(index: Index) -> None:
    text = replaced(prose(80, 1), 20)
    [match] = index.query(text).matches
    [passage] = match.passages
    common = passage.difference.passages
    assert all(
        match.text[passage.start_a + run.start_a : passage.start_a + run.end_a].lower()
        == text[passage.start_b + run.start_b : passage.start_b + run.end_b].lower()
        for run in common
    )
    assert len(common) >= 3
    found = match.as_dict()
    assert found["passages"][0]["common"][0]["end_query"] <= len(text)
    json.dumps(found)


def test_the_best_matches_come_first_and_the_others_are_counted(tmp_path: Path) -> None:
    text = prose(100, 1)
    copies = [replaced(text, every) for every in (50, 30, 10)]
    with built(tmp_path / "i.duckdb", [*copies, text]) as index:
        answer = index.query(text, QuerySettings(threshold=0.2, limit=2))
    assert ([match.id for match in answer.matches], answer.total) == (["d3", "d0"], 4)


@pytest.mark.parametrize("when", ["while documents come", "before the end"])
def test_an_add_that_is_killed_leaves_the_index_as_it_was(tmp_path: Path, when: str) -> None:
    with built(tmp_path / "i.duckdb", [prose(80, 1)]) as index:
        assert len(index) == 1
    script = f"""
import os, signal
from neardup.index import Index
from neardup.index.adding import Adding, Row
from neardup.index.memory import About, Memory

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def rows():
    for number in range(9000):
        yield Row(About(f"new{{number}}"), (f"alpha beta gamma delta {{number}} " * 9).encode())
    if {when == "while documents come"!r}:
        die()

index = Index({str(tmp_path / "i.duckdb")!r})
finish = Adding.finish
Adding.finish = lambda self: (finish(self), die())
index.add_rows(rows())
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL
    with Index(tmp_path / "i.duckdb") as index:
        assert (len(index), ids_of(index, prose(80, 1))) == (1, ["d0"])
        index.add([{"id": "after", "text": prose(80, 2)}])
        assert ids_of(index, prose(80, 2)) == ["after"]


def test_nothing_may_be_added(index: Index) -> None:
    assert index.add_rows([]).documents == 0
    with index.adding() as add:
        add(Row(About("one"), prose(50, 1).encode()))
    assert len(index) == 3


def test_documents_that_were_removed_before_they_had_keys_do_no_harm(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        index.add_rows([Row(About(f"n{number}"), prose(50, number).encode())])
    index.remove(["d0", "d1", "n0", "n1", "n2"])
    index.close()
    monkeypatch.setattr(adding_module, "SEGMENT_DOCUMENTS", 3)
    monkeypatch.setattr(store_module, "MOST_NOTED", 3)
    with Index(index.path) as again:
        for number in range(4):
            again.add_rows([Row(About(f"m{number}"), prose(50, 10 + number).encode())])
        assert ids_of(again, prose(50, 12)) == ["m2"]
    with Index(index.path) as again:
        assert [ids_of(again, prose(50, n)) for n in (1, 10, 13)] == [[], ["m0"], ["m3"]]


def test_keys_are_written_when_they_are_worth_it_and_the_answers_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding_module, "SEGMENT_DOCUMENTS", 5)
    path = tmp_path / "i.duckdb"
    rows = [Row(About(f"n{number}"), prose(50, number).encode()) for number in range(20)]

    def keys() -> list[tuple[int, int]]:
        with duckdb.connect(str(path), read_only=True) as database:
            return database.execute(
                "select first, last from postings where kind = 'runs' order by first"
            ).fetchall()

    for added, expected in ((rows[:4], []), (rows[4:6], [(0, 5)]), (rows[6:9], [(0, 5)])):
        with Index(path) if path.exists() else Index.build(path) as index:
            for row in added:
                index.add_rows([row])
        assert keys() == expected
    with Index(path) as index:
        index.remove(["n7"])
        index.add_rows(rows[9:])
    assert keys() == [(0, 5), (6, 19)]
    with Index(path, writable=False) as index:
        assert [bool(ids_of(index, prose(50, n))) for n in range(20)] == [n != 7 for n in range(20)]


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    twice = [{"id": "x", "text": "one text"}, {"id": "x", "text": "two texts"}]
    with pytest.raises(TakenIdError):
        Index.build(tmp_path / "i.duckdb", twice)
    assert list(tmp_path.iterdir()) == []
    built(tmp_path / "i.duckdb", ["some text or other"]).close()
    with pytest.raises(OutputError, match="already"):
        Index.build(tmp_path / "i.duckdb", twice)
    Index.build(tmp_path / "i.duckdb", overwrite=True).close()
    with Index(tmp_path / "i.duckdb") as index:
        assert len(index) == 0


def test_an_index_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "i.duckdb"
    built(path, ["some text or other"]).close()
    for name, value in (("format", "99"), ("hash", "0")):
        with duckdb.connect(str(path)) as database:
            [(before,)] = database.execute("select value from meta where name = ?", [name]).fetchall()
            database.execute("update meta set value = ? where name = ?", [value, name])
        with pytest.raises(InputError, match=value) as error:
            Index(path)
        assert "build" in str(error.value.hint)
        with duckdb.connect(str(path)) as database:
            database.execute("update meta set value = ? where name = ?", [before, name])
    with Index(path) as index:
        assert len(index) == 1


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("no database at all, just some text")
    with duckdb.connect(str(tmp_path / "other.duckdb")) as database:
        database.execute("create table t (x integer)")
    for name in ("text.txt", "other.duckdb", "missing.duckdb"):
        with pytest.raises(InputError, match="index"):
            Index(tmp_path / name)
    with pytest.raises(SettingsError, match="imatch"):
        IndexSettings(signature="imatch")


def test_one_process_writes_or_several_read(tmp_path: Path) -> None:
    path = tmp_path / "i.duckdb"
    script = f"from neardup.index import Index; Index({str(path)!r}, writable=WRITABLE); print('open')"

    def elsewhere(writable: bool) -> str:
        code = script.replace("WRITABLE", str(writable))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    with built(path, ["some text or other"]):
        assert "another process has this index open" in elsewhere(True)
        assert "another process has this index open" in elsewhere(False)
        with pytest.raises(LockedError):
            Index(path)
    with Index(path, writable=False), Index(path, writable=False):
        assert elsewhere(False) == "open\n"
        with pytest.raises(LockedError):
            Index(path)
    assert elsewhere(True) == "open\n"


def test_many_threads_ask_while_one_adds_and_removes(tmp_path: Path) -> None:
    with built(tmp_path / "i.duckdb", [prose(80, 1)], signature="winnowing:3,1", soft=True) as index:
        expected = index.query(prose(80, 1)).as_dict()
        problems: list[object] = []
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                try:
                    if index.query(prose(80, 1)).as_dict() != expected:
                        problems.append("another answer")
                except Exception as error:
                    problems.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(60):
            index.add_rows([Row(About(f"n{number}"), prose(50, 100 + number).encode())])
            if number % 3 == 0:
                index.remove([f"n{number}"])
        done.set()
        for thread in threads:
            thread.join()
        assert problems == []
        assert len(index) == 41
        assert ids_of(index, prose(50, 101)) == ["n1"]


# A new corpus against an old one


def test_a_corpus_is_checked_against_an_index(index: Index, tmp_path: Path) -> None:
    new = [
        {"id": "copy", "text": replaced(prose(80, 2), 30)},
        {"id": "other", "text": prose(80, 5)},
        {"id": "empty", "text": "…"},
        {"id": "quote", "text": f"{prose(60, 6)} {prose(80, 1)} {prose(70, 7)}"},
    ]
    source = open_source(new, ReaderSettings())
    result = check(index, source, QuerySettings(), tmp_path / "out")
    assert result.method == "query"
    assert result.documents["found"].to_pylist() == [1, 0, 1]
    pairs = result.pairs.to_pylist()
    assert [(p["id_a"], p["id_b"]) for p in pairs] == [("copy", "d1"), ("quote", "d0")]
    assert pairs[0]["similarity"] == index.query(new[0]["text"]).matches[0].resemblance
    [_, row] = result.table("passages").to_pylist()
    assert new[3]["text"][row["start_a"] : row["end_a"]] == prose(80, 1)
    assert result.counts["documents found"] == 2
    with pytest.raises(OutputError, match="already"):
        check(index, source, QuerySettings(), tmp_path / "out")


# On the command line


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process; gives the exit code and all that it printed."""
    return runner(monkeypatch, capsys)


def test_the_commands_build_add_query_remove_and_describe(command: Command, tmp_path: Path) -> None:
    path, text = tmp_path / "i.duckdb", tmp_path / "text.txt"
    text.write_text(replaced(prose(80, 2), 30))
    lines = [json.dumps(document) for document in named([prose(80, 1), prose(80, 2)])]
    (tmp_path / "old.jsonl").write_text("\n".join(lines))
    code, printed = command("index", "build", path, tmp_path / "old.jsonl", "--min-length", 100)
    assert code == 0
    assert "2 documents added" in printed
    code, printed = command("index", "add", path, tmp_path / "old.jsonl")
    assert code == 1
    assert "--replace" in printed
    assert command("index", "add", path, tmp_path / "old.jsonl", "--replace")[0] == 0
    code, printed = command("query", path, text)
    assert code == 0
    assert "d1 near-duplicate" in printed
    assert "{+ Other29 +}" in printed or "Other29" in printed
    code, printed = command("query", path, prose(80, 1), "--json")
    assert json.loads(printed)["matches"][0]["kind"] == "identical"
    assert "Nothing in the index" in command("query", path, "none of this is there")[1]
    code, printed = command("query", path, "--corpus", tmp_path / "old.jsonl", "-o", tmp_path / "known")
    assert "2 of 2 documents share text with the index" in printed
    assert "d0 identical d0" in command("show", tmp_path / "known")[1]
    for asked in (["report", tmp_path / "known"], ["serve", tmp_path / "known"]):
        code, printed = command(*asked)
        assert code == 1
        assert "neardup show" in printed
    assert command("index", "remove", path, "d0")[1] == "1 document removed, 1 left"
    assert json.loads(command("index", "info", path, "--json")[1])["documents"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["query", "i.duckdb", ""], 1, "no words"),
        (["query", "i.duckdb", "one", "two"], 2, "one text"),
        (["query", "i.duckdb", "no/such/file.txt"], 1, "no such file"),
        (["query", "i.duckdb", "several.jsonl"], 1, "several documents"),
        (["query", "i.duckdb", "text", "--corpus"], 2, "-o"),
        (["query", "missing.duckdb", "some text"], 1, "no such index"),
        (["query", "i.duckdb", "some text", "--threshold", "2"], 2, "threshold"),
        (["index", "remove", "i.duckdb", "nobody"], 1, "'nobody'"),
        (["index", "build", "i.duckdb", "several.jsonl"], 1, "already"),
        (["index", "build", "new.duckdb", "several.jsonl", "--signature", "imatch"], 2, "imatch"),
        (["serve", "missing.duckdb"], 1, "no such index or result"),
        (["serve", "i.duckdb", "i.duckdb"], 1, "open"),
    ],
)
def test_wrong_usage_is_told(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    built(tmp_path / "i.duckdb", ["some text or other"]).close()
    (tmp_path / "several.jsonl").write_text("\n".join(json.dumps({"text": t}) for t in ("a b", "c d")))
    found, printed = command(*arguments)
    assert found == code
    assert message in printed
