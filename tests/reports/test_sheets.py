"""Pairs that are drawn at random to be judged."""

import csv
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.reports.embedded import texts_in

import neardup
from neardup.errors import OutputError, SettingsError
from neardup.evaluation import judged
from neardup.reports.sheets import draw, sample
from neardup.showing.judged import HEAD

SAME = "the ferry to the island leaves at nine in the morning from the old pier"


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> neardup.Result:
    """Make a result with many identical pairs and few others."""
    texts = [SAME] * 8 + [f"{SAME} {number}" for number in "12"] + [f"=SUM(A1) {SAME[4:]}"]
    records = [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]
    return neardup.documents(records, threshold=0.5, output=tmp_path_factory.mktemp("drawn") / "out")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_sheet_has_both_texts_and_room_for_a_label(tmp_path: Path, result: neardup.Result) -> None:
    made = sample(result, tmp_path / "s.csv", size=500)
    rows = rows_of(made.path)
    assert made.pairs == len(rows) == len(result.pairs)
    assert tuple(rows[0]) == HEAD
    pairs = result.pairs.select(["id_a", "id_b"]).to_pylist()
    ids = {(pair["id_a"], pair["id_b"]) for pair in pairs}
    assert {(row["left"], row["right"]) for row in rows} == ids
    assert all(row["label"] == "" and "ferry" in row["right_text"] for row in rows)
    formula = next(row for row in rows if row["right"] == "d10")
    assert formula["right_text"].startswith("'=SUM"), "which no spreadsheet computes"


def test_chance_draws_the_same_again(result: neardup.Result) -> None:
    first = draw(result, 10, seed=1).tolist()
    assert draw(result, 10, seed=1).tolist() == first
    assert draw(result, 10, seed=2).tolist() != first
    assert draw(result, 20, seed=1).tolist()[:10] == first, "more of the same"
    assert len(set(first)) == 10


def test_as_many_of_each_kind_are_drawn(result: neardup.Result) -> None:
    kinds = result.pairs["kind"].to_pylist()
    drawn = [kinds[row] for row in draw(result, 12, "kind").tolist()]
    assert {drawn.count(kind) for kind in set(kinds)} == {6}
    every = draw(result, 10**6, "kind").tolist()
    assert sorted(every) == list(range(len(kinds)))


def test_as_many_of_each_tenth_of_a_number_are_drawn(tmp_path: Path) -> None:
    texts = [" ".join(f"w{word}" for word in range(40 + 3 * n)) for n in range(12)]
    result = neardup.documents(texts, threshold=0.3, shingle="word:2", output=tmp_path / "out")
    made = sample(result, tmp_path / "s.csv", size=20, by="similarity")
    assert 2 <= len(made.kinds) <= 10 and max(made.kinds.values()) - min(made.kinds.values()) <= 1
    assert {row["drawn_by"] for row in rows_of(made.path)} == {"similarity"}


def test_the_report_has_just_these_pairs(tmp_path: Path, result: neardup.Result) -> None:
    made = sample(result, tmp_path / "s.csv", size=4)
    assert len(texts_in(made.report)) == 4


def test_a_sheet_is_there_when_all_is(
    tmp_path: Path, result: neardup.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("neardup.reports.sheets.report", full)
    with pytest.raises(OSError, match="No space"):
        sample(result, tmp_path / "s.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_is_not_written_over(tmp_path: Path, result: neardup.Result) -> None:
    path = sample(result, tmp_path / "s.csv", size=2).path
    with pytest.raises(OutputError, match="already there"):
        sample(result, path)
    with pytest.raises(SettingsError, match="have no colour"):
        sample(result, tmp_path / "t.csv", by="colour")


def test_a_filled_in_sheet(tmp_path: Path, command: Command, result: neardup.Result) -> None:
    sheet = tmp_path / "s.csv"
    done = command("sample", result.folder, "--size", 6, "--by", "kind", "-o", sheet)
    assert done.code == 0, done.said
    assert "6 pairs to judge" in done.said
    rows = rows_of(sheet)
    for row in rows:
        row["label"] = "same" if row["similarity"] == "1.0" else "different"
    with sheet.open("w", newline="") as out:
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    found = judged(result, sheet)
    assert (found.all.same, found.all.different) == (3, 3)
    assert {own.precision for own in found.kinds} == {0.0, 1.0}


def test_sentences_are_judged_by_themselves(tmp_path: Path) -> None:
    says = "The ferry to the island leaves at {} in the morning from the old pier by the market."
    texts = [f"{says.format(hour)} Nothing else is known of it." for hour in ("nine", "ten")]
    result = neardup.sentences(texts, output=tmp_path / "out")
    rows = rows_of(sample(result, tmp_path / "s.csv").path)
    row = next(row for row in rows if "ferry" in row["left"])
    assert row["left_text"] == row["left"] == says.format("nine")
    marks = tmp_path / "marks.csv"
    marks.write_text(f'left,right,label\n"{row["left"]}","{row["right"]}",different\n')
    assert judged(result, marks).all.different == 1
