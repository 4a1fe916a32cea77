"""`neardup evaluate`: what it prints."""

from pathlib import Path

from tests.command_line import Command
from tests.evaluation.written import (
    SOURCES,
    SUSPICIOUS,
    feature,
    pan_result,
    passage,
    write,
    write_pan,
    write_result,
)

import neardup
from neardup.evaluation import (
    evaluate,
)


def test_a_real_run_is_evaluated(tmp_path: Path, command: Command) -> None:
    text = "The ferry to the island leaves at nine in the morning from the old pier"
    texts = {
        "one": text,
        "two": f"{text}.",
        "three": "Something else entirely, with enough words in it.",
    }
    records = [{"id": name, "text": value} for name, value in texts.items()]
    neardup.documents(records, output=tmp_path / "out")
    gold = write(tmp_path / "gold.csv", "id,cluster\none,1\ntwo,1\nthree,2\n")
    done = command("evaluate", tmp_path / "out", "--gold", gold)
    assert done.code == 0
    assert "pairs 1.0000 1.0000 1.0000" in done.said
    assert "adjusted Rand index 1.0000" in done.said
    assert "1 of 1 clusters found exactly (1.0000); 1 found in all" in done.said


def test_the_command_prints_groups_and_what_is_left_out(tmp_path: Path, command: Command) -> None:
    susp, source = "suspicious-document00001.txt", "source-document00001.txt"
    gold = tmp_path / "gold"
    long = "a folder with a long name [1]"
    write_pan(gold / long, {susp: [feature((0, 100), (0, 100), source)]}, [f"{susp} {source}"])
    write_pan(gold / "two", {}, [f"{susp} source-document00002.txt", f"{susp} nowhere.txt"])
    found = [
        passage((0, 100), (0, 100), SUSPICIOUS, SOURCES[0]),
        passage((0, 9), (0, 9), SUSPICIOUS, SOURCES[1]),
        passage((0, 9), (0, 9), *SOURCES),
    ]
    out = pan_result(tmp_path / "out", found)
    done = command("evaluate", out, "--gold", gold)
    assert done.code == 0
    assert f"{long} 1.0000 1.0000 1.0000 1.0000 1 1 1 two 0.0000" in done.said
    assert "all 0.6667 0.5000 1.0000 1.0000 1 1 2" in done.said
    assert "pairs without reuse in which passages were found: 1 of 2" in done.said
    assert "1 passage found in pairs that the labels do not list: ignored" in done.said
    assert "1 of 4 documents of the labels are not in the result, such as nowhere.txt" in done.said


def test_json_has_every_number_in_full(tmp_path: Path, command: Command) -> None:
    out = write_result(tmp_path / "out", "abcd", [("a", "b"), ("a", "c"), ("a", "d")])
    gold = write(tmp_path / "gold.csv", "id_a,id_b\na,b\n")
    done = command("evaluate", out, "--gold", gold, "--json")
    scores = done.json
    assert done.code == 0
    assert scores == evaluate(out, gold).as_dict()
    assert scores["pairs"]["precision"] == 1 / 3


def test_an_error_ends_with_1_and_a_hint(tmp_path: Path, command: Command) -> None:
    out = write_result(tmp_path / "out", "ab")
    done = command("evaluate", out, "--gold", tmp_path / "nothing.csv")
    assert (done.code, done.out) == (1, "")
    assert "no such file" in done.err
    assert "Traceback" not in done.err
