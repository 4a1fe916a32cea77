"""Where duplicates come from."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from tests.command_line import Command

import neardup
from neardup.errors import InputError
from neardup.retrieval.origins import origin, taxonomy


@pytest.mark.parametrize(
    ("a", "b", "similarity", "kind"),
    [
        ("http://x.org/a", "https://www.x.org/a/", 0.9, "URL variation"),
        ("http://x.org", "http://X.ORG:80/index.html", 0.9, "URL variation"),
        ("http://x.org/a?b=1&sid=7", "http://x.org/a?SID=8&b=1", 0.9, "URL variation"),
        ("http://x.org/a;jsessionid=12", "http://x.org/a", 0.9, "URL variation"),
        ("http://x.org/%7Ejoe/", "http://x.org/~joe", 0.9, "URL variation"),
        ("http://x.org/a#one", "x.org/a", 0.9, "URL variation"),
        ("http://x.org/a", "http://x.org/print?page=a", 1.0, "URL variation"),
        ("http://x.org/a", "http://x.org/b", 0.9, "editorial variation"),
        ("http://x.org/a?page=1", "http://x.org/a?page=2", None, "editorial variation"),
        ("http://x.org/a/b.html", "http://mirror.net/a/b.html", 1.0, "mirror"),
        ("http://x.org/", "http://y.org/", 1.0, "other"),
        ("http://x.org:8080/a", "http://x.org/b", 0.9, "other"),
        ("http://x.org/a", "http://y.org/b", 0.9, "other"),
        ("http://x.org/a", "http://x.org/a", 1.0, "crawled again"),
        ("http://x.org/a", "http://x.org/a", None, "crawled again"),
        ("http://x.org/a", "http://x.org/a", 0.9, "editorial variation"),
        ("http://x.org/a", None, 0.9, "unknown"),
        ("http://x.org/a", "http://[half", 0.9, "unknown"),
        ("http:///a", "http://x.org/a", 0.9, "unknown"),
    ],
)
def test_origins(a: str, b: str | None, similarity: float | None, kind: str) -> None:
    assert origin(a, b, similarity) == kind
    assert origin(b, a, similarity) == kind


SPELT = ("http://x.org/a", "https://x.org/a")


@pytest.mark.parametrize(
    ("urls", "similarity", "dates", "titles", "kind"),
    [
        (
            ("http://x.org/a", "https://x.org/a"),
            0.9,
            ("2024", "2025"),
            (None, None),
            "editorial variation",
        ),
        (SPELT, 1.0, ("2024", "2025"), (None, None), "URL variation"),
        (SPELT, 0.9, ("2024", None), (None, None), "URL variation"),
        ((None, None), 0.9, ("2024", "2025"), ("Law", "Law"), "editorial variation"),
        ((None, None), 0.9, ("2024", "2025"), ("Law", "Act"), "unknown"),
        ((None, None), 0.9, ("2024", "2024"), ("Law", "Law"), "unknown"),
        ((None, "http://x.org/a"), 0.9, ("2024", "2025"), (None, None), "unknown"),
    ],
)
def test_dates_tell_updates(
    urls: tuple[str | None, str | None],
    similarity: float,
    dates: tuple[str | None, str | None],
    titles: tuple[str | None, str | None],
    kind: str,
) -> None:
    assert origin(*urls, similarity, dates, titles) == kind
    assert origin(*urls[::-1], similarity, dates[::-1], titles[::-1]) == kind


TEXT = "The ferry to the island leaves at nine in the morning from the old pier by the market hall"


def test_each_duplicate_of_a_result_has_its_origin() -> None:
    urls = {
        "a": "http://x.org/a",
        "b": "http://www.x.org/a/",
        "c": "http://y.org/a",
        "d": "http://z.org/d",
    }
    records = [{"id": own, "text": TEXT, "url": url} for own, url in urls.items()]
    records.append({"id": "e", "text": "Something else stands here.", "url": ""})
    found = taxonomy(neardup.documents(records, keep="first"))
    assert {own.id: own.origin for own in found.duplicates} == {
        "b": "URL variation", "c": "mirror", "d": "other",
    }  # fmt: skip
    assert {own.keeper for own in found.duplicates} == {"a"}
    assert list(found.counts) == ["URL variation", "mirror", "other"]
    assert found.sites() == [("x.org", 1), ("y.org", 1), ("z.org", 1)]
    assert [own.id for own in found.examples("mirror", 5)] == ["c"]


LONG = [
    "The ferry to the island leaves at nine in the morning from the old pier by the market hall.",
    "Whoever misses it has to wait for the mail boat, which takes no dogs and no bicycles at all.",
    "In winter both stay in the harbour, and people walk over the ice as their grandparents did.",
]


@pytest.mark.parametrize("method", ["documents", "passages", "sentences", "pages", "threads"])
def test_results_of_any_method_have_origins(method: str, tmp_path: Path, command: Command) -> None:
    urls = ["http://x.org/a", "http://www.x.org/a/", "http://y.org/a", "http://z.org/d"]
    rows = [{"id": str(n), "text": " ".join(LONG), "url": url} for n, url in enumerate(urls)]
    given = ["--fields", "text=1"] if method == "threads" else []
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "out"
    assert command(method, source, "-o", out, *given).code == 0
    counts = command("origins", out, "--json").json["origins"]
    clustered = method in ("documents", "pages", "threads")
    assert sum(counts.values()) == (3 if clustered else 6)
    assert counts["mirror"] == (1 if clustered else 2)
    assert command("sample", out, "--by", "origin", "--size", "5").code == 0
    drawn = list(csv.DictReader(StringIO((out / "sheet.csv").read_text(encoding="utf-8-sig"))))
    with (tmp_path / "judged.csv").open("w", newline="") as made:
        writer = csv.DictWriter(made, list(drawn[0]))
        writer.writeheader()
        writer.writerows({**row, "label": "same"} for row in drawn)
    kinds = command("evaluate", out, "--sheet", tmp_path / "judged.csv", "--json").json["kinds"]
    expected = {"other"} if method == "sentences" else {"mirror", "other"}  # it names pairs by texts
    assert expected <= {own["kind"] for own in kinds}


def test_results_without_addresses_and_dates_are_refused(tmp_path: Path) -> None:
    result = neardup.documents([TEXT, TEXT])
    with pytest.raises(InputError, match="has an address or a date"):
        taxonomy(result)
