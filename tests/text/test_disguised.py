"""Texts whose words may hide: told from texts that only have foreign names, units and formulas."""

import pyarrow as pa
import pytest
from tests.corpora import prose

from neardup.text.disguised import disguised

TEXT = prose(120, seed=60)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TRICKS = {
    "cyrillic": TEXT.translate(str.maketrans("aeo", "аео")),
    "greek": TEXT.replace("o", "ο"),
    "bold": TEXT.translate({ord(c): 0x1D41A + n for n, c in enumerate(LETTERS)}),
    "wide": TEXT.translate({ord(c): 0xFF41 + n for n, c in enumerate(LETTERS)}),
    "zero width": TEXT.replace("e", "e\u200b"),
    "spaced": "  ".join(" ".join(word) for word in TEXT.split()),
}
HONEST = {
    "plain": TEXT,
    "russian": "Мост через реку закрыт для грузовиков, сказал мэр. " * 30
    + "См. Linux, DVD-диск, 5 кВт.",
    "formulas": f"{TEXT} Let α be in 𝐀 and 𝐁, 5 μm of ΔG, and β-cells. " * 4,
    "japanese": "橋はＮＨＫＷＯＲＬＤによるとＣＬＯＳＥＤです。" * 20,
    "thai": "สะพาน\u200bปิด\u200bแล้ว\u200b" * 40,
    "soft hyphens": TEXT.replace("e", "e\u00ad"),
    "a long text with some formulas": TEXT * 100 + " a" + " vα" * 12,
    "heading": f"T A B L E  O F  C O N T E N T S\n\n{TEXT}",
}


@pytest.mark.parametrize("name", TRICKS)
def test_tricks_are_seen(name: str) -> None:
    assert disguised(pa.array([TRICKS[name], TEXT])).to_pylist() == [True, False]


@pytest.mark.parametrize("name", HONEST)
def test_honest_texts_are_left_alone(name: str) -> None:
    assert disguised(pa.array([HONEST[name], None, ""], pa.large_string())).to_pylist() == [False] * 3
