"""threads: revisions of posts in real dumps."""

from pathlib import Path

import pytest
from tests.corpora import write
from tests.quality import BUGS, DATA, REPORT_FLOORS, missing, reports_found

import neardup
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource

DUMPS = DATA / "stackexchange"
# the least recall and precision of consecutive revisions of a body among all other posts
RECALL, PRECISION = 0.95, 0.97


@pytest.mark.parametrize("name", ["th3", "woodstock"])
def test_revisions_of_posts_are_found_among_all_others(name: str, tmp_path: Path) -> None:
    history = DUMPS / name / "PostHistory.xml"
    if not history.is_file():
        pytest.skip(f"there is no {history}: set NEARDUP_DATA")
    posts: dict[str, list[dict[str, str]]] = {}
    source = FileSource.open([history], ReaderSettings(fields=("body",), text_column="body"))
    for split in source.splits():
        for batch in source.read(split):
            for own, text in zip(batch["id"].to_pylist(), batch["text"].to_pylist(), strict=True):
                if text:
                    posts.setdefault(own.partition("@")[0], []).append({"id": own, "body": text})
    chosen = [revision for revisions in posts.values() for revision in revisions[:2]]
    right = {(r[0]["id"], r[1]["id"]) for r in posts.values() if len(r) > 1}
    result = neardup.threads(
        str(write(tmp_path / "a.jsonl", chosen)),
        fields="body=1",
        signature="shingles:2",
        threshold=0.2,
        max_shared=2,
        max_postings=0,
    )
    found = {(row["id_a"], row["id_b"]) for row in result.pairs.to_pylist()}
    assert len(right) > 400
    assert len(right & found) >= RECALL * len(right)
    assert len(right & found) >= PRECISION * len(found)


def test_earlier_reports_of_a_bug_are_suggested() -> None:
    if reason := missing(BUGS):
        pytest.skip(reason)
    found = reports_found()
    for name, (first, in_ten) in REPORT_FLOORS.items():
        assert found[name][0] >= first and found[name][1] >= in_ten, (name, found[name])
