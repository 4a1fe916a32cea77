"""Groups and pairs of duplicates."""

import pytest
from tests.retrieval.collection import Write

from neardup.errors import InputError, SettingsError
from neardup.retrieval.duplicates import Pairs, read_groups
from neardup.retrieval.runs import Catalogue


def test_groups_are_read(write: Write) -> None:
    path = write('{"hash": "1", "ids": ["a", "b"]}\n{"ids": ["c"]}\n{"ids": ["b", "d"]}\n')
    groups = read_groups(path)
    assert groups.keepers(["d", "c", "a", "b"]) == [-1, -1, 0, 0]
    assert len(groups.remarks) == 2
    path = write('{"ids": ["a", "b"]}\n{"ids": "ab"}\n[1]\n{"ids": ["e", 1]}\n{broken\n')
    with pytest.raises(InputError, match=r"line 2: .*line 3: .*line 4: .*line 5"):
        read_groups(path)
    assert read_groups(path, lenient=True).keepers(["a", "b"]) == [-1, 0]


def test_pairs_below_what_is_known_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"below 0\.5 are not known"):
        Pairs([], 0.5).near(Catalogue()).at(0.4)
