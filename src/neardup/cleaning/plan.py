"""The plan of a recipe: records are read once, each stage takes what those before it left.

Texts are kept as they are read, in one table. A stage that drops records narrows `left`, the numbers of
those that are still there; one that cuts makes a table of new texts. Stages are plans of methods under
other names (`within`), or short ones of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import pyarrow as pa

from neardup.cleaning import commonness, examples, groups, items, keys, located, pieces, spans
from neardup.cleaning import declared as own
from neardup.cleaning.recipe import ExactSettings, Recipe, Stage
from neardup.cleaning.texts import LISTS, cut_texts, hold, list_cuts, tell, units_schema
from neardup.cleaning.within import within
from neardup.errors import SettingsError, StepError
from neardup.methods.documents import plan as documents
from neardup.plan import Map, Plan, Sql, Step
from neardup.readers.records import KNOWN
from neardup.readers.source import Source, size_of
from neardup.results.running import Job
from neardup.settings.run import RunSettings
from neardup.steps import declared, facts, naming
from neardup.steps.clusters import (
    SOURCE,
    Order,
    dated,
    documents_for,
    in_sql,
    keeper_order,
    number_by,
    part_of,
    rows_before,
)
from neardup.steps.counters import counters_size

PLACES = "g.keeper_start as keeper_start, g.keeper_end as keeper_end"
NO_PLACE = "cast(null as bigint) as keeper_start, cast(null as bigint) as keeper_end"
SAME_WORDS, SAME_TEXT = "the same words", "the same text"
NOTHING_LEFT = "no words are left"
NOTES = {
    "texts": "read every record, once, and keep it for all stages",
    "units": "words, characters and digests of texts",
    "known": "documents with what the order of keepers needs",
    "ranks": "documents from the best keeper to the worst",
    "ledger": "whatever was dropped or cut, where it stood, why, and what stayed instead",
    "flow": "what came to each stage and what was left, by source",
    "kept": "the records that stay, and how many each stands for",
    "shown": "a few changes of each stage, with what went and what stayed instead",
}


@dataclass
class Building:
    """A plan in the making: its steps, and where a corpus is between two stages."""

    recipe: Recipe
    records: pa.Schema
    counters: int
    steps: list[Step] = field(default_factory=list)
    texts: str = "texts"  # as the last stage left them
    units: str = "units"
    number: int = 0  # of the stage
    left: str = "left"
    sizes: str = "sizes"  # how many records each of those left stands for
    located: list[str] = field(default_factory=list)  # tables of cuts, in texts as they were read
    rows: list[str] = field(default_factory=list)  # statements for rows of the ledger

    @property
    def order(self) -> Order:
        """Return the order of keepers."""
        return keeper_order(self.recipe.keep, naming.carried_columns(self.records))

    def column(self, name: str) -> str:
        """Return a column of `known` as it stands in a statement."""
        columns = naming.carried_columns(self.records)
        if name not in (SOURCE, *KNOWN, *columns):
            raise SettingsError(f"no record has a column {name!r}", hint="Check its spelling.")
        return f"d.{columns.get(name, name)}"

    @property
    def per(self) -> str:
        """Return what a copy is kept for each value of, behind what makes records the same."""
        return f", {self.column(self.recipe.keep_per)}" if self.recipe.keep_per else ""

    @property
    def whole(self) -> bool:
        """Return whether the digests of texts are those of all their characters."""
        first = next((one.settings for one in self.recipe.stages if one.name == "exact"), None)
        return isinstance(first, ExactSettings) and first.match == "text"

    def begin(self, sample: float) -> None:
        """Add the steps that read records and name documents."""
        schema = units_schema(self.records)
        names = naming.carried_columns(self.records)
        own = ("title", "url", "date", *(["moment"] if dated(self.order) else []), *names.values())
        carried = "".join(f", d.{name} as {name}" for name in own)
        known = (
            "select c.doc as key, d.doc as doc, d.id as id, d.source as source, d.position as position,"
        )
        documents = documents_for(self.order)
        known += (
            f" d.length as length {carried} from {documents} d join {{numbers}} c on c.number = d.doc"
        )
        self.steps += [
            Map("texts", "records", partial(hold, sample), self.records),
            Map("units", "texts", partial(tell, schema, self.whole), schema),
            naming.parts("units"),
            Sql("numbers", naming.numbered("units"), keep=True),
            *naming.steps("units", "numbers", self.records),
            *dated(self.order),
            Sql("known", known, keep=True),
            Sql("ranks", ranks(self.order, self.per.removeprefix(", ")), keep=True),
            Sql("left", "select doc from {numbers} order by doc", keep=True),
            Sql("sizes", "select doc, cast(1 as bigint) as size from {numbers}"),
        ]
        if self.recipe.group:
            self.steps.append(groups.numbered(self.column(self.recipe.group)))

    def add(self, stage: Stage) -> None:
        """Add the steps of one stage."""
        label = stage.label
        self.number += 1
        match stage.name:
            case "keys":
                self.steps += keys.steps(label, stage.settings, self.texts, self.left)
                same = "u.key", f"{{{label}_keys}}", f"'the same {keys.plain(stage.settings.column)}'"
                self.drop(label, self.best_of(*same))
            case "exact":
                self.exact(stage)
            case "documents":
                self.documents(stage)
            case "spans":
                given = self.texts, self.units, self.left, self.counters, self.recipe.keep_at_most
                self.steps += spans.steps(label, stage.settings, *given)
                self.cut(stage, "'a repeated span'")
            case "paragraphs" | "lines":
                split = stage.settings.of(stage.name)
                corpus = self.texts, self.units, self.left, self.recipe.keep_at_most
                self.steps += pieces.steps(label, split, *corpus)
                self.cut(stage, f"'a repeated {stage.name.removesuffix('s')}'")
            case "decontaminate":
                found = stage.settings.own, self.records, self.texts, self.left
                self.steps += items.steps(label, *found)
                if stage.settings.action == "drop":
                    self.drop(label, items.holders(label), in_groups=False)
                else:
                    joined = f" left join {{{label}_test_items}} i on i.item = -2 - g.keeper"
                    self.cut(stage, items.REASON, joined, NO_PLACE)

    def exact(self, stage: Stage) -> None:
        """Drop records with the same words or text as a better one."""
        whole, table = stage.settings.match == "text", self.units
        if whole != self.whole:
            table, schema = f"{stage.label}_told", units_schema(self.records)
            self.steps.append(
                Map(table, self.texts, partial(tell, schema, whole), schema, only=self.left)
            )
        reason = SAME_TEXT if whole else SAME_WORDS
        self.drop(stage.label, self.best_of("u.digest, u.digest_2", f"{{{table}}}", f"'{reason}'"))

    def best_of(self, same: str, table: str, reason: str) -> str:
        """Return the statement for the records that go of those that are the same."""
        window = f"over (partition by {same}{self.per} order by {in_sql(self.order)})"
        return f"""
