"""What results are made of, declared once: tables with their columns, and what a run counts."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, Self

Shown = Literal["name", "text", "category", "share", "number", "count", "hidden"]
BY_TYPE: dict[str, Shown] = {
    "string": "text",
    "double": "number",
    "int64": "count",
    "bool": "category",
    "list": "hidden",
}


class Column(NamedTuple):
    """A column: its type as Arrow names it, what it means, how it is shown, and from where sorted.

    Those that only `some` results have depend on settings or the input.
    """

    name: str
    type: str
    meaning: str
    shown: Shown
    descending: bool = False
    some: bool = False


def column(
    name: str,
    type: str,  # noqa: A002  (what it is)
    meaning: str,
    shown: Shown | None = None,
    *,
    descending: bool = False,
    some: bool = False,
) -> Column:
    """Declare a column; unless it is said, its type says how it is shown."""
    return Column(name, type, meaning, shown or BY_TYPE[type], descending, some)


class Table(str):
    """A table that results have: what its rows are, its columns, and the order in which it is shown.

    It is its own name. `row` is what one row is, `words` what all are, where a result has none. `key` is
    what the file is sorted by; without an `order`, it is shown as it is. `more` says which columns it
    may have besides. A table that is made only if it is `asked` for says how.

    >>> table = Table("pairs", "pair", "verified pairs", [column("id_a", "string", "a document")])
    >>> table.problems({"id_a": "int64", "id_b": "string"})
    ['id_a is int64, not string', 'id_b is not declared']
    """

    row: str
    words: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    order: tuple[str, ...]
    more: str
    asked: str

    def __new__(
        cls,
        name: str,
        row: str,
        words: str,
        columns: Iterable[Column],
        *,
        key: tuple[str, ...] = (),
        order: tuple[str, ...] = (),
        more: str = "",
        asked: str = "",
    ) -> Self:
        """Make a string of the name, which has the rest as attributes."""
        made = super().__new__(cls, name)
        made.row, made.words, made.columns = row, words, tuple(columns)
        made.key, made.order, made.more, made.asked = key, order, more, asked
        return made

    def column(self, name: str) -> Column | None:
        """Return a column by its name."""
        return next((own for own in self.columns if own.name == name), None)

    def problems(self, types: Mapping[str, str]) -> list[str]:
        """Return in what a table of these columns is not as declared."""
        known = {own.name: own for own in self.columns}
        wrong = [
            f"{name} is {found}, not {known[name].type}"
            for name, found in types.items()
            if name in known and found != known[name].type
        ]
        missing = [f"{name} is missing" for name in known if name not in types and not known[name].some]
        more = [f"{name} is not declared" for name in types if name not in known and not self.more]
        return wrong + missing + more


def undeclared(name: str, types: Mapping[str, str]) -> Table:
    """Return a table that nobody declared, as its columns say."""
    columns = (Column(each, kind, "", BY_TYPE.get(kind, "text")) for each, kind in types.items())
    return Table(name, "row", name, columns)


EVERY_ROW = "1 = 1"


class Count(str):
    """Something that a run counts: its key in `run.json`, the sentence that says it, and its SQL.

    It is its own key, so that `counts[PAIRS]` is checked as any name is. `table` is what is counted, a
    table or what may stand behind `from`; `value` is counted of its rows. With `by`, there is a count
    for each value of a column: `pairs.identical`. A `limit` says what cut something off.

    >>> Count("long_pairs", "pairs of long texts", "pairs", "words > 99").sql
    "select 'long_pairs' as name, count(*) as value from {pairs} where words > 99"
    """

    sentence: str
    table: str
    where: str
    value: str
    by: str
    limit: str

    def __new__(
        cls,
        key: str,
        sentence: str,
        table: str = "",
        where: str = EVERY_ROW,
        *,
        value: str = "count(*)",
        by: str = "",
        limit: str = "",
    ) -> Self:
        """Make a string of the key, which has the rest as attributes."""
        made = super().__new__(cls, key)
        made.sentence, made.table, made.where = sentence, table, where
        made.value, made.by, made.limit = value, by, limit
        return made

    def of(self, table: str, where: str = EVERY_ROW, value: str = "") -> "Count":
        """Return the same count of another table: how it is counted differs, what it says does not."""
        value = value or self.value
        return Count(self, self.sentence, table, where, value=value, by=self.by, limit=self.limit)

    @property
    def sql(self) -> str:
        """Return the statement that counts it."""
        name = f"concat('{self}.', cast({self.by} as varchar(100)))" if self.by else f"'{self}'"
        rows = f"{{{self.table}}}" if self.table.isidentifier() else self.table
        groups = f" group by {self.by}" if self.by else ""
        return f"select {name} as name, {self.value} as value from {rows} where {self.where}{groups}"

    def each(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return how many there are of each value, if this is counted by values.

        >>> Count("skipped", "skipped", by="problem").each({"skipped.no text": 2, "records": 9})
        {'no text': 2}
        """
        own = f"{self}."
        return {key.removeprefix(own): n for key, n in counts.items() if key.startswith(own)}


def summed(column: str) -> str:
    """Return the SQL for the sum of a column, for a count."""
    return f"cast(coalesce(sum({column}), 0) as bigint)"


def said(counts: Mapping[str, int], declared: Iterable[Count]) -> dict[str, int]:
    """Return counts by the sentences that say them; those that nobody declared, by their keys.

    >>> known = [Count("pairs", "verified pairs"), Count("pairs", "pairs of a kind", by="kind")]
    >>> said({"pairs": 3, "pairs.identical": 1}, known)
    {'verified pairs': 3, 'pairs of a kind: identical': 1}
    """
    sentences = {f"{count}." if count.by else str(count): count.sentence for count in declared}
    found = {}
    for name, n in counts.items():
        key, dot, value = name.partition(".")
        sentence = sentences.get(key + dot, key)
        found[f"{sentence}: {value}" if dot else sentence] = n
    return found
