"""What `show` pages through: the rows of a table, some of them, in an order, for people or programs."""

import re
from collections.abc import Callable, Mapping, Sequence
from shlex import quote
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import SettingsError
from neardup.results.folder import ResultFolder
from neardup.showing.console import OUT, number, share_text, similarity_text
from neardup.showing.tables import show_rows
from neardup.steps.pair_kinds import NEAR_DUPLICATE
from neardup.tables import Column, Table, undeclared

CONDITION = re.compile(r"\s*(.+?)\s*(!=|<=|>=|==?|<|>|~)\s*(.*?)\s*")
COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": pc.equal,
    "!=": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
    "~": lambda values, text: pc.match_substring(values, text, ignore_case=True),
}
MOST_VALUES = 12  # that are named
LEAST = 0.0005  # that three decimals would not show
DIRECTIONS = {"asc": "ascending", "desc": "descending"}
TRUTH = {"true": True, "false": False, "yes": True, "no": False}
WRITTEN = (
    'Write a condition like "kind = \'factual drift\'" or "similarity < 0.9"; ~ finds a part of a text.'
)
ALL_COMMON = "near-duplicates at 1.000 have all in common that is compared, yet their texts differ"


class Asked(NamedTuple):
    """Which rows are asked for: conditions, the order, and a page."""

    where: Sequence[str] = ()
    sort: str | None = None
    page: int = 1
    per_page: int | None = None


TURNS = "--page N turns pages"


class View(NamedTuple):
    """How the rows of a table are shown, and told to programs, where columns say too little.

    `prepared` may group rows, and `row` is then what one is; it may put them in an order that is not
    the table's (`ranked`).
    """

    show: Callable[[ResultFolder, pa.Table], None]
    told: Callable[[ResultFolder, pa.Table], list[dict[str, Any]]] = lambda _, rows: rows.to_pylist()
    prepared: Callable[[ResultFolder, pa.Table], pa.Table] = lambda _, rows: rows
    row: str = ""
    per_page: int = 20
    hint: str = TURNS
    ranked: bool = False


class Listing(NamedTuple):
    """The rows that were asked for: all, those of one page, and what they are."""

    what: str
    total: int
    page: int
    pages: int
    rows: pa.Table

    def title(self, row: str) -> str:
        """Say how many there are, and which page this is."""
        return f"{number(self.total, row)}, page {self.page} of {self.pages}"


def listing(result: ResultFolder, table: Table, view: View, asked: Asked) -> Listing:
    """Return the rows of a table that are asked for."""
    rows = result.table(table)
    for condition in asked.where:
        rows = rows.filter(holding(rows, table, condition))
    rows = view.prepared(result, rows)
    if asked.sort or not view.ranked:
        rows = ordered(rows, table, asked.sort)
    return paged(f"{view.row}s" if view.row else str(table), rows, asked, view.per_page)


