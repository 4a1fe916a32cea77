"""Kinds of change (skeleton)."""
from typing import NamedTuple
class Change(NamedTuple):
    type: str
    words_a: str
    words_b: str
class Description(NamedTuple):
    kind: str
    changes: tuple[Change, ...]
def describe(a, b, title_a=None, title_b=None):
    """x."""
    return Description("other", ())
