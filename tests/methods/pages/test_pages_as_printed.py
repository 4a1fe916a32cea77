"""pages --preset paper, held against plain readings of the paper."""

import json
import random
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quality import DATA
from tests.twins import paper_pages
from tests.twins.documents import SEED, mix

import neardup
from neardup.errors import InputError, SettingsError
from neardup.methods.pages.candidates import MergedLists, in_sets
from neardup.methods.pages.settings import PageSettings
from neardup.methods.pages.units import MakePages, units_schema
from neardup.readers.numbers import with_numbers
from neardup.readers.records import records_schema

HAN = [chr(0x4E00 + n) for n in range(2_000)]


def merged_as_printed(lists: list[set[int]]) -> set[frozenset[int]]:
    """Merge lists of the same representative, then those whose representative is in an earlier set."""
    by_first: dict[int, set[int]] = {}
    for own in lists:
        by_first.setdefault(min(own), set()).update(own)
    sets: list[set[int]] = []
    for first in sorted(by_first):
        earlier = next((own for own in sets if first in own), None)
        if earlier is None:
            sets.append(by_first[first])
        else:
            earlier |= by_first[first]
    return set(map(frozenset, sets))


@given(st.lists(st.sets(st.integers(0, 12), min_size=2, max_size=4), min_size=1, max_size=8), st.data())
def test_lists_are_merged_by_what_represents_them(lists: list[set[int]], data: st.DataObject) -> None:
    rows = sorted({(min(own), page) for own in lists for page in own if page != min(own)})
    cut = data.draw(st.integers(0, len(rows)))
    parts = [MergedLists(), MergedLists()]
    schema = pa.schema({"better": pa.int64(), "worse": pa.int64()})
    for part, own in zip(parts, (rows[:cut], rows[cut:]), strict=True):
        columns = np.array(own, np.int64).reshape(-1, 2)
        part.add(pa.RecordBatch.from_arrays([pa.array(c) for c in columns.T], schema=schema))
    parts[1].merge(parts[0])
    columns = np.array(rows, np.int64)
    batch = pa.RecordBatch.from_arrays([pa.array(c) for c in columns.T], schema=schema)
    found: dict[int, set[int]] = {}
    for row in in_sets(batch, {"set_lists": parts[1]}).to_pylist():
        found.setdefault(row["keeper"], set()).add(row["node"])
    assert set(map(frozenset, found.values())) == merged_as_printed(lists)


def sentences(dice: random.Random, count: int, words: int = 12) -> list[str]:
    return [
        "The " + " ".join(f"w{dice.randrange(9_999)}" for _ in range(words)) + "." for _ in range(count)
    ]


def test_all_pages_of_a_set_are_compared_as_often_as_there_are_pages() -> None:
    """Without the limit of the defaults: of 150 pages with one sentence, all pairs are there."""
    dice = random.Random(1)
    story = sentences(dice, 12)
    pages = [" ".join([*story, *sentences(dice, 1)]) for _ in range(150)]
    printed = neardup.pages(pages, preset="paper")
    assert printed.counts["pairs"] == printed.counts["candidates"] == 150 * 149 // 2
    assert printed.counts["similar_sets"] == 1
    assert neardup.pages(pages).counts["pairs"] < 150 * 149 // 2
    cut = neardup.pages(pages, preset="paper", max_list=100)
    assert cut.counts["candidates"] == 149


def test_pages_of_one_template_pair_only_with_more_rounds() -> None:
    """The paper looks again for some applications only; which of its figures did is not said."""
    dice = random.Random(7)
    head, foot = sentences(dice, 4), sentences(dice, 4)
    pages = [" ".join([*head, *sentences(dice, 9), *foot]) for _ in range(4)]
    assert neardup.pages(pages, preset="paper").counts["pairs"] == 0
    assert neardup.pages(pages, preset="paper", rounds=8).counts["pairs"] == 6


def test_sentences_are_not_cut_into_pieces() -> None:
    dice = random.Random(3)
    one, other = (" ".join(f"w{dice.randrange(9_999)}" for _ in range(100)) for _ in range(2))
    pages = [f"{one} {other}", f"{one} {other} and more", one]
    assert neardup.pages(pages, preset="paper").counts["pairs"] == 0, "no sentence is the same"
    assert neardup.pages(pages).counts["pairs"] > 0


def chinese(dice: random.Random, sizes: list[int]) -> str:
    return "".join("".join(dice.choices(HAN, k=size)) + "。" for size in sizes)


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "gb18030"])
def test_sizes_are_bytes_of_gbk_in_whatever_encoding(encoding: str, tmp_path: Path) -> None:
    dice = random.Random(5)
    nine, eight = chinese(dice, [9] * 8), chinese(dice, [8] * 8)
    texts = [nine, nine[: 7 * 10], eight, eight + "好"]
    for number, text in enumerate(texts):
        page = f"<html><head><meta charset='{encoding}'></head><body><p>{text}</p></body></html>"
        (tmp_path / f"{number}.html").write_bytes(page.encode(encoding))
    printed = neardup.pages(str(tmp_path), preset="paper")
    assert {row["problem"] for row in printed.skipped.to_pylist()} == {"no signature"}
    assert printed.skipped.num_rows == 2, "sentences of 16 bytes have no signature, of 18 they do"
    [pair] = printed.pairs.to_pylist()
    assert pair["similarity"] == pytest.approx(7 / 8)
    with pytest.raises(InputError, match="no signature"):  # of 16 characters, none has more
        neardup.pages(str(tmp_path), preset="paper", unit="word")


