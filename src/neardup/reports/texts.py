"""The texts of a result, as far as its input is still there."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from neardup.errors import NeardupError
from neardup.results.folder import ResultFolder
from neardup.results.reopening import reopen_rest
from neardup.showing.kind import Kind


class Texts(NamedTuple):
    """Texts by the numbers of their documents, and why some are not there."""

    by_doc: dict[int, str]
    remarks: list[str]


def texts_of_docs(kind: Kind, docs: Sequence[int]) -> Texts:
    """Fetch the texts of documents by their numbers; what is gone or has changed is left out."""
    result = kind.result
    own = kind.own_texts(docs)
    wanted = sorted(set(docs) - own.keys())
    if not wanted:
        return Texts(own, [])
    try:
        source, changed = sources(result)
    except NeardupError as error:
        return Texts(own, [f"No text is shown: {error}"])
    numbers = {name: number for number, name in enumerate(source.names)}
    rows = result.documents.select(["source", "position"]).take(pa.array(wanted)).to_pylist()
    single = numbers.get("memory") if len(numbers) == 1 else None
    places = {
        doc: (numbers.get(row["source"], single), row["position"] - 1)
        for doc, row in zip(wanted, rows, strict=True)
    }
    known = [(doc, (file, at)) for doc, (file, at) in places.items() if file is not None]
    found = kind.texts(source, [place for _, place in known]) if known else []
    by_doc = {doc: text for (doc, _), text in zip(known, found, strict=True) if text is not None}
    return Texts(own | by_doc, remarks_on(changed))


def sources(result: ResultFolder) -> tuple[Any, list[str]]:
    """Return the texts that the result has; or open what the run read, and name what is not the same."""
    if kept := result.kept_texts():
        return kept, []
    if result.live_source is not None:
        return result.live_source, []
    return reopen_rest(result.run["input"], result.moved)


def remarks_on(changed: Sequence[str]) -> list[str]:
    """Say which files are not what they were, without their folders: a report is for others, too."""
    if not changed:
        return []
    names = [path.replace("\\", "/").rpartition("/")[2] for path in changed[:3]]
    some = ", ".join(names) + (" and others" if len(changed) > 3 else "")
    what = "a file" if len(changed) == 1 else f"{len(changed):,} files"
    return [
        f"The texts of {what} are not shown, since the input is gone or has changed since the run: "
        f"{some}. To see them, make the report again and say where they are now (input), or run again."
    ]