select doc, keeper, cast(1 as double) as similarity, {reason} as reason
from (
  select d.key as doc, first_value(d.key) {window} as keeper, row_number() {window} as place
  from {{known}} d join {{{self.left}}} l on l.doc = d.key join {table} u on u.doc = d.key
) s
where place > {self.recipe.keep_at_most}
"""

    def documents(self, stage: Stage) -> None:
        """Drop near-duplicates of better records, as the method finds them."""
        label, settings = stage.label, replace(stage.settings, keep=self.recipe.keep)
        plan = documents.plan(settings, self.records, self.counters)
        given = {"records": self.texts, "files": "files"}
        wanted = ("membership", "ranked", "copies", "facts")
        self.steps += within(plan.steps, label, given, self.left, wanted)
        window = (
            "over (partition by m.keeper, x.per order by case when m.doc = m.keeper then 0 else 1 end, "
            "r.rank)"
        )
        text = f"""
select s.doc as doc, s.keeper as keeper, s.similarity as similarity, 'near-duplicate' as reason
from (
  select c.doc as doc, first_value(c.doc) {window} as keeper,
    case when first_value(m.doc) {window} = m.keeper then m.similarity end as similarity,
    row_number() {window} as place
  from {{{label}_membership}} m join {{{label}_ranked}} r on r.doc = m.doc
  join {{{label}_copies}} c on c.number = m.doc join {{ranks}} x on x.doc = c.doc
) s
where s.place > {self.recipe.keep_at_most}
"""
        self.drop(label, text)

    def drop(self, label: str, text: str, in_groups: bool = True) -> None:
        """Take out of what is left what a statement names: doc, keeper, similarity, reason."""
        gone, left, sizes = f"{label}_gone", f"{label}_left", f"{label}_sizes"
        if self.recipe.group and in_groups:
            self.steps += groups.steps(label, text, self.left)
        else:
            self.steps.append(Sql(gone, text, keep=True))
        self.steps += [
            Sql(
                left,
                f"select l.doc as doc from {{{self.left}}} l left join {{{gone}}} g on g.doc = l.doc "
                "where g.doc is null order by l.doc",
                keep=True,
            ),
            Sql(sizes, SIZES.format(left=left, gone=gone, before=self.sizes), keep=True),
        ]
        self.rows.append(
            self.ledger_rows(
                f"{{{gone}}} g join {{{self.units}}} u on u.doc = g.doc",
                "'dropped' as action, g.reason as reason, cast(0 as bigint) as start_at, "
                "d.length as end_at, u.length as characters",
                NO_PLACE,
            )
        )
        self.left, self.sizes = left, sizes

    def cut(self, stage: Stage, reason: str, joined: str = "", places: str = PLACES) -> None:
        """Make texts without what LABEL_cuts names; drop those of which no words are left."""
        label, schema = stage.label, units_schema(self.records)
        own = f"select doc, start_at, end_at from {{{label}_cuts}}"
        none = "cast(-1 as bigint) as start_at, cast(-1 as bigint) as end_at"
        self.steps += [
            *located.steps(label, self.located),
            Sql(f"{label}_marked", f"{own} union all select doc, {none} from {{{self.left}}}"),
            Map(f"{label}_listed", f"{label}_marked", list_cuts, LISTS, grouped=True),
            Sql(
                f"{label}_lists",
                f"select doc, starts, ends from {{{label}_listed}} order by doc",
                keep=True,
            ),
            Map(
                *(f"{label}_cut_texts", self.texts, cut_texts, self.records),
                only=self.left,
                lookup=f"{label}_lists",
                lookup_columns=("starts", "ends"),
                lookup_keys=("doc",),
            ),
            Map(f"{label}_cut_units", f"{label}_cut_texts", partial(tell, schema, self.whole), schema),
        ]
        self.located.append(f"{label}_located")
        self.rows.append(
            self.ledger_rows(
                f"{{{label}_located}} g{joined}",
                f"'cut' as action, case when g.blank = 1 then concat('white space beside ', {reason}) "
                f"else {reason} end as reason, g.start_at as start_at, g.end_at as end_at, "
                "g.end_at - g.start_at as characters",
                places,
            )
        )
        self.texts, self.units = f"{label}_cut_texts", f"{label}_cut_units"
        empty = "select doc, cast(null as bigint) as keeper, cast(null as double) as similarity, "
        empty += f"'{NOTHING_LEFT}' as reason from {{{self.units}}} where size = 0"
        self.drop(f"{label}_emptied", empty, in_groups=False)

    def ledger_rows(self, table: str, columns: str, places: str) -> str:
        """Return the statement for what a stage did: rows of the ledger, by the numbers of documents."""
        return f"""
