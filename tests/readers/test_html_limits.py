"""Pages that would take all of the memory, or minutes: skipped before they are parsed."""

import time
from pathlib import Path

import pytest
from tests.readers.samples import http, one, packed, record

from neardup.readers.html_limits import markup_fault


@pytest.mark.parametrize(
    "html", ["<p>a" * 200_000, "<i a b c d e f g h>" * 40_000, "<br/>" * 200_000], ids=["p", "i", "br"]
)
def test_a_page_of_too_many_tags_or_attributes_is_too_large(html: str) -> None:
    assert markup_fault(html[: len(html) // 2]) is None
    fault = markup_fault(html)
    assert fault is not None
    assert fault.problem == "too large"


def test_much_text_in_few_tags_is_fine() -> None:
    assert markup_fault(f"<p>{'words ' * 1_000_000}</p>") is None


ATTRIBUTES = " ".join(f"a{n}" for n in range(40_000))


@pytest.mark.parametrize(
    "before",
    ["<a ", '<a x=">" ', '<a " ', "<a b'c='>' ", "<p>text</p><!-- > --><a/", "<script>1<2</script><a "],
)
def test_a_tag_of_thousands_of_attributes_is_seen_at_once(before: str) -> None:
    begun = time.process_time()
    fault = markup_fault(f"{before}{ATTRIBUTES}>words</a>")
    assert fault is not None
    assert "attributes" in str(fault.detail)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    "html", [f"<p>{ATTRIBUTES}</p>", f'<p title="{ATTRIBUTES}">x</p>', "<p a b>" * 5000]
)
def test_many_words_are_no_attributes(html: str) -> None:
    assert markup_fault(html) is None


@pytest.mark.parametrize(
    "piece", ['<a "', "<a x='", '<a x="\'"', "<a", "<a ", "<a/", "<a =b", "<", '"', '<a ="']
)
def test_hostile_markup_is_gone_through_once(piece: str) -> None:
    begun = time.process_time()
    markup_fault(piece * 200_000)
    assert time.process_time() - begun < 3


def test_bombs_are_skipped_in_files_and_archives(tmp_path: Path) -> None:
    bomb = b"<p>a" * 4_000_000
    (tmp_path / "a.html.gz").write_bytes(packed(bomb, "gz"))
    page = http(packed(bomb, "gz"), Content_Encoding="gzip")
    (tmp_path / "a.warc").write_bytes(record("response", page))
    for name in ("a.html.gz", "a.warc"):
        assert one(tmp_path / name)["problem"] == "too large"
