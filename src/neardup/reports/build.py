"""The report of a result: one HTML file that needs nothing else, and says what it leaves out."""

import base64
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.engines.base import Progress, Silent
from neardup.errors import OutputError
from neardup.reports.alignment import align
from neardup.reports.figures import figures
from neardup.reports.kinds import Clusters, Column, Integers, Kind, kind_of
from neardup.reports.selection import by_worth
from neardup.reports.texts import texts_of_docs
from neardup.reports.what_if import thresholds
from neardup.result import Result
from neardup.settings import parse_size
from neardup.web.page import Html, element, page, section, table, visible
from neardup.web.viewer import SCRIPTS, STYLE, static

NAME = "report.html"
LEAST_SIZE = 200_000  # bytes: what a report needs without any text
MOST_ROWS = 100_000
MOST_MEMBERS = 200_000
MOST_TEXTS = 5_000  # pairs
MOST_CHARACTERS = 200_000_000  # of texts that are held at once
LEAST_SHOWN = 4_000  # characters of a side, however many pairs there are
LONGEST_NAME = 200  # characters of an id or title
BLOCK = 1 << 18  # characters of texts that are packed together
BINS = 60


class Report(NamedTuple):
    """Where a report is, and what is in it."""

    path: Path
    size: int
    rows: int
    texts: int
    left_out: list[str]


class Chosen(NamedTuple):
    """What of a result goes into its report."""

    rows: Integers
    worth: Integers
    keys: Integers
    clusters: Clusters | None
    grid: list[float]


def report(
    result: Result,
    output: str | Path | None = None,
    *,
    study: str | Path | None = None,
    max_size: str | int = "19MB",
    progress: Progress | None = None,
) -> Report:
    """Write a result as one HTML file, by default `report.html` in its folder.

    `study` is a folder of `neardup study sampling`, whose curves are shown too.
    """
    path = Path(output) if output is not None else result.folder / NAME
    check_free(path)
    if result.method == "trec":
        raise OutputError(
            "this result has its report already", where=str(result.folder / NAME), hint="Open that file."
        )
    largest = max(parse_size(max_size), LEAST_SIZE)
    text, made = build(result, None if study is None else Path(study), largest, progress or Silent())
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)
    return made._replace(path=path, size=path.stat().st_size)


def check_free(path: Path) -> None:
    """Refuse to write over anything but a report."""
    if path.is_dir():
        raise OutputError("this is a folder", where=str(path), hint="Name a file, such as report.html.")
    if path.exists() and b'content="neardup"' not in path.read_bytes()[:100_000]:
        raise OutputError("this file is no report of neardup", where=str(path), hint="Name another one.")


def build(result: Result, study: Path | None, largest: int, progress: Progress) -> tuple[str, Report]:
    """Return the page, and what is in it."""
    kind = kind_of(result)
    clusters = kind.clusters()
    drawn = list(figures(kind, clusters, study))
    grid = grid_of(kind)
    worth = by_worth(kind, clusters, grid)
    measure = measure_json(kind, grid, clusters is not None)
    most = MOST_ROWS
    fixed = sum(map(len, map(static, (*SCRIPTS, "report.js", STYLE)))) + sum(map(len, drawn)) + 30_000
    while True:
        rows = np.sort(worth[:most])
        keys, content = content_of(kind, rows, clusters)
        head = packed({**content, "measure": measure})
        if len(head) + fixed < largest / 2 or most < 1000:
            break
        most //= 2
    chosen = Chosen(rows, worth[:most], keys, clusters, grid)
    room = largest - fixed - len(head) - 16 * min(MOST_TEXTS, most)
    blocks, places, remarks = texts_of(kind, chosen, room, progress)
    left_out = [*left_out_of(kind, chosen, places, content), *remarks]
    content |= {"measure": measure, "texts": places, "no_text": no_text(remarks, result)}
    data = {"data": packed(content)} | {f"texts-{i}": block for i, block in enumerate(blocks)}
    body = body_of(kind, clusters, drawn, left_out)
    scripts = [static(name) for name in (*SCRIPTS, "report.js")]
    text = page(title_of(kind), *body, style=static(STYLE), scripts=scripts, data=data)
    return text, Report(Path(), 0, len(rows), len(places["row"]), left_out)


