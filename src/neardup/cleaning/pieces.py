"""The stages `paragraphs` and `lines`: of those that are the same but for white space, one stays.

Or several, if that many copies may. They are split as by the method `sentences`, and compared by digests
of 128 bits of their texts.
"""

from functools import partial

import numpy as np
import pyarrow as pa

from neardup.cleaning.spans import CUTS, cuts_of, joined, runs_of
from neardup.cleaning.texts import with_texts
from neardup.methods.sentences.settings import SentenceSettings
from neardup.methods.sentences.units import SplitText
from neardup.plan import Map, Sides, Sql, Step
from neardup.signatures.shingles import utf8
from neardup.steps.columns import schema_of

PIECES = schema_of("doc start_at end_at digest digest_2 int64")


def steps(
    label: str, settings: SentenceSettings, base: str, units: str, left: str, at_most: int
) -> list[Step]:
    """Return the steps to LABEL_cuts, from the texts of a corpus and the `ranks` of its documents."""
    names = {name: f"{{{label}_{name}}}" for name in ("pieces", "same")}
    return [
        Map(f"{label}_pieces", base, partial(take_pieces, settings), PIECES, only=left),
        Sql(f"{label}_same", SAME.format(**names)),
        Sql(f"{label}_by_doc", REPEATED.format(**names, of=f"{{{units}}}", at_most=at_most)),
        Map(
            *(f"{label}_cuts", f"{label}_by_doc", with_white_space, CUTS),
            lookup=base,
            lookup_columns=("text",),
            lookup_keys=("doc",),
            grouped=True,
        ),
    ]


SAME = """
select s.*, r.rank as rank, r.per as per
from {pieces} s
join (select digest, digest_2 from {pieces} group by digest, digest_2 having count(*) > 1) c
  on c.digest = s.digest and c.digest_2 = s.digest_2
join {{ranks}} r on r.doc = s.doc
"""
FIRST = "over (partition by digest, digest_2, per order by rank, start_at)"
REPEATED = f"""
select s.doc as doc, s.start_at as start_at, s.end_at as end_at, s.keeper as keeper,
  s.keeper_start as keeper_start, s.keeper_end as keeper_end, u.length as length
from (
  select doc, start_at, end_at, first_value(doc) {FIRST} as keeper,
    first_value(start_at) {FIRST} as keeper_start, first_value(end_at) {FIRST} as keeper_end,
    row_number() {FIRST} as place
  from {{same}}
) s join {{of}} u on u.doc = s.doc
where s.place > {{at_most}}
"""


def take_pieces(settings: SentenceSettings, batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """Take the paragraphs or lines of each text that are long enough."""
    from neardup.kernels.sentence_keys import text_digests

    cut = SplitText(settings, batch.schema).cut(batch["text"], [None] * batch.num_rows)
    data, offsets = utf8(cut.sentences.cast(pa.large_string()))
    none = np.zeros(len(cut.sentences), np.uint64)
    digests = (text_digests(data, offsets, none + np.uint64(seed)) for seed in range(2))
    docs = np.repeat(batch["doc"].to_numpy(), np.diff(cut.bounds))
    places = (own.astype(np.int64) for own in (cut.starts, cut.ends))
    columns = (docs, *places, *(own.view(np.int64) for own in digests))
    return pa.RecordBatch.from_arrays([pa.array(own) for own in columns], schema=PIECES)


def with_white_space(batch: pa.RecordBatch, sides: Sides) -> pa.RecordBatch:
    """Return cuts with the white space that goes with them, a row each."""
    from neardup.methods.sentences.removal import reaches

    found = []
    for rows, which, texts in with_texts(batch, "doc", "start_at", sides["lookup"]):
        spans = np.empty((rows.num_rows, 2), np.int64)
        starts, ends = (rows[name].to_numpy() for name in ("start_at", "end_at"))
        places = list(zip(starts.tolist(), ends.tolist(), strict=True))
        for begin, end in runs_of(which):
            spans[begin:end] = reaches(texts[int(which[begin])].as_py(), places[begin:end])
        found.append(cuts_of(rows, spans, starts, ends))
    return joined(found, CUTS)
