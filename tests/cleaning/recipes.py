"""A corpus of which each stage of a recipe finds something, and what is left of it."""

from typing import Any

from tests.corpora import prose

NOTICE = prose(70, 90)
LONG = prose(30, 91)
RECIPE: dict[str, Any] = {
    "keep": "first",
    "stage": [
        {"name": "keys", "column": "url"},
        {"name": "exact"},
        {"name": "documents", "threshold": 0.6},
        {"name": "spans", "words": 40},
        {"name": "paragraphs", "min_length": 60},
    ],
}


def corpus() -> list[dict[str, Any]]:
    """Return records of which each stage finds something, and some cuts lie beside others."""
    own = [prose(90, seed) for seed in range(12)]
    records: list[dict[str, Any]] = [
        {"id": f"r{n}", "text": f"{text}\n\nThe end of {n}."} for n, text in enumerate(own)
    ]
    for n in (2, 5, 6):
        middle = own[n].split(". ", 1)
        records[n]["text"] = f"{middle[0]}.\n\n{LONG}\n\nBetween, in {n}.\n\n{NOTICE}\n\n{middle[1]}"
    records += [
        {"id": "same-url", "text": prose(50, 50)},
        {"id": "same-words", "text": own[3].upper() + "\n\nThe end of 3!"},
        {"id": "near", "text": own[4] + "\n\nThe end is another one of 4."},
        {"id": "notice", "text": NOTICE},
        {"id": "empty", "text": "—"},
    ]
    for n, record in enumerate(records):
        record |= {"url": f"https://example.org/{n}", "score": n}
    records[12]["url"] = "http://www.example.org/0/?utm_source=mail"
    return records


def left_of(records: list[dict[str, Any]], ledger: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Carry a ledger out by hand."""
    dropped = {row["position"] for row in ledger if row["action"] == "dropped"}
    left = []
    for position, record in enumerate(records, 1):
        cuts = [r for r in ledger if r["position"] == position and r["action"] == "cut"]
        text = record["text"]
        for row in sorted(cuts, key=lambda row: -int(row["start"])):
            text = text[: row["start"]] + text[row["end"] :]
        if position not in dropped:
            left.append(record | {"text": text})
    return left
