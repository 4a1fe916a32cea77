"""Masks: what they take for equal, and what stays as it is."""

import pyarrow as pa
import pytest

import neardup
from neardup.errors import SettingsError
from neardup.text.masks import masked_text, parsed

A, N, D, ID, M = (f"masked{name}" for name in ("addresses", "names", "dates", "ids", "numbers"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("took 5.3 ms, 1,000 rows, x7", f"took {M} ms, {M} rows, x{M}"),
        ("from 10.0.0.7:80 and 192.168.1.255", f"from {A} and {A}"),
        ("from fe80:0:0:0:1:2:3:4", f"from {A}"),
        ("see https://a.example/b?c=1 or mail a.b+c@example.org now", f"see {A} or mail {A} now"),
        ("thanks @some_user, and @Zoë!", f"thanks {N}, and {N}!"),
        ("2026-11-18T20:15:07.123Z started", f"{D} started"),
        ("2026-11-18 20:15:07,123 +0200", f"{D} +{M}"),
        ("Wed Jun 08 10:43:58 2026: up", f"{D}: up"),
        ("on 18.11.2026 and 18 November 2026, 5:30 pm", f"on {D} and {D}"),
        ("id 123e4567-e89b-12d3-a456-426614174000 end", f"id {ID} end"),
        ("at 0xdeadbeef in 9f86d081884c7d65", f"at {ID} in {ID}"),
        ("٣ apples and ４ pears", f"{M} apples and {M} pears"),
        ("May I decide? Accede, be a decade.", "May I decide? Accede, be a decade."),
    ],
)
def test_what_is_masked(text: str, expected: str) -> None:
    assert masked_text(text, parsed("all")) == expected


def test_only_what_was_asked_for_is_masked() -> None:
    text = "@you: 7 of 10.0.0.7 on 2026-11-18"
    assert masked_text(text, parsed("names")) == f"{N}: 7 of 10.0.0.7 on 2026-11-18"
    assert masked_text(text, ()) == text
    assert parsed("") == ()


LINES = [
    "Receiving block blk_78 src /10.0.0.7 dest /10.0.0.8 at node 5",
    "Receiving block blk_4501 src /10.1.0.9 dest /10.7.0.6 at node 12",
    "Deleting block blk_4501 from the volume since nobody wants to have it any more",
]


def test_lines_of_a_template_are_one_cluster_and_refer_to_their_own_texts() -> None:
    assert not neardup.documents(LINES).pairs.num_rows
    found = neardup.documents(LINES, mask="numbers,addresses")
    assert found.clusters["id"].to_pylist() == found.documents["id"].to_pylist()[:2]
    assert found.documents["length"].to_pylist() == [len(line) for line in LINES]
    why = found.explain(*found.documents["id"].to_pylist()[:2])
    assert (why.resemblance, why.text_a, why.text_b) == (1.0, *LINES[:2])
    for passage in why.passages:
        assert LINES[0][passage.start_a : passage.end_a] == LINES[1][passage.start_b : passage.end_b]


def test_masks_and_exclusions_go_together() -> None:
    lines = pa.table({"text": [f'{line} "quoted as it were {n}"' for n, line in enumerate(LINES)]})
    found = neardup.documents(lines, mask="all", exclude_quoted=True)
    assert found.pairs.num_rows == 1
    assert found.documents["length"].to_pylist() == [len(text) for text in lines["text"].to_pylist()]


def test_an_unknown_mask_is_refused() -> None:
    with pytest.raises(SettingsError, match="mask must be some of all, addresses"):
        neardup.documents(LINES, mask="number")
