"""The report needs nothing and trusts nothing."""

import re
from pathlib import Path

from tests.retrieval.collection import Found, Judged

import neardup

HOSTILE = "<script>alert(1)</script>"


def test_the_report_needs_nothing_and_trusts_nothing(tmp_path: Path) -> None:
    run = [Found(HOSTILE, own, 9.0 - i) for i, own in enumerate(["a", HOSTILE])]
    qrels = [Judged(HOSTILE, own, 1) for own in ("a", HOSTILE)]
    topics = tmp_path / "topics"
    topics.write_text(f"{HOSTILE}:{HOSTILE}\n")
    found = neardup.trec(
        {HOSTILE.replace("/", ""): run},
        qrels,
        groups=[["a", HOSTILE]],
        topics=topics,
        output=tmp_path / "out",
    )
    text = (found.folder / "report.html").read_text()
    assert "alert(1)" in text
    assert "<script" not in text
    assert "Content-Security-Policy" in text
    addresses = set(re.findall(r"(?:https?:)?//[^\s\"'<]*", text))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of a notation, which nobody opens"
    for words in ("Relevant documents", "Run-topics", "Origins", "Effectiveness", "Assumptions"):
        assert words in text
