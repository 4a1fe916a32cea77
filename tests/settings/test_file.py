"""Files of settings: TOML or JSON in place of options, for every method."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import write

import neardup
from neardup.errors import InputError, SettingsError
from neardup.settings.file import Option, read_options

OWN = {
    "documents": "threshold",
    "passages": "threshold",
    "sentences": "max-distance",
    "threads": "threshold",
    "pages": "resemblance",
}
TEXTS = [{"id": "a", "title": "one two", "body": "three", "answer": "four", "text": "one two three"}]


def small(value: Any) -> str | None:
    return None if isinstance(value, int) and value < 10 else f"{value!r} is not small"


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    allowed = {
        "threshold": Option(),
        "max_shared": Option(),
        "fields": Option(),
        "signature": Option(True),
    }
    expected = {
        "threshold": 0.4,
        "max_shared": 3,
        "fields": "title=0.5,body=0.5",
        "signature": ["title=imatch"],
    }
    plain = tmp_path / "s.toml"
    plain.write_text(
        "threshold = 0.4\nmax-shared = 3\n"
        "fields = {title = 0.5, body = 0.5}\nsignature.title = 'imatch'\n"
    )
    assert read_options(plain, "threads", allowed) == expected
    tuned = tmp_path / "s.json"
    own = {**expected, "fields": {"title": 0.5, "body": 0.5}, "signature": {"title": "imatch"}}
    tuned.write_text(json.dumps({"method": "threads", "settings": own, "counts": {"threads": 3}}))
    assert read_options(tuned, "threads", allowed) == expected


def test_all_that_is_wrong_is_told_at_once_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"beauty": 1, "bands": 99, "truth": 2, "rows": 100, "threshold": 1}))
    allowed = dict.fromkeys(["bands", "rows", "threshold"], Option(problem=small))
    with pytest.raises(SettingsError) as caught:
        read_options(path, "documents", allowed)
    said = str(caught.value)
    for part in (
        "no setting beauty, truth",
        "bands cannot be 99: 99 is not small",
        "rows cannot be 100",
        "s.json",
    ):
        assert part in said


@pytest.mark.parametrize("content", ["[1]", "nonsense", '{"settings": 3}'])
def test_what_are_no_settings_is_refused(tmp_path: Path, content: str) -> None:
    for name in ("s.json", "s.toml"):
        path = tmp_path / name
        path.write_text(content)
        with pytest.raises((InputError, SettingsError)):
            read_options(path, "documents", {})
    with pytest.raises(InputError, match="no such file"):
        read_options(tmp_path / "none.toml", "documents", {})


@pytest.mark.parametrize("method", OWN)
def test_every_method_takes_a_file_and_options_go_before_it(
    method: str, tmp_path: Path, command: Command
) -> None:
    source = write(tmp_path / "a.jsonl", TEXTS)
    name, path = OWN[method], tmp_path / "s.toml"
    given = (method, source, "-o", tmp_path / "out", "--explain", "--settings", path)
    path.write_text(f"{name} = 7\n")
    done = command(*given)
    assert done.code > 0
    assert "at most 1: got 7" in done.said
    assert command(*given, f"--{name}", "0.3").code == 0
    path.write_text(f"{name} = 'high'\nbeauty = 1\n")
    done = command(*given)
    assert done.code > 0
    assert "no setting beauty" in done.said
    assert f"{name.replace('-', '_')} cannot be 'high'" in done.said
    path.write_text(f"{name} = true\n")
    done = command(*given)
    assert done.code > 0
    assert f"{name.replace('-', '_')} cannot be True" in done.said


def test_the_settings_of_a_result_are_settings(tmp_path: Path, command: Command) -> None:
    pages = [{"id": str(i), "html": f"<p>one two three {i} four five six seven</p>"} for i in range(3)]
    source = write(tmp_path / "a.jsonl", pages)
    neardup.pages(str(source), output=tmp_path / "out", resemblance=0.9)
    path = tmp_path / "out" / "run.json"
    assert command("pages", source, "-o", tmp_path / "again", "--settings", path, "-q").code == 0
    assert (
        neardup.Result(tmp_path / "again").run["settings"] == neardup.Result(path.parent).run["settings"]
    )