def title_of(kind: Kind) -> str:
    """Say what was looked for, and where."""
    files = [file["name"] for file in kind.result.run["input"].get("files", [])]
    where = files[0] if len(files) == 1 else f"{len(files):,} files" if files else "data in memory"
    return visible(f"{kind.heading} in {where}")


def grid_of(kind: Kind) -> list[float]:
    """Return the thresholds to choose from, that of the run first."""
    measure = kind.measure
    if measure is None or not len(kind.pairs):
        return []
    values = kind.pairs[measure.column]
    if measure.higher_is_closer:
        least = measure.threshold
        if least is None:
            least = np.floor(100 * pc.min(values).as_py()) / 100
        return thresholds(least, max(1.0, pc.max(values).as_py()))
    most = pc.max(values).as_py() if measure.threshold is None else measure.threshold
    return thresholds(0.0, most)[::-1]


def measure_json(kind: Kind, grid: list[float], clustered: bool) -> dict[str, Any] | None:
    """Return what other thresholds would do, for the slider."""
    measure = kind.measure
    if measure is None or not grid:
        return None
    values = kind.pairs[measure.column].to_numpy()
    ordered = np.sort(values)
    if measure.higher_is_closer:
        pairs = len(values) - np.searchsorted(ordered, grid)
    else:
        pairs = np.searchsorted(ordered, grid, "right")
    groups = kind.effects(grid) if clustered else None
    counts, _ = np.histogram(values, bins=BINS, range=(min(grid), max(grid)))
    return {
        "column": measure.column,
        "label": measure.label,
        "threshold": measure.threshold,
        "higher": measure.higher_is_closer,
        "accepted": len(values),
        "grid": grid,
        "effects": [
            {
                "pairs": int(count),
                "clusters": groups[i].clusters if groups else None,
                "duplicates": groups[i].duplicates if groups else None,
            }
            for i, count in enumerate(pairs.tolist())
        ],
        "counts": counts.tolist(),
        "span": [min(grid), max(grid)],
        "rerun": None if measure.threshold is None else kind.rerun(),
        "none": "The run kept nothing beyond its threshold.",
    }


def content_of(kind: Kind, rows: Integers, clusters: Clusters | None) -> tuple[Integers, dict[str, Any]]:
    """Return the items' numbers and all that the tables show, as columns."""
    sides = [kind.keys(side)[rows] for side in "ab"]
    kept = kept_clusters(clusters) if clusters is not None else 0
    members = clusters.items[: clusters.bounds[kept]][:MOST_MEMBERS] if clusters else sides[0][:0]
    keepers = clusters.keeper[:kept] if clusters else sides[0][:0]
    keys = np.unique(np.concatenate([*sides, members, keepers]))
    table = kind.pairs.take(pa.array(rows))
    columns = [
        {"name": f"item_{side}", "label": label, "type": "item", "values": places(keys, own)}
        for side, own, label in zip("ab", sides, kind.side_labels, strict=True)
    ]
    columns += [column_json(column, table[column.name]) for column in kind.columns]
    measure = kind.measure
    content = {
        "unit": kind.unit,
        "item": kind.item,
        "items": items_json(kind, keys),
        "pairs": {"rows": len(rows), "columns": columns},
        "sort": measure and {"column": measure.column, "descending": measure.higher_is_closer},
    }
    if clusters is not None:
        content["clusters"] = {
            "rows": kept,
            "columns": [
                {"name": "keeper", "label": "Kept", "type": "item", "values": places(keys, keepers)},
                {
                    "name": "size",
                    "label": "Members",
                    "type": "count",
                    "values": clusters.size[:kept].tolist(),
                },
                *(
                    [column_json(Column("lowest", "Lowest", "number"), clusters.lowest[:kept])]
                    if clusters.lowest.null_count < len(clusters.lowest)
                    else []
                ),
            ],
            "bounds": np.minimum(clusters.bounds[: kept + 1], len(members)).tolist(),
            "members": places(keys, members),
            "similarity": numbers(clusters.similarity[: len(members)]),
        }
    return keys, content


