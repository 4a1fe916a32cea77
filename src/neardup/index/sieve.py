"""What is new: texts go through that are like none before them."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError
from neardup.index.analysis import Analysis, owned
from neardup.index.postings import Postings
from neardup.index.settings import IndexSettings, Likeness
from neardup.methods.documents.verify import Compared
from neardup.settings.base import in_range, one_of, raise_all
from neardup.store.postings import Hashes, Numbers, Tally

AT_ONCE = 256  # texts
Item = TypeVar("Item")


class Like(NamedTuple):
    """What a text is like: the number of another one that came before, and how much it is like that."""

    doc: int
    similarity: float
    here: bool = True  # one of those that went through the same sieve


class Sieve:
    """Finds the text before each that it is most like, if it is like any; the others go through.

    `resemblance` compares whole texts; `containment` is the share of a text that stands in an earlier
    one. What is like an earlier text is forgotten: nothing is said to be like what did not go through.
    """

    def __init__(self, analysis: Analysis, threshold: float, measure: Likeness) -> None:
        known = one_of("measure", measure, get_args(Likeness))
        raise_all([in_range("threshold", threshold, 0, 1, above=True), known])
        self._analysis, self._threshold, self._measure = analysis, threshold, measure
        self._kept = Postings()  # of what went through
        self._sizes = np.zeros(0, np.int64)

    def sift(
        self, texts: Sequence[bytes], before: Callable[[bytes], Like | None] | None = None
    ) -> list[Like | None]:
        """Return what each text is like: one elsewhere that `before` finds, or one of this sieve.

        Texts are numbered as they come, also those without a word, which are like none.
        """
        _, sets = self._analysis.taken_apart(texts)
        first = len(self._sizes)
        self._sizes = np.concatenate([self._sizes, np.diff(sets.bounds)])
        docs = np.arange(first, len(self._sizes))
        keys, owners = owned(docs, sets)
        room, through = Tally.of(len(self._sizes)), np.ones(len(self._sizes), np.bool_)
        through[first:] = False
        known = self._kept, Postings().with_more(keys, owners)
        found: list[Like | None] = []
        for doc, text, begin in zip(docs.tolist(), texts, sets.bounds.tolist(), strict=False):
            own = sets.values[begin : begin + self._sizes[doc]]
            like = None
            if len(own):
                like = (before and before(text)) or self._like(own, known, room, through)
            through[doc] = like is None
            found.append(like)
        self._kept = self._kept.with_more(keys[through[owners]], owners[through[owners]])
        return found

    def _like(
        self, own: Hashes, known: Iterable[Postings], room: Tally, through: npt.NDArray[np.bool_]
    ) -> Like | None:
        """Return the text that went through and that a set of shingles is most like."""
        docs = np.sort(np.concatenate([p.count(own, room).copy() for p in known]))
        common = room.table[docs].astype(np.int64)
        room.table[docs] = 0
        docs, common = docs[through[docs]].astype(np.int64), common[through[docs]]
        return self.most_like(docs, shared(common, self._sizes[docs], len(own)))

    def most_like(self, docs: Numbers, measured: Compared, here: bool = True) -> Like | None:
        """Return the most similar of some documents, the first of several, if it is similar enough."""
        values = measured.in_b if self._measure == "containment" else measured.resemblance
        at = int(values.argmax()) if len(values) else -1
        if at < 0 or values[at] < self._threshold:
            return None
        return Like(int(docs[at]), float(values[at]), here)


def unique(
    items: Iterable[Item],
    threshold: float = 0.7,
    *,
    measure: Likeness = "resemblance",
    shingle: str = "word:5",
    text: Callable[[Item], str] | str | None = None,
) -> list[Item]:
    """Return the items whose texts are like none before them, in their order; nothing is written.

    `text` says what the text of an item is: a function, or the name of a field of a dict. With
    `measure="containment"`, an item also goes if an earlier one has this share of its text. Items
    without a text (None, or NaN as in a frame) all stay.

    >>> neardup.unique(["To be or not to be, that is the question.", "All the world's a stage.",
    ...                 "To be, or not to be: that is the question!"])
    ['To be or not to be, that is the question.', "All the world's a stage."]
    """
    sieve = Sieve(Analysis.of(IndexSettings(shingle)), threshold, measure)
    rest, found, before = iter(items), list[Item](), 0
    while part := list(islice(rest, AT_ONCE)):
        texts = [text_of(item, text, number) for number, item in enumerate(part, before + 1)]
        before += len(part)
        liked = sieve.sift([own.encode("utf-8", "replace") for own in texts])
        found += [item for item, like in zip(part, liked, strict=True) if like is None]
    return found


def text_of(item: Item, text: Callable[[Item], str] | str | None, number: int) -> str:
    """Return the text of an item; what has none is like nothing."""
    hint = 'Name the field, unique(items, text="body"), or give a function that returns the text.'
    try:
        own = item if text is None else text(item) if callable(text) else item[text]  # type: ignore[index]
    except (KeyError, TypeError) as error:
        if callable(text):
            raise
        raise InputError(f"item {number} has no field {text!r}", hint=hint) from error
    if own is None or own != own:  # only NaN is not itself
        return ""
    if isinstance(own, str):
        return own
    what = f"the text of item {number} is a Python {type(own).__name__}, not a string"
    raise InputError(what, hint=hint)


def shared(common: Numbers, size_a: Numbers, size_b: int) -> Compared:
    """Return what this many common shingles are of sets of these sizes."""
    return Compared(common, common / (size_a + size_b - common), common / size_a, common / size_b)
