"""What a method is made of: a plan, that is a short list of steps over named tables.

A plan says what to do and nothing of where: an engine runs it. There are four kinds of step:

- `Map`: a pure function from one Arrow record batch to another;
- `Sql`: one statement in the SQL that the engines share;
- `Fold`: one small mergeable summary of a table, handed to later Maps;
- `Cluster`: groups the nodes of a graph, which each engine does in its own way.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import pyarrow as pa

INPUT = re.compile(r"{(\w+)}")


class Summary(Protocol):
    """The state of a Fold: it takes in batches, and two of them can be merged."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in the rows of a batch."""

    def merge(self, other: Any) -> None:
        """Take in all that another summary of the same kind took in."""


Sides = Mapping[str, Any]  # what a Map asked for by name: summaries, and its `lookup`


class MapFunction(Protocol):
    """The function of a Map."""

    def __call__(self, batch: pa.RecordBatch, sides: Sides, /) -> pa.RecordBatch:
        """Return the rows that follow from the rows of a batch."""


@dataclass(frozen=True)
class Map:
    """Apply a pure function to each record batch of a table.

    `sides` names Folds whose summaries the function gets, `lookup` a large table (sorted by its first
    column) from which it may fetch the `lookup_columns` of rows by key; the keys are in the columns
    `lookup_keys` of the input. With `only`, just the rows whose first column occurs in the first column
    of that table are mapped: a semi-join. With `grouped`, rows that are equal in their first column
    come in the same batch, with `together` in as few batches as memory allows. `task_rows` says that a
    row is much work: this many make a task. `holds_gil` says that the function gains more from
    processes than from threads.
    """

    name: str
    input: str
    function: MapFunction
    schema: pa.Schema
    sides: tuple[str, ...] = ()
    lookup: str | None = None
    lookup_columns: tuple[str, ...] = ()
    lookup_keys: tuple[str, ...] = ()
    only: str | None = None
    grouped: bool = False
    together: bool = False
    task_rows: int | None = None
    holds_gil: bool = False

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the names of all tables and summaries that the step reads."""
        extra = tuple(name for name in (self.lookup, self.only) if name)
        return (self.input, *self.sides, *extra)


@dataclass(frozen=True)
class Sql:
    """Run one statement; `{name}` in its text stands for the table of that name, which is an input.

    Texts with values are f-strings, in which tables stand in two braces. `keep` says that an engine
    which would rather compute a table again each time it is read should keep this one: it is costly,
    and read more than once. Where the table `unless` has rows, `instead` is the statement.
    """

    name: str
    text: str
    keep: bool = False
    unless: str | None = None
    instead: str = ""

    @property
    def texts(self) -> str:
        """Return all that the step may run."""
        return f"{self.text}\n{self.instead}" if self.unless else self.text

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the names of all tables that the step may read, as they stand in its statements."""
        asked = (self.unless,) if self.unless else ()
        return tuple(dict.fromkeys((*asked, *INPUT.findall(self.texts))))

    def chosen(self, has_rows: Callable[[str], bool]) -> str:
        """Return the statement to run, given which tables have rows."""
        return self.instead if self.unless and has_rows(self.unless) else self.text


@dataclass(frozen=True)
class Fold:
    """Build one summary over all batches of a table."""

    name: str
    input: str
    start: Callable[[], Summary]
    only: str | None = None

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the names of all tables that the step reads."""
        return (self.input, self.only) if self.only else (self.input,)


@dataclass(frozen=True)
class Cluster:
    """Group nodes 0, 1, 2, … (0 is the best keeper) by the edges `worse`, `better`, `similarity`.

    The output has one row a node: `node`, `keeper`, `similarity`. With `star`, a node joins the best
    keeper among its neighbours; with `components`, the best node that it is connected to, and
    `similarity` is the lowest of any edge in the component.
    """

    name: str
    nodes: str
    edges: str
    kind: Literal["star", "components"]

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the names of all tables that the step reads."""
        return (self.nodes, self.edges)


Step = Map | Sql | Fold | Cluster


@dataclass(frozen=True)
class Plan:
    """The steps of a method in order, the tables that it starts from and those that it delivers."""

    name: str
    sources: tuple[str, ...]
    steps: tuple[Step, ...]
    outputs: tuple[str, ...]
    notes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = set(self.sources)
        for step in self.steps:
            unknown = [name for name in step.inputs if name not in known]
            if unknown or step.name in known:
                raise ValueError(f"step {step.name!r}: unknown inputs {unknown} or a name used twice")
            known.add(step.name)

    def last_use(self) -> dict[str, int]:
        """Return for each table the number of the last step that needs it.

        What a Fold reads is needed as long as its summary: an interrupted run builds it again.
        """
        last = {name: i for i, step in enumerate(self.steps) for name in step.inputs}
        for step in self.steps:
            if isinstance(step, Fold):
                for name in step.inputs:
                    last[name] = max(last[name], last.get(step.name, 0))
        return last

    def explain(self) -> Iterator[str]:
        """Describe the plan, a few lines a step."""
        yield f"{self.name}: {', '.join(self.sources)} -> {', '.join(self.outputs)}"
        for number, step in enumerate(self.steps, 1):
            kind = type(step).__name__
            yield f"{number:2}. {kind:7} {step.name} <- {', '.join(step.inputs)}"
            if note := self.notes.get(step.name):
                yield f"      {note}"
            if isinstance(step, Sql):
                yield from (f"        {line.strip()}" for line in step.text.strip().splitlines())
                if step.unless:
                    yield f"      or, if {step.unless} has rows:"
                    yield from (f"        {line.strip()}" for line in step.instead.strip().splitlines())
