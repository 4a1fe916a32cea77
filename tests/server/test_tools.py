"""Tools by MCP: the package's own client asks each of them, and bounds hold."""

import asyncio
import json
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import prose, replaced

import neardup
from neardup.index.online import Index
from neardup.server import tools
from neardup.server.settings import ServerSettings
from neardup.server.tools import Tools
from neardup.server.work import GivenUpError, Wanted

# not imported here: that takes a second, in every process of the tests
pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="there is no mcp")
TEXT = prose(80, seed=1)
ROWS = [
    {"id": "a", "text": TEXT},
    {"id": "b", "text": replaced(TEXT, 40)},
    {"id": "c", "text": prose(80, seed=2)},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a corpus, its result, labels and an index."""
    made = tmp_path_factory.mktemp("tools")
    (made / "in.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    (made / "gold.csv").write_text("id_a,id_b\na,b\n")
    neardup.documents(made / "in.jsonl", output=made / "out", threshold=0.5)
    with Index.build(made / "old.neardup", made / "in.jsonl"):
        pass
    return made


def run(question: Coroutine[Any, Any, Any]) -> Any:
    """Wait for an answer in a thread of its own: browsers of other tests have the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, question).result()


def ask(offered: Tools, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """Ask by the package's client; return the answers, or what was said of an error."""
    from mcp import Client

    async def all_calls() -> list[Any]:
        async with Client(tools.server_of(offered)) as client:
            found = [await client.call_tool(name, given) for name, given in calls]
            return [own.content[0].text if own.is_error else own.structured_content for own in found]

    answers: list[Any] = run(all_calls())
    return answers


def test_all_five_answer(folder: Path) -> None:
    with Index(folder / "old.neardup", writable=False) as index:
        offered = Tools(ServerSettings(timeout=60), index, neardup.Result(folder / "out"), folder)
        known, compared, found, explained, scores = ask(
            offered,
            ("look_up", {"text": TEXT, "limit": 1}),
            ("compare", {"text_a": TEXT, "text_b": ROWS[1]["text"]}),
            ("find_duplicates", {"file": "in.jsonl", "threshold": 0.5}),
            ("explain", {"id_a": "a", "id_b": "b"}),
            ("evaluate", {"gold": "gold.csv", "result": "out"}),
        )
    assert [match["id"] for match in known["matches"]] == ["a"]
    expected = neardup.Result(folder / "out").explain("a", "b")
    assert compared["resemblance"] == explained["resemblance"] == expected.resemblance
    assert [(p["id_a"], p["id_b"], p["similarity"]) for p in found["pairs"]] == [
        ("a", "b", expected.resemblance)
    ]
    assert found["counts"]["documents"] == 3
    with Index(folder / "old.neardup", writable=False) as index:
        [known] = ask(Tools(ServerSettings(), index), ("look_up", {"text": " ".join(TEXT.split()[3:6])}))
    assert known["matches"] and "The text is short" in known["note"]
    assert scores["pairs"]["f1"] == 1.0


def test_what_is_asked_too_much_or_wrongly_is_refused_in_words(folder: Path) -> None:
    offered = Tools(ServerSettings(max_text=100, max_body=200), folder=folder)
    said = ask(
        offered,
        ("look_up", {"text": "short"}),
        ("compare", {"text_a": "x" * 101, "text_b": "y"}),
        ("find_duplicates", {"file": "in.jsonl"}),
        ("find_duplicates", {"file": "../elsewhere.txt"}),
        ("explain", {"id_a": "a", "id_b": "b"}),
        ("explain", {"id_a": "a", "id_b": "none", "result": "out"}),
    )
    wanted = ["no index is served", "at most 100", "at most 200", "not below the server's folder"]
    wanted += ["no result is served", "no document has the id"]
    assert all(part in text for part, text in zip(wanted, said, strict=True)), said


def test_every_tool_and_argument_is_described(folder: Path) -> None:
    from mcp import Client

    async def listed() -> Any:
        async with Client(tools.server_of(Tools(ServerSettings(), folder=folder))) as client:
            return (await client.list_tools()).tools

    found = run(listed())
    assert len(found) == 5
    for tool in found:
        assert tool.description
        assert all(own["description"] for own in tool.input_schema["properties"].values())


def test_a_run_that_nobody_waits_for_ends(folder: Path) -> None:
    wanted = Wanted()
    wanted.give_up()
    with pytest.raises(GivenUpError):
        tools.duplicates(str(folder / "in.jsonl"), 0.7, None, 5, 1 << 20, wanted)


def test_without_the_package_it_says_what_to_install(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    done = command("serve", "--mcp")
    assert done.code and "pip install '.[mcp]'" in done.said
