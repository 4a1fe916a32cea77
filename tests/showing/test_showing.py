"""What is seen on terminals of several widths, and in what is not a terminal."""

from collections.abc import Callable
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from rich.console import Console

from neardup.methods import method_named
from neardup.showing import clusters, tables
from neardup.showing.console import Console as SafeConsole
from neardup.showing.console import with_options
from neardup.showing.explanations import part_text

Seen = Callable[..., list[str]]
IDS = [f"crawl-2024/segment-0000000007/part-00012/page-{n:04}" for n in range(3)]
TITLE = "What the village newspaper wrote of the bridge and its closure, all summer long"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Call a view on a terminal of some width, or on none, and return its lines."""

    def call(view: Callable[..., None], *given: Any, width: int | None) -> list[str]:
        file = StringIO()
        out = Console(
            file=file, width=width or 80, force_terminal=bool(width), color_system=None, soft_wrap=True
        )
        for module in (clusters, tables):
            monkeypatch.setattr(module, "OUT", out)
        view(*given)
        return file.getvalue().splitlines()

    return call


def result_of(method: str, **columns: list[str | None]) -> Any:
    table = pa.table({"doc": list(range(len(IDS))), "id": IDS, **columns})
    own = {"cluster": 0, "size": len(IDS), "keeper_id": IDS[0], "similarity": 0.9, "lowest": 0.9}
    members = [own | {"doc": doc, "id": name} for doc, name in enumerate(IDS)]
    return SimpleNamespace(method=method, documents=table, clusters=pa.Table.from_pylist(members))


CLUSTERS = pa.table({"cluster": [0], "size": [len(IDS)], "lowest": [0.9]})


def test_nothing_is_cut_where_there_is_no_terminal(seen: Seen) -> None:
    result = result_of("documents", title=[TITLE] * 3)
    lines = seen(clusters.show_clusters, result, CLUSTERS, "title", width=None)
    assert [line.split(maxsplit=1)[1] for line in lines[2:]] == [f"{name}  {TITLE}" for name in IDS[1:]]


def test_titles_are_cut_before_ids(seen: Seen) -> None:
    result = result_of("documents", title=[TITLE] * 3)
    lines = seen(clusters.show_clusters, result, CLUSTERS, "title", width=100)
    assert all(name in line for name, line in zip(IDS, lines[1:], strict=True))
    assert max(map(len, lines)) == 100


@pytest.mark.parametrize("width", [70, 80])
def test_ids_that_are_cut_keep_their_ends(width: int, seen: Seen) -> None:
    result = result_of("documents", title=[TITLE] * 3)
    lines = seen(clusters.show_clusters, result, CLUSTERS, "title", width=width)
    assert all(f"{name[-6:]} " in line for name, line in zip(IDS, lines[1:], strict=True))
    assert max(map(len, lines)) == width


def test_pages_are_shown_by_their_url(seen: Seen) -> None:
    urls = [f"https://example.org/{n}" for n in range(3)]
    result = result_of("pages", title=[TITLE] * 3, url=[*urls[:2], None])
    lines = seen(clusters.show_clusters, result, CLUSTERS, "url", width=None)
    assert [line.endswith(url) for line, url in zip(lines[1:], urls, strict=True)] == [True, True, False]
    assert TITLE not in "".join(lines)


@pytest.mark.parametrize(
    ("method", "settings", "tried"),
    [
        ("documents", {"threshold": 0.8}, "--threshold 0.43, or neardup passages"),
        ("threads", {"threshold": 0.5}, "--threshold 0.25."),
        ("passages", {"signature": "winnowing:3,1", "min_length": 150}, "--min-length 75."),
        ("passages", {"signature": "imatch"}, "--signature winnowing:3,1."),
        ("sentences", {"max_distance": 0.4}, "--max-distance 0.5, or --min-length 10"),
        ("pages", {"measure": "tlcs", "resemblance": 0.28, "containment": 0.7}, "--containment 0.35."),
        ("pages", {"measure": "simhash", "distance": 7}, "--distance 8."),
    ],
)
def test_what_finds_more_is_said_where_nothing_was_found(
    method: str, settings: dict[str, Any], tried: str
) -> None:
    missed = pa.table({"similarity": [0.4321]})
    result: Any = SimpleNamespace(
        method=method,
        settings=settings,
        counts={"documents": 2, "boilerplate": 0},
        documents=pa.table({"length": [400, 500]}),
        rejected=missed,
    )
    assert tried in with_options(method_named(method).advice(result))
    result.counts["documents"] = 1
    assert "fewer than two documents" in method_named(method).advice(result)


def test_wide_characters_are_counted_as_two_columns() -> None:
    assert tables.middle_cut("中华人民共和国公司法", 9) == "中华…司法"


def test_what_is_written_out_for_a_character_that_cannot_be_seen_cuts_no_line() -> None:
    text = part_text("It doesn\x92t necessarily affect others", " of a", " stemming from\x92 it", True)
    for width in range(20, 90):
        out = SafeConsole(file=StringIO(), width=width, soft_wrap=True)
        out.print(text, soft_wrap=False)
        found = "".join(out.file.getvalue().split())  # type: ignore[attr-defined]
        assert found == "Itdoesn⟦U+0092⟧tnecessarilyaffectothers[-ofa-]{+stemmingfrom⟦U+0092⟧it+}"
