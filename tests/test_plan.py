"""Plans: one that makes no sense cannot be made."""

import pytest
from tests.engines.counting import NUMBERS, Total, made, same

from neardup.plan import Fold, Map, Step


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
