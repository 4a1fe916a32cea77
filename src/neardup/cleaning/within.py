"""A plan as a part of a larger one: its steps under other names, over a table instead of a source."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import pyarrow as pa

from neardup.plan import INPUT, Cluster, Fold, Map, MapFunction, Sides, Sql, Step


def under_its_names(
    function: MapFunction, names: Mapping[str, str], batch: pa.RecordBatch, sides: Sides
) -> pa.RecordBatch:
    """Call the function of a Map whose summaries have other names in a larger plan."""
    known = {name: sides[now] for name, now in names.items() if now in sides}
    return function(batch, {**sides, **known})


def within(
    steps: Iterable[Step], prefix: str, given: Mapping[str, str], only: str, wanted: Iterable[str]
) -> list[Step]:
    """Return the steps that lead to some tables, named with a prefix.

    `given` says what the tables are called that they start from; of `records`, they take the rows whose
    numbers are in the table `only`.
    """
    needed = set(wanted)
    kept: list[Step] = []
    for step in reversed(list(steps)):
        if step.name in needed:
            needed |= set(step.inputs)
            kept.append(step)
    names = {step.name: f"{prefix}_{step.name}" for step in kept} | dict(given)
    return [renamed(step, names, only) for step in reversed(kept)]


def renamed(step: Step, names: Mapping[str, str], only: str) -> Step:
    """Return a step under another name, and its inputs under theirs."""
    name = names[step.name]
    match step:
        case Sql():
            own = (step.text, step.instead)
            text, instead = (INPUT.sub(lambda found: f"{{{names[found[1]]}}}", each) for each in own)
            unless = names[step.unless] if step.unless else None
            return replace(step, name=name, text=text, unless=unless, instead=instead)
        case Cluster():
            return replace(step, name=name, nodes=names[step.nodes], edges=names[step.edges])
        case Fold():
            table = names[step.only] if step.only else None
            return replace(step, name=name, input=names[step.input], only=table)
        case Map():
            table = names[step.only] if step.only else only if step.input == "records" else None
            sides = {side: names[side] for side in step.sides}
            return replace(
                step,
                name=name,
                input=names[step.input],
                only=table,
                sides=tuple(sides.values()),
                function=partial(under_its_names, step.function, sides) if sides else step.function,
                lookup=names[step.lookup] if step.lookup else None,
            )