def kept_clusters(clusters: Clusters) -> int:
    """Return how many clusters are shown: as many as have room, largest first."""
    return min(len(clusters.size), MOST_ROWS)


def places(keys: Integers, values: Integers) -> list[int]:
    """Return where values are among the sorted keys."""
    return list(map(int, np.searchsorted(keys, values)))


def items_json(kind: Kind, keys: Integers) -> dict[str, Any]:
    """Return the names of documents, or of sentences."""
    items = kind.items(keys)
    source = items["source"].combine_chunks().dictionary_encode()
    return {
        "id": [cut(text) for text in items["id"].to_pylist()],
        "title": [cut(text) for text in items["title"].to_pylist()],
        "source": source.indices.to_pylist(),
        "sources": [cut(text) for text in source.dictionary.to_pylist()],
    }


def cut(text: str | None) -> str | None:
    """Shorten a name that is very long."""
    return text if text is None or len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def column_json(column: Column, values: Any) -> dict[str, Any]:
    """Return a column of a table for the viewer."""
    found: dict[str, Any] = {"name": column.name, "label": column.label, "type": column.type}
    if column.type == "category":
        coded = pc.fill_null(values.cast(pa.string()), "").combine_chunks().dictionary_encode()
        return found | {"names": coded.dictionary.to_pylist(), "values": coded.indices.to_pylist()}
    if column.type == "text":
        return found | {"values": [cut(text) for text in values.to_pylist()]}
    return found | {"values": numbers(values)}


def numbers(values: Any) -> list[float | int | None]:
    """Return numbers with six places, which is more than is shown."""
    return [v if v is None else round(v, 6) for v in values.to_pylist()]