def paged(what: str, rows: pa.Table, asked: Asked, per_page: int) -> Listing:
    """Return one page of some rows."""
    per_page = asked.per_page or per_page
    pages = max(-(-len(rows) // per_page), 1)
    if asked.page > pages:
        raise SettingsError(f"there is no page {asked.page}", hint=f"The last one is {pages}.")
    page = rows.slice((asked.page - 1) * per_page, per_page)
    return Listing(what, len(rows), asked.page, pages, page)


def show_listing(result: ResultFolder, table: Table, view: View | None, asked: Asked) -> None:
    """Print the rows that are asked for."""
    view = view or View(lambda _, rows: show_columns(table, rows))
    found = listing(result, table, view, asked)
    OUT.print(f"[italic]{found.title(view.row or table.row)}[/italic]")
    if not found.total:
        show_known(result.table(table), table, asked.where)
    view.show(result, found.rows)
    if found.pages > 1 or view.hint != TURNS:
        OUT.print(f"\n[dim]{view.hint}[/dim]")


def show_known(rows: pa.Table, table: Table, conditions: Sequence[str]) -> None:
    """Say which values a category has where no row has the one that was asked for."""
    for condition in conditions:
        parsed = CONDITION.fullmatch(condition)
        column = table.column(parsed[1]) if parsed else None
        if (
            parsed is None
            or parsed[2] not in ("=", "==", "~")
            or column is None
            or column.shown != "category"
            or not pa.types.is_string(rows[parsed[1]].type)
            or pc.any(holding(rows, table, condition)).as_py()
        ):
            continue
        values = rows[parsed[1]].drop_null().unique().to_pylist()
        shown = ", ".join(sorted(values)[:MOST_VALUES]) + (", …" if len(values) > MOST_VALUES else "")
        OUT.print(f"  {parsed[1]} is one of: {shown or 'none'}", style="yellow", markup=False)


def listing_json(
    result: ResultFolder, found: Listing, told: Callable[[ResultFolder, pa.Table], list[dict[str, Any]]]
) -> dict[str, Any]:
    """Return the rows that are asked for, for programs."""
    return {
        "output": str(result.where),
        "method": result.method,
        "what": found.what,
        "total": found.total,
        "page": found.page,
        "pages": found.pages,
        "rows": told(result, found.rows),
    }


def holding(rows: pa.Table, table: Table, condition: str) -> Any:
    """Return of which rows a condition holds: a column, how it is compared, and a value."""
    parsed = CONDITION.fullmatch(condition)
    if parsed is None:
        raise SettingsError(f"this is no condition: {condition!r}", hint=WRITTEN)
    name, how, text = parsed[1], "=" if parsed[2] == "==" else parsed[2], parsed[3]
    values = rows[known_column(rows, table, name)]
    if text.lower() == "null" and how in ("=", "!="):
        return pc.is_null(values) if how == "=" else pc.is_valid(values)
    return COMPARED[how](values, typed_value(text, values.type, name, how))


def typed_value(text: str, kind: pa.DataType, name: str, how: str) -> Any:
    """Return the value of a condition as the column has it."""
    if pa.types.is_nested(kind) or (how == "~") > pa.types.is_string(kind):
        raise SettingsError(f"{name} cannot be compared by {how}", hint=WRITTEN)
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    if pa.types.is_string(kind):
        return text
    try:
        if pa.types.is_boolean(kind):
            return TRUTH[text.lower()]
        return int(text) if pa.types.is_integer(kind) and "." not in text else float(text)
    except (ValueError, KeyError):
        hint = "Write true or false." if pa.types.is_boolean(kind) else "Write a number."
        raise SettingsError(f"{name} cannot be {text!r}", hint=hint) from None


def known_column(rows: pa.Table, table: Table, name: str) -> str:
    """Return the name of a column that there is."""
    if name in rows.column_names:
        return name
    hint = f"Its columns are: {', '.join(rows.column_names)}."
    raise SettingsError(f"{table} has no column {name!r}", hint=hint)


def ordered(rows: pa.Table, table: Table, sort: str | None) -> pa.Table:
    """Return rows in the order asked for, COLUMN or COLUMN:asc or COLUMN:desc, or in the table's own."""
    keys = [(name, direction(table, name)) for name in table.order if name in rows.column_names]
    if sort is not None:
        name, _, way = (sort, "", "") if sort in rows.column_names else sort.partition(":")
        if way and way not in DIRECTIONS:
            raise SettingsError(f"cannot sort by {sort!r}", hint=f"Write {name}:asc or {name}:desc.")
        known_column(rows, table, name)
        ties = [(own, "ascending") for own in table.key if own in rows.column_names]
        keys = [(name, DIRECTIONS.get(way) or direction(table, name)), *(ties or keys)]
        keys = list(dict(reversed(keys)).items())[::-1]
    return rows.sort_by(keys) if keys else rows


def direction(table: Table, name: str) -> str:
    """Return how a column is sorted unless it is said."""
    own = table.column(name)
    return "descending" if own is not None and own.descending else "ascending"


def show_columns(table: Table, rows: pa.Table) -> None:
    """Print rows by their columns: figures first, then names and texts, which may be cut."""
    types = {field.name: str(field.type) for field in rows.schema}
    others = {own.name: own for own in undeclared(table, types).columns}
    columns = [table.column(name) or others[name] for name in types]
    shown = sorted(
        (own for own in columns if own.shown != "hidden"), key=lambda own: own.shown in ("name", "text")
    )
    cells = [[cell(own, row[own.name]) for own in shown] for row in rows.to_pylist()]
    words = [at for at, own in enumerate(shown) if own.shown in ("name", "text", "category")]
    show_rows([own.name.replace("_", " ") for own in shown], cells, words=words[::-1])
    if differ_at_one(rows):
        OUT.print(f"\n[dim]{ALL_COMMON}[/dim]")


def cell(column: Column, value: Any) -> str:
    """Write a value as its column is shown.

    >>> from neardup.tables import column
    >>> [cell(column("share", "double", "of all"), value) for value in (0.25, 0.00000012)]
    ['0.250', '1.2e-07']
    """
    if value is None:
        return ""
    match column.shown:
        case "number" if 0 < abs(value) < LEAST:
            return f"{value:.1e}"
        case "share":
            return share_text(value)
        case "number":
            return similarity_text(value)
        case "count":
            return f"{value:,}"
        case _ if isinstance(value, bool):
            return "yes" if value else "no"
    return " ".join(str(value).split())


def differ_at_one(pairs: pa.Table) -> bool:
    """Return whether pairs have all in common that is compared, without being identical."""
    if not {"kind", "similarity"} <= {*pairs.column_names}:
        return False
    return bool(
        pc.any(
            pc.and_(pc.equal(pairs["kind"], NEAR_DUPLICATE), pc.equal(pairs["similarity"], 1))
        ).as_py()
    )


def explaining(result: ResultFolder, folder: str) -> list[str]:
    """Return the command that explains the first pair of a result, if it has any."""
    first = result.pairs.slice(0, 1).to_pylist()
    return [f"explain {folder} {quote(pair['id_a'])} {quote(pair['id_b'])}" for pair in first]