def test_only_the_first_ten_thousand_bytes_count() -> None:
    dice = random.Random(6)
    same = chinese(dice, [50] * 99)  # 9,900 bytes
    pages = [same + chinese(dice, [2_000]) for _ in range(2)]
    [pair] = neardup.pages(pages, preset="paper").pairs.to_pylist()
    assert pair["similarity"] == pytest.approx(9_900 / (2 * 10_000 - 9_900))


def test_a_window_of_sixteen_bytes_is_eight_characters() -> None:
    dice = random.Random(8)
    shared = [chinese(dice, [8])[:8] for _ in range(30)]
    anchor = chinese(dice, [60])
    pages = [anchor + "".join(dice.choice(HAN) + part for part in shared) for _ in range(2)]
    printed = neardup.pages(pages, preset="paper", slope=0.5, resemblance=0.01)
    narrow = neardup.pages(pages, preset="paper", slope=0.5, resemblance=0.01, window=18)
    assert printed.pairs["similarity"][0].as_py() == pytest.approx((60 + 240) / (60 + 240 + 60))
    assert narrow.pairs["similarity"][0].as_py() == pytest.approx(60 / (2 * 330 - 60))


def test_the_preset_takes_whole_pages_unless_told_otherwise(tmp_path: Path) -> None:
    dice = random.Random(9)
    menu = "".join(f"<li><a href='/{n}'>{text}</a></li>" for n, text in enumerate(sentences(dice, 30)))
    for number in range(3):
        story = "".join(f"<p>{text}</p>" for text in sentences(dice, 2, 5))
        page = f"<html><body><nav><ul>{menu}</ul></nav><main>{story}</main></body></html>"
        (tmp_path / f"{number}.html").write_text(page, encoding="utf-8")
    for method in (neardup.pages, neardup.documents, neardup.passages):
        found = method(str(tmp_path), preset="paper")
        assert found.run["input"]["reader"]["raw"] is True
        if method is not neardup.passages:  # its words are in all of three documents, and do not count
            assert found.counts["pairs"] == 3
        inside = method(str(tmp_path), preset="paper", raw=False)
        assert inside.run["input"]["reader"]["raw"] is False


def test_measures_of_words_say_what_to_take() -> None:
    for measure in ("simhash", "cosine"):
        with pytest.raises(SettingsError, match=f"{measure} compares words.*unit=word"):
            neardup.pages(["one", "two"], preset="paper", measure=measure)


@cache
def fingerprint(sentence: str) -> bytes:
    """Return our own 128 bits of a sentence, in place of MD5: all else is read from the paper."""
    schema = with_numbers(records_schema({}))
    known = {"doc": pa.array([0]), "text": pa.array([sentence], pa.large_string())}
    batch = pa.RecordBatch.from_arrays(
        [known.get(field.name, pa.nulls(1, field.type)) for field in schema], schema=schema
    )
    make = MakePages(units_schema(schema), PageSettings(rule="paper", unit="character"))
    [key] = make(batch, {})["keys"][0].as_py()
    return int(key % 2**64).to_bytes(8) + mix(key % 2**64 ^ SEED).to_bytes(8)


def made_up(dice: random.Random) -> list[str]:
    """Return pages of a few stories, some edited, some in a template."""
    vocabulary = ["".join(dice.choices("abcdefghijkl", k=dice.randrange(2, 9))) for _ in range(150)]

    def sentence() -> str:
        return " ".join(dice.choices(vocabulary, k=dice.randrange(1, 14)))

    def written(own: list[str]) -> str:
        return "".join(one + dice.choice([". ", "! ", "?", ".\n", "\n"]) for one in own)

    head, foot = [sentence() for _ in range(3)], [sentence() for _ in range(3)]
    pages = []
    for _ in range(5):
        story = [sentence() for _ in range(dice.randrange(2, 10))]
        for _ in range(dice.randrange(1, 4)):
            own = list(story)
            for _ in range(dice.randrange(4)):
                place = dice.randrange(len(own))
                words = own[place].split()
                words[dice.randrange(len(words))] = dice.choice(vocabulary)
                own[place : place + dice.randrange(2)] = [" ".join(words)]
            pages.append(written(head + own + foot if dice.random() < 0.3 else own))
    return pages


def check_as_printed(pages: list[str]) -> int:
    expected = {own[:2]: own[2:] for own in paper_pages.near_duplicates(pages, fingerprint)}
    found = {}
    for row in neardup.pages(pages, preset="paper").pairs.to_pylist():
        containment = max(row["containment_a"], row["containment_b"])
        found[row["doc_a"], row["doc_b"]] = row["similarity"], containment
    assert found.keys() == expected.keys()
    for pair, measures in found.items():
        assert measures == pytest.approx(expected[pair])
    return len(found)


@pytest.mark.parametrize("seed", [3, 4])
def test_pairs_are_those_of_the_paper(seed: int) -> None:
    assert check_as_printed(made_up(random.Random(seed))) > 0


@pytest.mark.skipif(not (DATA / "bible").is_dir(), reason="needs the Bible in NEARDUP_DATA")
def test_pairs_of_real_chapters_are_those_of_the_paper() -> None:
    pages = []
    for version in ("KJV", "ASV"):
        book = json.loads((DATA / "bible" / version / "Ruth.json").read_text())["Ruth"]
        pages += ["\n".join(list(chapter.values())[:5]) for chapter in book.values()]
    assert check_as_printed(pages) > 0
