"""Tools for programs that ask by MCP, the Model Context Protocol: five verbs, each with bounds."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

from neardup.engines.base import Advance
from neardup.errors import InputError, NeardupError, SettingsError
from neardup.server.settings import ServerSettings
from neardup.server.work import Wanted, Work

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from neardup.index.online import Index
    from neardup.result import Result

MOST_ROWS = 100  # of an answer: programs read all of it
SHORTENED = 200  # characters of a text that is shown
ABOUT = """\
neardup finds copied wording and proves it: scores are exact, and passages are located by characters.
Files and folders are named by paths below the folder where the server was started."""
Threshold = Annotated[float, "The least resemblance of a pair, above 0 and up to 1."]
Limit = Annotated[int, f"How many to return at most, up to {MOST_ROWS}; all are counted."]


def check_installed() -> None:
    """Say what to install if the library for MCP is not there."""
    try:
        import mcp.server  # noqa: F401
    except ImportError:
        hint = "Install it in neardup's folder with: pip install '.[mcp]'"
        raise SettingsError("MCP needs the package mcp", hint=hint) from None


class Stoppable:
    """The progress of a run that ends at its next step when nobody waits for it any more."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted

    @contextmanager
    def _step(self) -> Iterator[Advance]:
        self._wanted.check()
        yield self._advance

    def _advance(self, amount: int) -> None:
        self._wanted.check()

    def step(self, name: str, total: int | None, unit: str) -> AbstractContextManager[Advance]:
        """Ask whether the run is still wanted, at its steps and inside of them."""
        return self._step()

    def note(self, message: str) -> None:
        """Say nothing: programs read answers only."""


class Tools:
    """What programs can ask: of the index and the result that are served, of files below a folder."""

    def __init__(
        self,
        settings: ServerSettings,
        index: "Index | None" = None,
        result: "Result | None" = None,
        folder: Path | None = None,
    ) -> None:
        self._settings = settings
        self._index = index
        self._result = result
        self._folder = (folder or Path.cwd()).resolve()
        self._work = Work(settings)

    async def look_up(
        self,
        text: Annotated[str, "The text to look up."],
        threshold: Threshold = 0.3,
        limit: Limit = 5,
    ) -> dict[str, Any]:
        """Look a text up in the index: which documents hold it or share passages with it, and where."""
        from neardup.index.settings import QuerySettings

        self._check_text(text)
        index = self._index
        if index is None:
            hint = "Start the server with one: neardup serve INDEX --mcp"
            raise SettingsError("no index is served", hint=hint)
        settings = QuerySettings(threshold=threshold, limit=within(limit))
        return await self._answer(lambda wanted: index.query(text, settings, wanted.check).as_dict())

    async def compare(
        self,
        text_a: Annotated[str, "The first text."],
        text_b: Annotated[str, "The second text."],
    ) -> dict[str, Any]:
        """Compare two texts: resemblance, how much of each is in the other, their common passages."""
        from neardup.showing.explaining import compare
        from neardup.showing.explanations import explanation_json
        from neardup.signatures.shingles import Shingles

        self._check_text(text_a, text_b)
        shingles = Shingles("word", 5)
        return await self._answer(
            lambda _: explanation_json(compare(text_a, text_b, shingles, "text_a", "text_b"))
        )

    async def find_duplicates(
        self,
        file: Annotated[str, "A file or folder of documents: text, JSONL, CSV, Parquet, zip, …"],
        threshold: Threshold = 0.7,
        text_column: Annotated[
            str | None, "The column with the text, if it does not have a usual name."
        ] = None,
        limit: Limit = 20,
    ) -> dict[str, Any]:
        """Find near-duplicate documents of a file or folder: pairs, most similar first, and counts."""
        path = str(self._place(file))
        limit = within(limit)
        return await self._answer(
            lambda wanted: duplicates(
                path, threshold, text_column, limit, self._settings.max_body, wanted
            )
        )

    async def explain(
        self,
        id_a: Annotated[str, "The id of a document of the result."],
        id_b: Annotated[str, "The id of another one."],
        result: Annotated[str | None, "The folder of a result, if not that which is served."] = None,
    ) -> dict[str, Any]:
        """Explain a pair of a result: what the two documents share, where, and how they differ."""
        found = self._opened(result)
        return await self._answer(lambda _: found.own_method.explanation_json(found.explain(id_a, id_b)))

    async def evaluate(
        self,
        gold: Annotated[str, "A file of labels: pairs, clusters or passages that are right."],
        result: Annotated[str | None, "The folder of a result, if not that which is served."] = None,
    ) -> dict[str, Any]:
        """Say how well a result agrees with labels: precision, recall and F1."""
        from neardup.evaluation import evaluate

        found, labels = self._opened(result), self._place(gold)
        check_size(str(labels), self._settings.max_body)
        return await self._answer(lambda _: evaluate(found, labels).as_dict())

    async def _answer(self, function: Callable[[Wanted], dict[str, Any]]) -> dict[str, Any]:
        return await self._work.answer(function, None)

    def _check_text(self, *texts: str) -> None:
        size, most = max(map(len, texts)), self._settings.max_text
        if size > most:
            hint = "Give a part of it, or start the server with a larger max_text=."
            raise InputError(f"the text has {size:,} characters; at most {most:,} are taken", hint=hint)

    def _opened(self, folder: str | None) -> "Result":
        from neardup.result import Result

        if folder is not None:
            return Result(self._place(folder))
        if self._result is None:
            raise SettingsError("no result is served", hint="Name the folder of one as result.")
        return self._result

    def _place(self, given: str) -> Path:
        """Return the path of something below the server's folder; nothing else is ever opened."""
        path = (self._folder / given).resolve()
        if not path.is_relative_to(self._folder):
            hint = "Name a file by its path below that folder, or start the server elsewhere."
            raise InputError("this is not below the server's folder", where=given, hint=hint)
        return path