select {self.number} as number, d.key as record, k.key as keeper, d.doc as doc, d.id as id,
  d.source as source, d.position as position, {columns}, k.id as keeper_id, {places},
  g.similarity as similarity
from {table} join {{known}} d on d.key = g.doc left join {{known}} k on k.key = g.keeper
"""

    def finish(self) -> None:
        """Add the steps to the tables that are delivered."""
        rows, common = f"{{{self.sizes}}} s join {{known}} d on d.key = s.doc", "cast(null as double)"
        if "commonness" in self.recipe.added:
            self.steps += commonness.steps(self.texts, self.units, self.left)
            rows, common = f"{rows} join {{commonness}} m on m.doc = s.doc", "m.commonness"
        kept = own.KEPT.of(self.left)
        characters = f"{{{self.units}}} u join {{{self.left}}} l on l.doc = u.doc"
        told = [
            Sql(f"told_{one.label}", told_of(one.label))
            for one in self.recipe.stages
            if one.name == "documents"
        ]
        counted = facts.step(
            *(declared.DOCUMENTS.of("numbers"), own.CHARACTERS, own.DROPPED, own.DROPPED_BY),
            *(own.CHANGED.of(CHANGED), own.GONE, own.GONE_BY),
            *(kept, own.CHARACTERS_KEPT.of(characters)),
            tables=[step.name for step in told],
        )
        self.steps += [
            Sql("changes", "\nunion all ".join(self.rows), keep=True),
            Sql("ledger", LEDGER),
            Sql("flow", FLOW),
            Sql("kept", KEPT.format(rows=rows, commonness=common)),
            *examples.steps(),
            *told,
            counted,
        ]


def told_of(label: str) -> str:
    """Return the statement for what a method counted at its stage."""
    return f"""
