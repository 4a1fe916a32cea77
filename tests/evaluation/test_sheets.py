"""Sheets that people filled in: precision, intervals, kinds and agreement."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.command_line import Command
from tests.evaluation.written import write

import neardup
from neardup.chance import share_interval
from neardup.errors import InputError, SettingsError
from neardup.evaluation import judged
from neardup.evaluation.precision import Precision, precisions, together
from neardup.evaluation.sheets import bands
from neardup.showing.judged import LABELS, Label, majority

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
    assert (found.empty, found.unknown, found.judges, found.answers) == (1, 1, ["marks.csv"], None)
    kinds = {own.kind: own for own in found.kinds}
    identical, similar = kinds.values()
    assert (identical.same, identical.different, identical.pairs) == (2, 0, 3)
    assert (identical.low, identical.high) == pytest.approx(share_interval(2, 2, population=3))
    assert (similar.precision, similar.unsure, similar.pairs) == (0.0, 1, 3)
    # three identical pairs, and of three others half would be sure: 1 in 3 of those 4.5
    assert found.all.precision == pytest.approx(2 / 3)
    assert 0 < found.all.low < 2 / 3 < found.all.high < 1


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
    assert two.sure is not None and two.answers == two.sure
    assert (two.sure.agreed, two.sure.kappa) == pytest.approx((0.75, 0.5))
    assert (two.all.same, two.all.different, two.all.unsure) == (2, 1, 1), "nobody decides the last"
    third = sheet("c.csv", "sssu", "Ann")
    three = judged(result, [sheet("a.csv", "ssdd"), sheet("b.csv", "ssds"), third])
    assert "Ann" in three.judges
    # agreed: 1, 1, 1/3, 0; by chance: (8² + 3² + 1²) / 12²
    chance = (64 + 9 + 1) / 144
    assert three.answers is not None and three.sure is not None
    assert three.answers.kappa == pytest.approx(((2 + 1 / 3) / 4 - chance) / (1 - chance))
    # without the pair of which Ann is unsure: 1, 1, 1/3; by chance: (7² + 2²) / 9²
    chance = (49 + 4) / 81
    assert three.sure_of == 3
    assert three.sure.kappa == pytest.approx(((2 + 1 / 3) / 3 - chance) / (1 - chance))
    again = judged(result, [sheet("a.csv", "ssss", "Bo"), sheet("b.csv", "ddss", "Bo")])
    assert again.judges == ["Bo"] and again.all.different == 2, "the last word counts"


def test_the_majority_decides() -> None:
    assert majority(["same", "same", "different"]) == "same"
    assert majority(["same", "same", "unsure"]) == "same"
    assert majority(["unsure", "unsure", "different"]) == "unsure", "most are"
    assert majority(["same", "different"]) == majority(["same", "unsure"]) == "unsure"
    assert majority(["same", "same", "different", "unsure"]) == "unsure", "half is not the majority"


def test_sheets_of_one_name_are_of_two_judges(tmp_path: Path, result: neardup.Result) -> None:
    head = "left,right,label\n"
    for name in ("ann", "bo"):
        (tmp_path / name).mkdir()
    paths = [
        write(tmp_path / name / "sheet.csv", f"{head}d0,d1,same\nd0,d2,{label}\n")
        for name, label in (("ann", "same"), ("bo", "different"))
    ]
    found = judged(result, paths)
    assert found.judges == [str(path) for path in paths]
    assert (found.all.same, found.all.unsure, found.judged_by_all) == (1, 1, 2)
    assert len(judged(result, [paths[0], paths[0]]).judges) == 1, "the same sheet is one"


def test_a_sample_is_weighed_by_what_it_was_drawn_by(tmp_path: Path, result: neardup.Result) -> None:
    rows = "".join(
        f"{pair},{label},{{}}\n" for pair, label in (("d0,d1", "same"), ("d0,d3", "different"))
    )
    head = "left,right,label,drawn_by\n"
    by_chance = judged(result, write(tmp_path / "a.csv", head + rows.replace("{}", "")))
    assert by_chance.all.precision == 0.5 and by_chance.all.pairs == 6
    assert by_chance.all.low == share_interval(1, 2, population=6).low
    by_size = judged(result, write(tmp_path / "b.csv", head + rows.replace("{}", "containment_b")))
    assert [own.kind for own in by_size.kinds] == ["0.933333", "1"] and by_size.by == "containment_b"
    with pytest.raises(InputError, match="drawn differently"):
        judged(result, [tmp_path / "a.csv", tmp_path / "b.csv"])
    with pytest.raises(SettingsError, match="have no colour"):
        judged(result, write(tmp_path / "c.csv", head + rows.replace("{}", "colour")))
    one = write(tmp_path / "d.csv", head + "d0,d1,same,kind\n")
    assert judged(result, one).unjudged == 3, "pairs of the other kind"


def test_who_judges_everything_knows_everything(tmp_path: Path, result: neardup.Result) -> None:
    pairs = result.pairs.select(["id_a", "id_b"]).to_pylist()
    labels = ["same", "same", "different", "unsure", "same", "different"]
    for by in (None, "", "kind", "containment_b"):
        head = "left,right,label" + ("" if by is None else ",drawn_by") + "\n"
        end = "" if by is None else f",{by}"
        lines = [
            f"{pair['id_a']},{pair['id_b']},{label}{end}\n"
            for pair, label in zip(pairs, labels, strict=True)
        ]
        found = judged(result, write(tmp_path / "all.csv", head + "".join(lines))).all
        assert (found.precision, found.low, found.high) == pytest.approx((0.6, 0.6, 0.6))


def test_intervals_of_what_is_drawn_by_kind_hold_the_truth() -> None:
    """The usual kind is right 0.97 times, the rare ones less; as many are drawn of each."""
    random = np.random.default_rng(11)
    sizes, rights, unsure = (4000, 600, 80), (0.97, 0.6, 0.2), 0.1
    kinds = np.repeat(np.arange(3), sizes)
    same = random.random(len(kinds)) < np.take(rights, kinds)
    sure = random.random(len(kinds)) >= unsure
    truth = same[sure].mean()
    label = np.where(sure, np.where(same, 0, 1), 2)
    counts = {str(kind): size for kind, size in enumerate(sizes)}
    held, means = 0, []
    for _ in range(300):
        drawn = np.concatenate([random.choice(np.flatnonzero(kinds == k), 40, False) for k in range(3)])
        by_pair: dict[tuple[str, str], dict[str, Label]] = {
            (str(row), ""): {"me": LABELS[label[row]]} for row in drawn
        }
        kind_of = {(str(row), ""): str(kinds[row]) for row in drawn}
        found = together(precisions(kind_of, by_pair, Counter(counts)))
        assert found.precision is not None
        means.append(found.precision)
        held += found.low <= truth <= found.high
    assert np.mean(means) == pytest.approx(truth, abs=0.01)
    assert held / 300 > 0.93


def test_numbers_are_cut_into_tenths() -> None:
    values = [*np.linspace(0.5, 1, 101).tolist(), None]
    found = bands(pa.chunked_array([pa.array(values)]))
    counts = Counter(found)
    assert len(counts) == 11 and counts[""] == 1
    assert {counts[name] for name in counts if name} <= {10, 11}
    assert found[0] == "0.5 to 0.55" and found[100].endswith("to 1")
    assert set(bands(pa.chunked_array([pa.array([1.0] * 99 + [2.0])]))) == {"1 to 2"}


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
    assert "all pairs 0.3333" in done.said
    assert "2 judges, 3 pairs judged by all" in done.said
    assert "same or different: 66.7 % agreed of 3 pairs, Cohen's κ 0.4000" in done.said
    assert command("evaluate", result.folder, "--sheet", one, "--json").json["all"]["same"] == 2
    for wrong in ([], ["--sheet", one, "--gold", one]):
        assert (
            "evaluate needs either --gold or --sheet" in command("evaluate", result.folder, *wrong).said
        )
