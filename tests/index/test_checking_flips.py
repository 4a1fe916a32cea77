"""One bit that is flipped anywhere in an index: a check notices it, and so does a query that touches it.

NEARDUP_FLIPS=10000 before the command makes it a campaign.
"""

import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import stories

from neardup.errors import NeardupError
from neardup.index.online import Index
from neardup.index.settings import IndexSettings
from neardup.store.files import MANIFEST

FLIPS = int(os.environ.get("NEARDUP_FLIPS", "28"))
TEXTS = list(stories(34, 1))


def made(path: Path, compact: bool) -> Path:
    """Make an index with segments, documents in none, words that are counted, and removed documents."""
    rows = [
        {"id": f"a{n}", "text": text, "title": f"T{n}", "url": f"http://a/{n}"}
        for n, text in enumerate(TEXTS[:30])
    ]
    with Index.build(path, rows, IndexSettings(compact=compact)) as index:
        index.compact()
        index.add([{"id": f"b{n}", "text": text} for n, text in enumerate(TEXTS[30:])])
        index.remove(["a3", "b1"])
    return path


def answers(path: Path, chance: random.Random | None = None) -> Any:
    """Return all that an index has and what it answers; None if it says that something is wrong."""
    asked = range(len(TEXTS)) if chance is None else sorted(chance.sample(range(len(TEXTS)), 3))
    try:
        with Index(path, writable=False) as index:
            ids = sorted(index._manifest.some_ids(100))
            documents = {given: index.document(given) for given in ids}
            found = {n: index.query(TEXTS[n]).as_dict()["matches"] for n in asked}
            return index.info()["settings"], len(index), documents, found
    except NeardupError:
        return None


def is_noticed(path: Path) -> bool:
    """Return whether a check says that something is wrong."""
    try:
        with Index(path, writable=False) as index:
            return bool(index.damages())
    except NeardupError:
        return True


@pytest.mark.parametrize("compact", [False, True])
def test_one_flipped_bit_is_noticed_or_changes_nothing(compact: bool, tmp_path: Path) -> None:
    path = made(tmp_path / "i.neardup", compact)
    *facts, found = answers(path)
    assert len(facts[2]) == 32 and not is_noticed(path)
    whole = {file.name: file.read_bytes() for file in path.iterdir() if file.stat().st_size > 10}
    assert len({Path(name).suffix for name in whole}) == 4
    chance, unnoticed, silent = random.Random(FLIPS), 0, 0
    for number in range(FLIPS):
        name = sorted(whole)[number % len(whole)]
        data, at = bytearray(whole[name]), chance.randrange(8 * len(whole[name]))
        data[at >> 3] ^= 1 << (at & 7)
        (path / name).write_bytes(data)
        noticed, now = is_noticed(path), answers(path, chance)
        told = f"bit {at & 7} of byte {at >> 3} of {name}"
        if now is None:
            assert noticed, f"{told}: a query noticed it, a check did not"
        else:  # it was not touched
            assert [*now[:-1]] == facts, told
            assert all(own == found[n] for n, own in now[-1].items()), told
            silent += 1
        assert noticed or name == MANIFEST, told  # there are pages of SQLite's that nothing uses
        unnoticed += not noticed
        (path / name).write_bytes(whole[name])
        for more in path.iterdir():
            if more.name not in whole and more.name != "lock":
                more.unlink()
    told = f"{FLIPS} flips: {unnoticed} in unused parts of {MANIFEST}, {silent} not touched by queries"
    sys.stdout.write(f"{told}\n")
    assert not is_noticed(path) and answers(path)[:-1] == tuple(facts)
