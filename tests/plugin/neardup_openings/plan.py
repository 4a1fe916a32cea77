"""The plan of the method: what is heavy is imported when it runs."""

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from neardup.extending import (
    Job,
    Map,
    Plan,
    Sql,
    carrying,
    declared,
    facts,
    naming,
    schema_of,
    with_carried,
)

OPENING = schema_of("doc size length int64, opening string")
ALIKE = """
select a.id as id_a, b.id as id_b, cast(1 as double) as similarity, a.doc as doc_a, b.doc as doc_b
from {numbers} x join {numbers} y on x.opening = y.opening and x.number < y.number
join {documents} a on a.doc = x.number join {documents} b on b.doc = y.number order by 4, 5
"""


@dataclass(frozen=True)
class TakeOpenings:
    """Takes the first characters of each text."""

    characters: int
    schema: pa.Schema

    def __call__(self, batch, sides):
        length = pc.fill_null(pc.utf8_length(batch["text"]), 0)
        opening = pc.utf8_slice_codeunits(batch["text"], 0, self.characters).cast(pa.string())
        own = {"size": pc.min_element_wise(length, 1), "length": length, "opening": opening}
        return carrying(self.schema, own, batch)


def job(source, settings, run):
    """Plan a run over a source."""
    schema = with_carried(OPENING, source.schema)
    steps = (
        Map("openings", "records", TakeOpenings(settings.characters, schema), schema),
        naming.parts("openings"),
        Sql("numbers", naming.numbered("openings", ", u.opening as opening")),
        *naming.steps("openings", "numbers", source.schema),
        Sql("pairs", ALIKE),
        facts.step(declared.DOCUMENTS.of("documents"), declared.PAIRS),
    )
    plan = Plan("openings", ("records", "files"), steps, ("documents", "pairs", "skipped", "facts"))
    return Job(plan, source, settings.as_dict(), naming.users_names(source.schema))
