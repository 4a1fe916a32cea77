"""A cleaned dataset of Hugging Face: without some rows and parts of texts, features as they were."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from neardup.cleaning.ledger import split
from neardup.cleaning.recipe import names_in
from neardup.readers import hub
from neardup.readers.memory import TableSource
from neardup.readers.tables import look_at
from neardup.results.cutting import without
from neardup.results.folder import ResultFolder

Spans = Mapping[int, list[tuple[int, int]]]


def cleaned_dataset(source: TableSource, origin: hub.Origin, result: ResultFolder) -> Any:
    """Return the dataset that was read, of the kind that it was, as a ledger says."""
    dropped, spans = split(result.local().table("ledger"))
    gone = set(dropped.tolist())
    columns = tuple(name for name in source.settings.columns if name != hub.SPLIT)
    reader = replace(source.settings, columns=columns)
    kept, found, first = result.local().table("kept"), {}, 0
    positions = kept["position"].to_pylist()
    notes = {
        f"neardup_{name}": dict(zip(positions, kept[name].to_pylist(), strict=True))
        for name in names_in(result.settings.get("add"))
    }
    for (name, part), length in zip(hub.parts_of(origin.data).items(), origin.lengths, strict=True):
        rows = range(first, first + length)
        own = {row - first: spans[row] for row in rows if row in spans}
        if own:
            column = look_at(part.with_format("arrow")[:0].schema, reader, name)[0].text
            cut = CutRow(own, tuple(column.split(".")) if column not in part.column_names else (column,))
            part = part.map(cut, with_indices=True, features=part.features)
        found[name] = hub.left_of(part, {row - first for row in rows if row in gone}, length)
        for column, values in notes.items():
            own_values = [values.get(row + 1) for row in rows if row not in gone]
            found[name] = found[name].add_column(column, own_values)
        first += length
    several: Any = type(origin.data)
    return several(found) if isinstance(origin.data, Mapping) else found[""]


@dataclass(frozen=True)
class CutRow:
    """Cuts spans out of the text of a row, which may be inside of others."""

    spans: Spans
    path: tuple[str, ...]

    def __call__(self, row: Mapping[str, Any], number: int) -> dict[str, Any]:
        """Return what is new in the row."""
        if number not in self.spans:
            return {}
        return {self.path[0]: self._cut(row[self.path[0]], self.path[1:], self.spans[number])}

    def _cut(self, value: Any, path: tuple[str, ...], spans: list[tuple[int, int]]) -> Any:
        if path:
            return {**value, path[0]: self._cut(value[path[0]], path[1:], spans)}
        return without(value, spans)
