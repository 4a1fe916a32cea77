"""Sheets that people filled in: precision, intervals, kinds and agreement."""

from pathlib import Path

import pytest
from tests.command_line import Command
from tests.evaluation.written import write

import neardup
from neardup.chance import share_interval
from neardup.errors import InputError
from neardup.evaluation import judged
from neardup.evaluation.sheets import Precision, majority, together

TEXT = "The ferry to the island leaves at nine in the morning from the old pier by the market"


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> neardup.Result:
    """Make a result with six pairs, three of them identical."""
    texts = [TEXT, TEXT, TEXT, f"{TEXT} hall"]
    records = [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]
    return neardup.documents(records, output=tmp_path_factory.mktemp("judged") / "out")


def test_precision_with_its_interval_and_by_kind(tmp_path: Path, result: neardup.Result) -> None:
    rows = "left,right,label\nd0,d1,same\nd2,d0,Same\nd1,d2,\nd0,d3,different\nd3,d1,unsure\nd3,x,same\n"
    found = judged(result, write(tmp_path / "marks.csv", rows))
    assert (found.empty, found.unknown, found.judges, found.kappa) == (1, 1, ["marks.csv"], None)
    kinds = {own.kind: own for own in found.kinds}
    identical, similar = kinds.values()
    assert (identical.same, identical.different, identical.pairs) == (2, 0, 3)
    assert (identical.low, identical.high) == pytest.approx(share_interval(2, 2))
    assert (similar.precision, similar.unsure, similar.pairs) == (0.0, 1, 3)
    assert found.all.precision == 0.5, "as many pairs of both kinds"
    assert 0 < found.all.low < 0.5 < found.all.high < 1


def test_one_kind_has_the_interval_of_its_share() -> None:
    [own] = kinds = [Precision("", 1000, 90, 10, 0, 0.9, *share_interval(90, 100))]
    all_kinds = together(kinds)
    assert (all_kinds.low, all_kinds.high) == pytest.approx((own.low, own.high))


def test_kinds_are_weighed_by_their_pairs() -> None:
    rare = Precision("rare", 10, 5, 5, 0, 0.5, *share_interval(5, 10))
    usual = Precision("usual", 990, 9, 1, 0, 0.9, *share_interval(9, 10))
    assert together([rare, usual]).precision == pytest.approx(0.01 * 0.5 + 0.99 * 0.9)
    nobody_sure = Precision("unsure", 5, 0, 0, 3, None, 0, 1)
    assert together([nobody_sure]).precision is None
    assert together([nobody_sure, usual]).precision == pytest.approx(0.9)


def test_judges_are_told_apart_by_file_or_column(tmp_path: Path, result: neardup.Result) -> None:
    pairs = ["d0,d1", "d0,d2", "d1,d2", "d0,d3"]

    def sheet(name: str, labels: str, judge: str = "") -> Path:
        words = {"s": "same", "d": "different", "u": "unsure"}
        lines = [f"{pair},{words[label]},{judge}\n" for pair, label in zip(pairs, labels, strict=True)]
        return write(tmp_path / name, "left,right,label,judge\n" + "".join(lines))

    two = judged(result, [sheet("a.csv", "ssdd"), sheet("b.csv", "ssds")])
    assert two.judges == ["a.csv", "b.csv"] and two.judged_by_all == 4
    assert two.kappa == pytest.approx(0.5)
    assert (two.all.same, two.all.different, two.all.unsure) == (2, 1, 1), "nobody decides the last"
    third = sheet("c.csv", "sssu", "Ann")
    three = judged(result, [sheet("a.csv", "ssdd"), sheet("b.csv", "ssds"), third])
    assert "Ann" in three.judges
    # agreed: 1, 1, 1/3, 0; by chance: (8² + 3² + 1²) / 12²
    chance = (64 + 9 + 1) / 144
    assert three.kappa == pytest.approx(((2 + 1 / 3) / 4 - chance) / (1 - chance))
    again = judged(result, [sheet("a.csv", "ssss", "Bo"), sheet("b.csv", "ddss", "Bo")])
    assert again.judges == ["Bo"] and again.all.different == 2, "the last word counts"


def test_the_majority_decides() -> None:
    assert majority(["same", "same", "different"]) == "same"
    assert majority(["unsure", "unsure", "different"]) == "different"
    assert majority(["same", "different"]) == majority(["unsure"]) == "unsure"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left,right\nd0,d1\n", "no column label"),
        ("left,right,label\nd0,d1,same\nd0,d2,maybe\n", r"s.csv:3: 'maybe' is not a label"),
        ("left,right,label\nx,y,same\n", "none of 1 judged pairs is in this result"),
        ("left,right,label\nd0,d1,\n", "no pair is judged"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_told(
    tmp_path: Path, result: neardup.Result, text: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        judged(result, write(tmp_path / "s.csv", text))


def test_sheets_of_other_spreadsheets(tmp_path: Path, result: neardup.Result) -> None:
    for text in ("left;right;label\nd0;d1;same\n", "\ufeffLeft\tRight\tLabel\nd0\td1\tsame\n"):
        assert judged(result, write(tmp_path / "s.csv", text)).all.same == 1


def test_the_command(tmp_path: Path, result: neardup.Result, command: Command) -> None:
    one = write(tmp_path / "a.csv", "left,right,label\nd0,d1,same\nd0,d2,same\nd0,d3,different\n")
    other = write(tmp_path / "b.csv", "left,right,label\nd0,d1,same\nd0,d2,different\nd0,d3,different\n")
    done = command("evaluate", result.folder, "--sheet", one, "--sheet", other)
    assert done.code == 0, done.said
    assert "all kinds 0.5000" in done.said
    assert "2 judges, 3 pairs judged by all: Cohen's κ 0.4000" in done.said
    assert command("evaluate", result.folder, "--sheet", one, "--json").json["all"]["same"] == 2
    for wrong in ([], ["--sheet", one, "--gold", one]):
        assert "either --gold or --sheet" in command("evaluate", result.folder, *wrong).said
