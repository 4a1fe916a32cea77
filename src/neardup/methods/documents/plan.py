"""documents: resemblance of whole documents by shingles, verified on their whole sets.

Broder's shingling as in Khoshdel Nikkhoo's thesis (Waterloo, 2010), with an exact join: see
`candidates` for how pairs are proposed and `verify` for how they are checked.
"""

from functools import partial

import pyarrow as pa

from neardup.methods.documents import candidates, commonality
from neardup.methods.documents.declared import TABLES
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.documents.units import MakeUnits, units_schema
from neardup.methods.documents.verify import COMPARED, verify
from neardup.plan import Map, Plan, Sql, Step
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.signatures.shingles import Shingles
from neardup.steps import (
    clusters,
    copies,
    crowds,
    declared,
    exclusions,
    facts,
    listing,
    naming,
    rejected,
)
from neardup.steps.against import EVERYTHING, Against
from neardup.steps.counters import counters_size
from neardup.steps.exclusions import SPANS, Excluding
from neardup.steps.naming import users_names
from neardup.steps.pair_kinds import kind_by_shares_sql
from neardup.steps.rounding import lowered_sql
from neardup.text.masks import parsed

NOTES = {
    "sets": "as units, before common shingles are taken out",
    "suspects": "the shingles that may be common, once a document",
    "boilerplate": "the shingles that more documents have than max_shared",
    "units": "read, normalise and shingle every record; a problem is a row too",
    "copies": "documents with the same words are compared with others only once",
    "counts": "how many documents have a shingle, roughly: gives the order, rarest first",
    "keys": "what documents must share to become candidates",
    "shared": "the pairs of documents that share a key",
    "candidates": "each pair once, if its sizes allow the threshold",
    "compared": "common shingles counted on the whole sets",
    "verified": "the pairs that reach the threshold",
    "rejected": "those that miss it by least, to choose another threshold by",
    "amount": "how many pairs there are",
    "many": "that number, if it is too large to list all of them unasked",
    "facts": "what was read, skipped and capped",
}

BLOCK = (
    64  # documents that are read together: where nearly all pairs are candidates, few make many of them
)


def plan(
    settings: DocumentSettings,
    records: pa.Schema,
    counters: int = 1 << 20,
    against: Against = EVERYTHING,
) -> Plan:
    """Return the plan for records of this schema; `counters` are the bytes of the table of counts."""
    excluding = Excluding.asked(settings)
    schema = units_schema(records, *([SPANS] if excluding else []))
    shingles = Shingles.parse(settings.shingle)
    order = clusters.keeper_order(settings.keep, naming.carried_columns(records), against.is_given)
    make = MakeUnits(shingles, schema, excluding, parsed(settings.mask or ""))
    sides = excluding.sides if excluding else ()
    holds = settings.exclude_quoted or settings.exclude_bibliography
    steps: list[Step] = [
        Map("units", "records", make, schema, sides, holds_gil=holds),
        *copies.steps(against=against),
        *naming.steps("units", "copies", records, f", c.same_as as same_as{against.named('c.doc')}"),
        *clusters.dated(order),
        *candidates.steps(settings, counters, against),
        Sql(
            "candidates",
            crowds.candidates(
                proposed(settings, against),
                order,
                settings.longest_list,
                settings.most_pairs,
                counted=settings.counts_keys,
            ),
            keep=True,
        ),
        Map(
            "compared",
            "candidates",
            partial(verify, settings.measure, settings.threshold),
            COMPARED,
            lookup="units",
            lookup_columns=("shingles",),
            lookup_keys=("a", "b"),
            task_rows=4096,
        ),
        rejected.verified(),
        rejected.rejected(),
        *grouped_and_listed(settings, order, against),
        facts.step(
            *facts.of_copies(settings.max_copies, against),
            *((declared.UNREAD_DATES,) if clusters.dated(order) else ()),
            declared.KEYS_TOO_COMMON,
            declared.CANDIDATES.of("candidates", "left_out is null"),
            declared.CANDIDATES_LEFT_OUT,
            declared.STAYED_IN_CROWDS,
            declared.CANDIDATES_VERIFIED,
            *listing.counts(settings.pairs),
            *declared.OF_CLUSTERS,
            declared.CLUSTER_SIZES,
            *([declared.EXCLUDED] if excluding else []),
        ),
    ]
    if settings.max_shared:
        sets = Map("sets", "records", make, schema, sides, holds_gil=holds)
        steps[:1] = [sets, *commonality.steps(settings, schema, counters)]
    if excluding:
        steps = [*excluding.before(), *steps[:-1], *exclusions.steps("units", "copies"), steps[-1]]
    base = ["base"] if settings.exclude is not None else []
    tables = [table for table in TABLES if excluding or table != declared.EXCLUDED_TABLE]
    return Plan("documents", ("records", "files", *base), tuple(steps), (*tables, "facts"), NOTES)


def grouped_and_listed(
    settings: DocumentSettings, order: clusters.Order, against: Against
) -> list[Step]:
    """Return the steps from `verified` to `clusters`, and to the pairs that are listed."""
    kind = kind_by_shares_sql("e.copied = 1", "e.in_x", "e.in_y", settings.threshold)
    measured, most = copies.SHARES | copies.COPIED, settings.max_copies
    between = listing.edges(copies.SHARES, most, against)
    return [
        *clusters.steps(order, settings.clusters, settings.threshold, between=between),
        *listing.steps(f"{copies.IN_ORDER}, {kind} as kind", settings.pairs, measured, most, against),
    ]


def proposed(settings: DocumentSettings, against: Against) -> str:
    """Return the statement for the pairs that share keys enough and whose sizes allow the threshold."""
    # Both sizes stand on one side: as two comparisons this would look like a range join of all
    # documents with all.
    least = f"{lowered_sql(settings.threshold)} * greatest(x.size, y.size)"
    sizes = "1 = 1" if settings.measure == "containment" else f"least(x.size, y.size) >= {least}"
    crowds, enough = "", ""
    if settings.counts_keys:
        crowds = "left join crowds l on l.doc = s.a left join crowds m on m.doc = s.b"
        enough = f"and {candidates.enough_sql(settings.threshold)}"
    return f"""
select s.a as a, s.b as b, x.size as size_a, y.size as size_b,
  x.number - x.number % {BLOCK} as block_a, y.number - y.number % {BLOCK} as block_b
from pairs s
join {{copies}} x on x.doc = s.a join {{copies}} y on y.doc = s.b {crowds}
where {sizes} and {against.of_groups()} {enough}
"""


def job(
    source: Source, settings: DocumentSettings, run: RunSettings, against: Against = EVERYTHING
) -> Job:
    """Plan `documents`."""

    return Job(
        plan(settings, source.schema, counters_size(run.summary_memory, size_of(source)), against),
        source,
        settings.as_dict(),
        users_names(source.schema),
        exclusions.base_tables(settings, source),
        against=against,
    )