select concat('{label}.', name) as name, value from {{{label}_facts}}
where name in ('candidates', 'clusters', 'keys_too_common', 'candidates_left_out', 'stayed_in_crowds')
"""


def ranks(order: Order, per: str) -> str:
    """Return the statement that numbers documents from the best keeper to the worst, part by part.

    And what a copy is kept `per`, if anything.
    """
    first = order[0].value
    part = part_of(first) if first == "d.doc" else first
    before = rows_before(f"(select {part} as part from {{known}} d)", "part", order[0].direction)
    values = f"(select distinct {per or '0'} as value from {{known}} d) v"
    return f"""
select d.key as doc, {number_by(in_sql(order))} as rank, n.per as per
from {{known}} d join ({before}) p on p.part is not distinct from {part}
join (select value, cast(row_number() over (order by value) as bigint) as per from {values}) n
  on n.value is not distinct from {per or "0"}
order by d.key
"""


KEPT = """
select d.id as id, d.source as source, d.position as position, s.size as cluster_size,
  {commonness} as commonness, d.doc as doc
from {rows} order by d.doc
"""
SIZES = """
select l.doc as doc, cast(s.size + coalesce(a.more, 0) as bigint) as size
from {{{left}}} l join {{{before}}} s on s.doc = l.doc
left join (
  select g.keeper as doc, sum(s.size) as more from {{{gone}}} g join {{{before}}} s on s.doc = g.doc
  group by g.keeper
) a on a.doc = l.doc
"""
LEDGER = """
select s.stage as stage, r.action as action, r.reason as reason, r.id as id, r.source as source,
  r.position as position, r.start_at as start_at, r.end_at as end_at, r.characters as characters,
  r.keeper_id as keeper_id, r.keeper_start as keeper_start, r.keeper_end as keeper_end,
  r.similarity as similarity, r.doc as doc
