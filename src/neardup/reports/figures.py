"""The plots of a report."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.evaluation.sampling import SamplingRow, SamplingSettings, SamplingStudy
from neardup.evaluation.sampling_report import plots as sampling_plots
from neardup.reports.origins import origins_of
from neardup.result import Result
from neardup.showing.kind import Clusters, Kind
from neardup.web.numbers import shown
from neardup.web.page import Html, element, figure, visible
from neardup.web.svg import bars, histogram
from neardup.web.words import say

MOST_SOURCES = 15
STUDY = "study.json"


def figures(kind: Kind, clusters: Clusters | None, study: Path | None) -> Iterator[Html]:
    """Draw what a result has to show."""
    yield from map(shown, kind.plots())
    if clusters is not None and len(clusters.size):
        yield cluster_sizes(clusters)
    yield from source_shares(kind, clusters)
    if drawn := origins_of(Result.of(kind.result)):
        yield shown(drawn)
    if "containment_a" in kind.pairs.column_names and len(kind.pairs):
        yield coverage(kind)
    if study is not None:
        yield from (figure(svg) for svg in sampling_plots(read_study(study)).values())


def cluster_sizes(clusters: Clusters) -> Html:
    """Draw how many clusters there are of each size, large ones in classes."""
    counted = Counter(size_class(size) for size in clusters.size.tolist())
    rows = [(name, float(number)) for (_, name), number in sorted(counted.items())]
    plot = bars(rows, title=say("figure.sizes"), x=say("figure.clusters"), width=520)
    return figure(plot, say("figure.largest", members=int(clusters.size.max())))


def size_class(size: int) -> tuple[int, str]:
    """Return where the class of a size begins, and what it is called.

    >>> size_class(3), size_class(17), size_class(1234)
    ((3, '3'), (10, '10–19'), (1000, '1,000–1,999'))
    """
    if size < 6:
        return size, str(size)
    power = 10 ** (len(str(size)) - 1)
    begin = next(f * power for f in (5, 2, 1) if f * power <= size)
    begin, end = max(begin, 6), {1: 2, 2: 5, 5: 10}[begin // power] * power - 1
    return begin, f"{begin:,}–{end:,}"


def source_shares(kind: Kind, clusters: Clusters | None) -> Iterator[Html]:
    """Draw, for each file, the share of its documents that have a near-duplicate."""
    documents = kind.result.documents
    docs = np.union1d(*(kind.pairs[name].to_numpy() for name in ("doc_a", "doc_b")))
    if clusters is not None and kind.item == "document":
        docs = np.union1d(docs, clusters.items)
    total = counts_of(documents["source"])
    if len(total) < 2 or documents.num_rows < 2 * len(total):
        return  # one file, or one document a file
    docs = docs[docs < documents.num_rows]  # others, such as test items, are of no file
    own = counts_of(documents["source"].take(pa.array(docs)))
    shares = sorted(((own.get(name, 0) / n, own.get(name, 0), name) for name, n in total.items()))
    top = sorted(shares, key=lambda row: (-row[0], -row[1], row[2]))[:MOST_SOURCES]
    rest = len(shares) - len(top)
    note = say("figure.files.some", number=MOST_SOURCES, all=len(shares)) if rest else ""
    plot = bars(
        [(visible(name), 100 * part) for part, _, name in top],
        title=say("figure.files"),
        x=say("figure.files.x"),
        width=520,
    )
    drawn = figure(plot, f"{say('figure.files.about')} {note}".strip())
    yield element("div", drawn, kind="named")


def counts_of(column: pa.ChunkedArray) -> dict[str, int]:
    """Return how often each value occurs."""
    return {row["values"]: row["counts"] for row in pc.value_counts(column).to_pylist()}


def coverage(kind: Kind) -> Html:
    """Draw how much of each document is in another one."""
    most: dict[int, float] = {}
    for side in ("a", "b"):
        table = kind.pairs.select([f"doc_{side}", f"containment_{side}"]).group_by(f"doc_{side}")
        for doc, value in zip(
            *table.aggregate([(f"containment_{side}", "max")]).to_pydict().values(), strict=True
        ):
            most[doc] = max(most.get(doc, 0.0), value)
    plot = histogram(
        most.values(),
        title=say("figure.coverage"),
        x=say("figure.coverage.x"),
        y=say("figure.documents"),
        span=(0, 1),
        width=520,
    )
    return figure(plot, say("figure.coverage.about"))


def read_study(path: Path) -> SamplingStudy:
    """Read a study of sampling from its folder."""
    try:
        found = json.loads((path / STUDY).read_text(encoding="utf-8"))
        return SamplingStudy(
            SamplingSettings(**found["settings"]),
            found["counts"],
            [SamplingRow(**row) for row in found["rates"]],
            [SamplingRow(**row) for row in found["commonalities"]],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"this is not a study of sampling: {error}",
            where=str(path),
            hint="Give the folder of: neardup study sampling INPUT… -o FOLDER",
        ) from None