def packed(content: Any) -> str:
    """Return JSON, compressed, as base64: nothing in it can be taken for markup."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)).decode()


def texts_of(
    kind: Kind, chosen: Chosen, room: int, progress: Progress
) -> tuple[list[str], dict[str, list[int]], list[str]]:
    """Return blocks of packed texts, the rows that have texts and their blocks, and remarks."""
    wanted = affordable(kind, chosen.worth[:MOST_TEXTS], room)
    found = texts_of_docs(kind.result, kind.docs(wanted).tolist())
    limit = min(kind.longest_text, max(LEAST_SHOWN, int(3 * room / max(len(wanted), 1))))
    blocks: list[str] = []
    where: dict[int, int] = {}
    number = {row: i for i, row in enumerate(chosen.rows.tolist())}
    with progress.step("texts", len(wanted), "pairs") as advance:
        for block in blocks_of(kind, wanted, found.by_doc, limit, advance):
            text = packed({str(number[row]): view for row, view in block.items()})
            room -= len(text) + 60
            if room < 0:
                break
            where |= {number[row]: len(blocks) for row in block}
            blocks.append(text)
    rows = sorted(where)
    return blocks, {"row": rows, "block": [where[row] for row in rows]}, found.remarks


def affordable(kind: Kind, rows: Integers, room: int) -> Integers:
    """Return the first of some rows, as many as may have room by a guess at how texts compress."""
    lengths = kind.result.documents["length"].to_numpy()
    both = [lengths[kind.pairs[name].take(pa.array(rows)).to_numpy()] for name in ("doc_a", "doc_b")]
    rows = rows[(both[0] + both[1]) < MOST_CHARACTERS // 10]
    both = [lengths[kind.pairs[name].take(pa.array(rows)).to_numpy()] for name in ("doc_a", "doc_b")]
    shown = sum(np.minimum(side, kind.longest_text) for side in both)
    enough = (np.cumsum(shown) < 10 * room) & (np.cumsum(both[0] + both[1]) < MOST_CHARACTERS)
    return rows[enough]


def blocks_of(
    kind: Kind, rows: Integers, texts: dict[int, str], limit: int, advance: Any
) -> Iterator[dict[int, Any]]:
    """Yield the views of pairs in blocks of some size, those of the first rows first.

    Inside of a block, rows are in order: the same text comes again and again, which compresses well.
    """
    block: dict[int, Any] = {}
    size = 0
    for start in range(0, len(rows), 500):
        for row in np.sort(rows[start : start + 500]).tolist():
            compared = kind.compared(row, texts)
            advance(1)
            if compared is None:
                continue
            aligned = align(*compared, limit)
            block[row] = aligned
            size += min(len(compared.text_a), limit) + min(len(compared.text_b), limit)
            if size > BLOCK:
                yield block
                block, size = {}, 0
    if block:
        yield block


def left_out_of(kind: Kind, chosen: Chosen, texts: dict[str, list[int]], content: Any) -> list[str]:
    """Say what is not in the report."""
    found = []
    total, rows, shown = len(kind.pairs), len(chosen.rows), len(texts["row"])
    if rows < total:
        found.append(
            f"The table has {rows:,} of {total:,} pairs: those nearest to a threshold, those of "
            "clusters' keepers, then the least similar ones."
        )
    if shown < rows:
        found.append(
            f"{shown:,} of {rows:,} pairs have their texts in this file. neardup explain shows the "
            "others."
        )
    if chosen.clusters is not None and len(chosen.clusters.items) > len(content["clusters"]["members"]):
        kept = content["clusters"]["rows"]
        found.append(
            f"The list of clusters has {kept:,} of {len(chosen.clusters.size):,} clusters and "
            f"{len(content['clusters']['members']):,} of {len(chosen.clusters.items):,} members."
        )
    return found


def no_text(remarks: Sequence[str], result: Result) -> str:
    """Say why a pair has no text."""
    if remarks:
        return " ".join(remarks)
    return (
        "To keep this file small, these two texts are not in it. See them with: neardup explain "
        f"{visible(result.folder.name)}"
    )


def body_of(
    kind: Kind, clusters: Clusters | None, drawn: Sequence[Html], left_out: Sequence[str]
) -> Iterator[Html]:
    """Yield what the page has below its title."""
    yield element("p", *kind.words()[:1])
    cards = (element("div", element("dt", c.label), element("dd", c.value)) for c in kind.cards())
    yield element("dl", *cards, kind="cards")
    yield from (element("p", sentence) for sentence in kind.words()[1:])
    if left_out:
        items = element("ul", *(element("li", visible(remark)) for remark in left_out))
        yield element("div", element("strong", "Left out"), items, kind="note")
    if kind.measure is not None and len(kind.pairs):
        yield section("Another threshold", Html('<div id="threshold-box"></div>'))
    yield Html(TABS if clusters is not None else PAIRS)
    if drawn:
        yield section("At a glance", element("div", *drawn, kind="plots"))
    yield element("details", element("summary", "About this run"), about(kind.result))
    yield Html(REST)


def about(result: Result) -> Html:
    """List the settings, what was counted, and the versions."""
    run = result.run
    rows = [(name, visible(str(value))) for name, value in run["settings"].items()]
    rows += [(name, f"{value:,}") for name, value in run["counts"].items()]
    rows += [(f"version of {name}", value) for name, value in run["versions"].items()]
    return table(("", run["method"]), rows)


PAIRS = '<h2>Pairs</h2><div id="pairs"></div>'
TABS = """
<div role="tablist" aria-label="What was found">
<button role="tab" type="button" id="tab-pairs" aria-controls="pairs" aria-selected="true">Pairs</button>
<button role="tab" type="button" id="tab-clusters" aria-controls="clusters" aria-selected="false"
 tabindex="-1">Clusters</button>
</div>
<div id="pairs" role="tabpanel" aria-labelledby="tab-pairs"></div>
<div id="clusters" role="tabpanel" aria-labelledby="tab-clusters" hidden></div>
"""
REST = """
<div id="paper"></div>
<dialog id="viewer" aria-labelledby="viewer-title"></dialog>
<noscript>
<p class="note">Tables, texts and the slider need scripts, which this browser does not run.</p>
</noscript>
"""