from {changes} r join {stages} s on s.number = r.number
order by r.doc, r.number, r.action, r.start_at
"""
# of a record that was dropped, the last action by the alphabet is that
CHANGED = "(select doc from {ledger} group by doc having max(action) = 'cut') c"
EARLIER = (
    "over (partition by f.source order by f.number rows between unbounded preceding and 1 preceding)"
)
FLOW = f"""
select f.number as number, f.stage as stage, f.source as source,
  f.records - cast(coalesce(sum(f.dropped) {EARLIER}, 0) as bigint) as records_before,
  f.dropped as dropped, f.changed as changed,
  f.records - cast(coalesce(sum(f.dropped) {EARLIER}, 0) as bigint) - f.dropped as records_after,
  f.characters - cast(coalesce(sum(f.gone) {EARLIER}, 0) as bigint) as characters_before,
  f.gone as characters_gone,
  f.characters - cast(coalesce(sum(f.gone) {EARLIER}, 0) as bigint) - f.gone as characters_after
from (
  select cast(s.number as bigint) as number, s.stage as stage, t.source as source, t.records as records,
    t.characters as characters,
    cast(coalesce(g.dropped, 0) as bigint) as dropped, cast(coalesce(g.changed, 0) as bigint) as changed,
    coalesce(g.gone, 0) as gone
  from {{stages}} s
  cross join (
    select source, count(*) as records, cast(sum(length) as bigint) as characters
    from {{documents}} group by source
  ) t
  left join (
    select stage, source, sum(dropped) as dropped, sum(1 - dropped) as changed,
      cast(sum(gone) as bigint) as gone
    from (
      select stage, source, max(case when action = 'dropped' then 1 else 0 end) as dropped,
        sum(characters) as gone
      from {{ledger}} group by stage, source, doc
    ) r
    group by stage, source
  ) g on g.stage = s.stage and g.source = t.source
) f
order by f.number, f.source
"""


def plan(recipe: Recipe, records: pa.Schema, counters: int = 1 << 20, sample: float = 1.0) -> Plan:
    """Return the plan of a recipe for records of this schema."""
    building = Building(recipe, records, counters)
    building.begin(sample)
    for stage in recipe.stages:
        building.add(stage)
    building.finish()
    given = [
        f"{one.label}_{table}"
        for one in recipe.stages
        if one.name == "decontaminate"
        for table in items.GIVEN
    ]
    sources = ("records", "files", "stages", *given)
    return Plan("clean", sources, tuple(building.steps), (*own.TABLES, "facts"), NOTES)


def check_sums(counts: Mapping[str, int]) -> None:
    """Refuse a run of which what was kept and what went is not what was read."""
    parts = (declared.DOCUMENTS, own.KEPT, own.DROPPED), (own.CHARACTERS, own.CHARACTERS_KEPT, own.GONE)
    for read, kept, gone in parts:
        if counts[read] != counts[kept] + counts[gone]:
            what = f"{counts[read]:,} {read} were read, {counts[kept]:,} kept and {counts[gone]:,} went"
            hint = "This is a fault of neardup; nothing was written. Please report it."
            raise StepError(f"the ledger does not add up: {what}", hint=hint)


def job(source: Source, recipe: Recipe, run: RunSettings, sample: float = 1.0) -> Job:
    """Plan `clean`."""
    counters = counters_size(run.summary_memory, size_of(source))
    labels = [stage.label for stage in recipe.stages]
    numbers = pa.array(range(1, len(labels) + 1), pa.int64())
    tables = {"stages": pa.table({"number": numbers, "stage": pa.array(labels, pa.string())})}
    settings = recipe.as_dict() | ({"sample": sample} if sample < 1 else {})
    for stage in recipe.stages:
        if stage.name == "decontaminate":
            found, digest = items.read(stage.settings)
            tables |= {f"{stage.label}_{name}": own for name, own in found.items()}
            settings[f"{stage.label}_items"] = digest
    return Job(
        plan(recipe, source.schema, counters, sample),
        source,
        settings,
        naming.users_names(source.schema),
        tables,
        check_sums,
    )
