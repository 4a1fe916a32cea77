"""Plans: one that makes no sense cannot be made."""

import pytest
from tests.engines.counting import NUMBERS, Total, made, same

from neardup.plan import Fold, Map, Sql, Step


@pytest.mark.parametrize(
    "steps",
    [
        (Map("a", "missing", same, NUMBERS),),
        (Map("a", "source", same, NUMBERS), Map("a", "source", same, NUMBERS)),
        (Map("source", "source", same, NUMBERS),),
        (Map("a", "source", same, NUMBERS, sides=("later",)), Fold("later", "a", Total)),
    ],
    ids=["unknown input", "name twice", "name of a source", "read before it is made"],
)
def test_a_plan_that_makes_no_sense_cannot_be_made(steps: tuple[Step, ...]) -> None:
    with pytest.raises(ValueError, match="step"):
        made(*steps)


def test_a_statement_reads_the_tables_that_stand_in_it() -> None:
    step = Sql("c", "select * from {b} x join {a} y on x.n = y.n join {b} z on z.n = x.n")
    assert step.inputs == ("b", "a")
    with pytest.raises(ValueError, match=r"step 'c': unknown inputs \['b', 'a'\]"):
        made(step)
