"""Whether articles that share sentences share citations: held against counting by hand."""

import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from tests.command_line import Command

import neardup
from neardup.errors import InputError
from neardup.evaluation.citation_study import class_of, study_citations
from neardup.methods.sentences.settings import SentenceSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source
from neardup.settings.run import RunSettings

REF = "&lt;ref>{{{{cite book|isbn=978-0-14-0449{n:02}-{n}|url=http://www.a.org/{n}/}}}}&lt;/ref>"


def articles(rng: random.Random) -> list[tuple[list[str], list[int]]]:
    """Sentences and citations; the second of each two takes over some of both."""
    words = [f"word{n}" for n in range(900)]

    def sentence() -> str:
        return " ".join(rng.sample(words, 12)).capitalize() + "."

    made: list[tuple[list[str], list[int]]] = []
    for number in range(16):
        own, cited = [sentence() for _ in range(12)], rng.sample(range(10, 60), rng.randrange(4))
        if number % 2:
            before, others = made[-1]
            own += before[: rng.choice([0, 1, 3, 6, 11])]
            cited += others[: rng.randrange(3)]
        made.append((own, cited))
    return made


def test_pairs_are_counted_as_by_hand(tmp_path: Path, command: Command) -> None:
    made, path = articles(random.Random(5)), tmp_path / "dump.xml"
    pages = "".join(
        f"<page><title>T{n}</title><ns>0</ns><id>{n + 1}</id><revision><id>{n}</id><text>"
        + " ".join(own).replace(
            ".", "." + "".join(REF.format(n=c) for c in cited).replace("<", "&lt;"), 1
        )
        + "</text></revision></page>"
        for n, (own, cited) in enumerate(made)
    )
    path.write_text(f"<mediawiki>{pages}</mediawiki>")
    done = command("study", "citations", path, "-o", tmp_path / "out", "--preset", "paper")
    assert done.code == 0, done.said
    rows = {r["sentences"]: r for r in json.loads((tmp_path / "out" / "study.json").read_text())["rows"]}
    expected: dict[str, list[bool]] = {name: [] for name in rows}
    for (one, cited), (other, others) in combinations(made, 2):
        if cited and others:
            both = len(set(one) & set(other))
            expected[class_of(both) if both else "none"].append(bool(set(cited) & set(others)))
    assert {n: (r["pairs"], r["citing"]) for n, r in rows.items()} == {
        name: (len(own), sum(own)) for name, own in expected.items()
    }
    assert sum(row["pairs"] for name, row in rows.items() if name != "none") >= 3
    assert (tmp_path / "out" / "plots" / "citations.svg").is_file()
    columns = neardup.sentences(path).documents.column_names
    assert "source citations" not in columns


def test_plain_texts_cite_what_stands_in_them() -> None:
    texts = [
        "The old bridge was opened in the year by the mayor himself. See https://doi.org/10.1000/X.",
        "The old bridge was opened in the year by the mayor himself. It is doi:10.1000/x, they say.",
        "Nothing of all this is said by anybody else here. Nor is anything cited at all.",
    ]
    source = open_source(texts, ReaderSettings())
    study = study_citations(source, SentenceSettings(split="sentences"), RunSettings.make(1, None))
    [first] = [row for row in study.rows if row.pairs]
    assert (first.sentences, first.citing, first.jaccard) == ("1", 1, 1.0)
    source = open_source(texts[2:], ReaderSettings())
    with pytest.raises(InputError, match="fewer than two documents cite"):
        study_citations(source, SentenceSettings(split="sentences"), RunSettings.make(1, None))
