"""All words that people read in reports and on the server's pages: those of `static/words.json`."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def all_words() -> Mapping[str, Any]:
    """Return the words, what depends on a number, the names of values, and the keys."""
    text = (files("neardup.web") / "static" / "words.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def language() -> str:
    """Return the language that the words are of."""
    return str(all_words()["language"])


def say(key: str, **values: object) -> str:
    """Return the words of a key, with values where their names stand in braces.

    >>> say("report.files", number=1200)
    '1,200 files'
    """
    shown = {name: f"{v:,}" if isinstance(v, int) else v for name, v in values.items()}
    return str(all_words()["words"][key]).format_map(shown)


def counted(number: int, name: str) -> str:
    """Return a number of things.

    >>> counted(1, "cluster"), counted(2000, "cluster")
    ('1 cluster', '2,000 clusters')
    """
    return f"{number:,} {all_words()['plurals'][name][number != 1]}"


def plural(name: str) -> tuple[str, str]:
    """Return what one thing is called, and several."""
    one, many = all_words()["plurals"][name]
    return one, many


def column_label(name: str) -> str:
    """Return what a column is called; one that has no words of its own by its name.

    >>> column_label("containment_a"), column_label("same_site")
    ('A in B', 'Same site')
    """
    return str(all_words()["words"].get(f"column.{name}", name.replace("_", " ").capitalize()))


def value_name(value: str) -> str:
    """Return what a value of the results is called.

    >>> value_name("no_words"), value_name("identical")
    ('no words', 'identical')
    """
    return str(all_words()["names"].get(value, value.replace("_", " ")))