def within(limit: int) -> int:
    """Return a number of rows that an answer may have."""
    return min(max(limit, 1), MOST_ROWS)


def check_size(path: str, most: int) -> None:
    """Refuse files that are larger than what may be read for one answer."""
    from neardup.readers.files import find

    size = sum(file.size for file in find([path]))
    if size > most:
        hint = f"Run it yourself: neardup documents {path} -o OUT"
        raise InputError(f"this has {size:,} bytes; at most {most:,} are read", where=path, hint=hint)


def duplicates(
    path: str, threshold: float, column: str | None, limit: int, most: int, wanted: Wanted
) -> dict[str, Any]:
    """Run `documents` on files, and return its counts and best pairs."""
    from neardup.api import documents

    check_size(path, most)
    found = documents(path, threshold=threshold, text_column=column, progress=Stoppable(wanted))
    pairs = found.pairs.sort_by([("similarity", "descending")]).slice(0, limit)
    names = ("id_a", "id_b", "similarity", "containment_a", "containment_b")
    skipped = found.skipped.slice(0, limit).select(["source", "position", "problem"])
    return {
        "counts": found.counts,
        "pairs": pairs.select(names).to_pylist(),
        "skipped": skipped.to_pylist(),
    }


def told(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Have a tool say what went wrong in neardup's own words, and what its arguments are."""
    from mcp.server.mcpserver.exceptions import ToolError

    async def tried(**given: Any) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = await tool(**given)
        except NeardupError as error:
            raise ToolError(str(error)) from error
        return answer

    tried.__name__, tried.__doc__ = tool.__name__, tool.__doc__
    own = signature(tool)
    tried.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[p.replace(annotation=described(p.annotation)) for p in own.parameters.values()]
    )
    return tried


def described(annotation: object) -> Any:
    """Return the type of an argument with its description as the library takes it."""
    from pydantic import Field

    kind, text = get_args(annotation)
    return Annotated[kind, Field(description=text)]


def server_of(tools: Tools) -> "MCPServer[Any]":
    """Return the server that offers the tools."""
    from mcp.server import MCPServer

    from neardup import __version__

    server: MCPServer[Any] = MCPServer(
        "neardup", instructions=ABOUT, version=__version__, log_level="WARNING"
    )
    for tool in (tools.look_up, tools.compare, tools.find_duplicates, tools.explain, tools.evaluate):
        server.add_tool(told(tool))
    return server


def serve_tools(
    targets: Sequence[Path], settings: ServerSettings, moved: Sequence[str] | None = None
) -> None:
    """Answer on standard input and output until the program that asks has gone."""
    check_installed()
    from neardup.index.online import Index
    from neardup.result import Result
    from neardup.store.files import is_index

    results = [Result(t, input=moved) for t in targets if t.is_dir() and not is_index(t)]
    files = [target for target in targets if not target.is_dir() or is_index(target)]
    if len(results) > 1 or len(files) > 1:
        raise SettingsError("one index and one result can be served at a time")
    index = Index(files[0], writable=False) if files else None
    try:
        server_of(Tools(settings, index, results[0] if results else None)).run("stdio")
    finally:
        if index is not None:
            index.close()
