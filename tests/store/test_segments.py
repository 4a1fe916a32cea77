"""Segments: what was written is found, and several become one without what is gone."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.errors import InputError
from neardup.store import postings, texts
from neardup.store.files import CAN_READ_PIECES
from neardup.store.segments import KINDS, Merge, New, Segment, file_of, remove_others

DOCUMENTS = st.lists(
    st.tuples(st.text("abc ü", max_size=40), st.lists(st.integers(0, 60), max_size=8, unique=True)),
    max_size=8,
)


def spread(numbers: list[int]) -> np.ndarray:
    """Return keys that are as well mixed as hashes."""
    return np.array(numbers, np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def written(folder: Path, number: int, first: int, documents: list[tuple[str, list[int]]]) -> Segment:
    keys = spread([key for _, own in documents for key in own])
    docs = np.array([doc for doc, (_, own) in enumerate(documents) for _ in own], np.int64)
    sizes = np.array([len(own) for _, own in documents], np.int32)
    held = [(doc, text.encode()) for doc, (text, _) in enumerate(documents)]
    new = New(first, sizes, held, dict.fromkeys(KINDS, (keys, docs)))
    return Segment(folder, new.write(folder, number))


@given(
    parts=st.lists(DOCUMENTS.filter(len), min_size=1, max_size=4),
    gone=st.sets(st.integers(0, 31), max_size=12),
    buckets=st.sampled_from([0, 2, 14]),
    block=st.sampled_from([1, 50, 32 << 10]),
)
def test_a_merged_segment_holds_what_is_left_of_several(
    parts: list[list[tuple[str, list[int]]]],
    gone: set[int],
    buckets: int,
    block: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("segments")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(postings, "PART", buckets)  # how many parts keys are merged in
        patched.setattr(texts, "BLOCK", block)
        patched.setattr("neardup.store.segments.BLOCK", block)
        first, segments = 7, []
        for number, documents in enumerate(parts, 1):
            segments.append(written(folder, number, first, documents))
            first += len(documents)
        holes = np.zeros(first, np.bool_)
        holes[[7 + doc for doc in gone if 7 + doc < first]] = True
        merged = Segment(folder, Merge(segments, holes).write(folder, 9))
    every = [document for documents in parts for document in documents]
    there = {doc: own for doc, own in enumerate(every) if not holes[7 + doc]}
    assert (merged.first, merged.count) == (7, len(every))
    assert dict(merged.texts.all()) == {doc: text.encode() for doc, (text, _) in there.items()}
    assert [merged.texts.of(doc) for doc in there] == [text.encode() for text, _ in there.values()]
    expected = [len(there[doc][1]) if doc in there else 0 for doc in range(len(every))]
    assert merged.texts.sizes.tolist() == expected
    for kind in KINDS:
        packed = getattr(merged, kind)
        found = packed.find(spread(list(range(61))))
        numbers, docs = packed.docs(found)
        rows = sorted(zip(numbers.tolist(), docs.tolist(), strict=True))
        assert rows == sorted((key, doc) for doc, (_, keys) in there.items() for key in keys)
        assert found.counts.sum() == merged.facts.postings[kind] == len(rows)


def test_files_of_no_known_segment_are_deleted(tmp_path: Path) -> None:
    for number in (1, 2):
        written(tmp_path, number, 0, [("a text", [1])])
    (tmp_path / "notes.txt").write_text("of somebody else")
    remove_others(tmp_path, [2])
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["00000002.runs", "00000002.shingles", "00000002.texts", "notes.txt"]


def test_a_directory_that_was_changed_is_noticed(tmp_path: Path) -> None:
    segment = written(tmp_path, 1, 0, [("a text", [1]), ("another", [2])])
    path = file_of(tmp_path, 1, "texts")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1  # the number of shingles of the last document
    path.write_bytes(data)
    with pytest.raises(InputError, match="damaged"):
        _ = Segment(tmp_path, segment.facts).texts.sizes


@pytest.mark.skipif(not CAN_READ_PIECES, reason="the system has no function for it")
def test_what_a_signal_interrupts_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = written(tmp_path, 1, 0, [("a text", [1, 2]), ("another", [2, 3])]).shingles
    packed.mapped.expect(at_random=True)
    wanted = spread([1, 2, 3])
    expected = packed.docs(packed.find(wanted))
    with monkeypatch.context() as patched:
        patched.setattr("neardup.kernels.pieces.read_pieces", lambda *_: 0)  # each begins in vain
        found = packed.docs(packed.find(wanted))
        patched.setattr("os.pread", lambda *_: b"")  # the file has ended
        with pytest.raises(InputError, match="cannot be read"):
            packed.find(wanted)
    assert (
        [own.tolist() for own in found]
        == [own.tolist() for own in expected]
        == [[0, 1, 1, 2], [0, 0, 1, 1]]
    )


def test_a_bucket_as_large_as_its_file_is_damage_and_takes_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = written(tmp_path, 1, 0, [("a text", [*range(40)])]).shingles
    packed.mapped.expect(at_random=True)
    packed.starts = np.zeros_like(packed.starts)
    packed.starts[1:] = len(packed.words)
    monkeypatch.setattr(postings, "MOST_COPIED", 8 * len(packed.words) - 8)
    monkeypatch.setattr(postings.Packed, "_read", lambda *_: pytest.fail("memory was asked for"))
    with pytest.raises(InputError, match="damaged"):
        packed.find(np.zeros(1, np.uint64))
