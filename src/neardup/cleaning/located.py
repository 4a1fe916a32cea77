"""Where cuts of a text that was cut before lie in the text as it was read.

One that goes over earlier cuts lies there in pieces. Those that are only the white space to what is
repeated are `blank`, so that nobody takes them for it.
"""

from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers
from neardup.plan import Map, Sides, Sql, Step
from neardup.steps.columns import schema_of

# `earlier` ones are cuts of stages before, where they lie in the text as it was read.
PLACES = schema_of(
    "doc start_at end_at other other_start other_end before behind blank earlier int64, "
    "similarity float64"
)


def steps(label: str, before: list[str]) -> list[Step]:
    """Return the steps from LABEL_cuts to LABEL_located, given such of the stages before."""
    turned = "keeper as doc, keeper_start as start_at, keeper_end as end_at, doc as other, start_at as "
    turned += "other_start, end_at as other_end, before, behind, 0 as blank"
    back = "other as doc, other_start as start_at, other_end as end_at, doc as other, start_at as "
    back += "other_start, end_at as other_end, before, behind, 0 as blank"
    named = "doc, start_at, end_at, other as keeper, other_start as keeper_start, "
    named += "other_end as keeper_end, blank"

    def with_earlier(columns: str, table: str) -> str:
        none = "0 as other, 0 as other_start, 0 as other_end, 0 as before, 0 as behind, 0 as blank, "
        none += "1 as earlier, 0.0e0 as similarity"
        old = "".join(
            f" union all select doc, start_at, end_at, {none} from {{{name}}}" for name in before
        )
        whole = f"select {columns}, 0 as earlier, similarity from {{{table}}}{old}"
        casts = ", ".join(f"cast({name} as bigint) as {name}" for name in PLACES.names[:-1])
        return f"select {casts}, similarity from ({whole}) c"

    if not before:
        return [Sql(f"{label}_located", f"select *, cast(0 as bigint) as blank from {{{label}_cuts}}")]
    return [
        Sql(f"{label}_of_keepers", with_earlier(turned, f"{label}_cuts")),
        Map(f"{label}_kept_at", f"{label}_of_keepers", partial(locate, False), PLACES, grouped=True),
        Sql(f"{label}_of_docs", with_earlier(back, f"{label}_kept_at")),
        Map(f"{label}_cut_at", f"{label}_of_docs", partial(locate, True), PLACES, grouped=True),
        Sql(f"{label}_located", f"select {named}, similarity from {{{label}_cut_at}}"),
    ]


def locate(apart: bool, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Find places in texts as they were read; `apart`: without what was cut out of them before."""
    columns = {name: batch[name].to_numpy() for name in batch.schema.names}
    order = np.lexsort((columns["start_at"], columns["doc"]))
    docs, earlier = columns["doc"][order], columns["earlier"][order] > 0
    starts, ends = columns["start_at"][order], columns["end_at"][order]
    before, behind = (columns[name][order] for name in ("before", "behind"))
    found: list[tuple[int, int, int, int]] = []  # row, start, end, blank
    for begin, end in pairwise(np.flatnonzero(np.diff(docs, prepend=-1, append=-1)).tolist()):
        old = np.flatnonzero(earlier[begin:end]) + begin
        new = np.flatnonzero(~earlier[begin:end]) + begin
        gone = ends[old] - starts[old]
        # where the first character behind each earlier cut is now
        now = starts[old] - (np.cumsum(gone) - gone)
        for row in new.tolist():
            pieces = placed(int(starts[row]), int(ends[row]), now, starts[old], ends[old])
            chosen = pieces if apart else [(pieces[0][0], pieces[-1][1])]
            sizes = np.cumsum([0, *(close - start for start, close in chosen)])
            blank = (sizes[1:] <= before[row]) | (sizes[:-1] >= sizes[-1] - behind[row])
            found += [
                (int(order[row]), *piece, int(own)) for piece, own in zip(chosen, blank, strict=True)
            ]
    rows = pa.array([row for row, *_ in found], pa.int64())
    result = batch.take(rows)
    for at, name in enumerate(("start_at", "end_at", "blank"), 1):
        moved = pa.array([piece[at] for piece in found], pa.int64())
        result = result.set_column(result.schema.get_field_index(name), name, moved)
    return result.cast(PLACES)


def placed(
    start: int, end: int, now: Integers, starts: Integers, ends: Integers
) -> list[tuple[int, int]]:
    """Return where a part of a cut text lies in the whole, without earlier cuts inside it.

    Of a text of which 10 to 20 was cut, what is 5 to 15 now was 5 to 10 and 20 to 25:

    >>> import numpy as np
    >>> placed(5, 15, np.array([10]), np.array([10]), np.array([20]))
    [(5, 10), (20, 25)]
    """
    first, last = np.searchsorted(now, start, side="right"), np.searchsorted(now, end, side="left")
    shift = int(ends[first - 1] - now[first - 1]) if first else 0
    pieces, at = [], start + shift
    for cut in range(int(first), int(last)):
        pieces.append((at, int(starts[cut])))
        at = int(ends[cut])
    shift = int(ends[last - 1] - now[last - 1]) if last else 0
    return [piece for piece in (*pieces, (at, end + shift)) if piece[0] < piece[1]]
