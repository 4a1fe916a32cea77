"""Pieces of a file are those that its own function reads, and what cannot be read is said."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.kernels.pieces import read_pieces
from neardup.store.files import CAN_READ_PIECES

pytestmark = pytest.mark.skipif(not CAN_READ_PIECES, reason="the system has no function for it")
SIZE = 100_000
PIECES = st.lists(st.tuples(st.integers(0, SIZE // 8), st.integers(0, 300)), max_size=30)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pieces") / "file"
    made.write_bytes(np.random.default_rng(1).bytes(SIZE))
    return made


@given(pieces=PIECES)
def test_pieces_are_those_that_python_reads_one_by_one(
    path: Path, pieces: list[tuple[int, int]]
) -> None:
    places, sizes = np.array(pieces, np.int64).reshape(-1, 2).T * 8
    words = np.zeros(int(sizes.sum()) // 8, np.uint64)
    with path.open("rb", buffering=0) as file:
        number = file.fileno()
        read = read_pieces(number, places, sizes, words)
        expected = [os.pread(number, size, at) for at, size in zip(places, sizes, strict=True)]
        assert file.tell() == 0
    whole = [len(own) == size for own, size in zip(expected, sizes.tolist(), strict=True)]
    first = whole.index(False) if False in whole else len(whole)
    assert read == first
    found = words.tobytes()
    assert found.startswith(b"".join(expected[:first]))


def test_a_file_that_is_closed_gives_nothing(path: Path) -> None:
    with path.open("rb", buffering=0) as file:
        number = os.dup(file.fileno())
    os.close(number)
    places, sizes = np.array([0, 8]), np.array([8, 8])
    assert read_pieces(number, places, sizes, np.zeros(2, np.uint64)) == 0
