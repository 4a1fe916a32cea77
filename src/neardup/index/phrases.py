"""Texts of fewer words than documents are compared by: which documents hold these words in a row.

Their only shingle is one that no longer text has, so all texts are read.
"""

from collections.abc import Callable

import numpy as np

from neardup.index.contents import View
from neardup.index.search import Rows, Search, Text
from neardup.readers.records import collected

PORTION = 4 << 20  # bytes of text that are split into words together
MOST_PLACES = 100  # in one document


def too_short(search: Search, own: Text) -> str | None:
    """Say that a text is too short to be like a longer one, if it is."""
    width, words = search.analysis.shingles.width, len(own.words.words)
    if search.analysis.shingles.kind == "word":
        size, unit = words, "word"
    else:
        size, unit = len(own.own.decode("utf-8", "replace")), "character"
    if size >= width:
        return None
    count = f"{size} {unit}{'' if size == 1 else 's'}"
    return (
        f"The text is short: it has {count}, and documents are compared by {width} in a row "
        f"({search.analysis.shingles}). Only those that hold exactly these words in a row are found."
    )


def places(search: Search, view: View, own: Text, going_on: Callable[[], None]) -> dict[int, Rows]:
    """Return where the words of a text stand in a row, as passages of documents by their number."""
    wanted = own.words.words
    found: dict[int, Rows] = {}
    for part in collected(view.texts(), lambda one: len(one[1]), PORTION):
        going_on()
        docs, texts = zip(*part, strict=True)
        words = search.analysis.words(texts)
        last = len(words.words) - len(wanted) + 1
        at = np.flatnonzero(words.words[: max(last, 0)] == wanted[0])
        for step in range(1, len(wanted)):
            at = at[words.words[at + step] == wanted[step]]
        owner = np.searchsorted(words.bounds, at, "right") - 1
        whole = at + len(wanted) <= words.bounds[owner + 1]
        for begin, text in zip(at[whole].tolist(), owner[whole].tolist(), strict=True):
            rows = found.setdefault(docs[text], [])
            if len(rows) < MOST_PLACES:
                end = begin + len(wanted) - 1
                rows.append(passage(docs[text], int(words.starts[begin]), int(words.ends[end]), own))
    return found


def passage(doc: int, start: int, end: int, own: Text) -> dict[str, object]:
    """Return the passage of a document, a, that has the very words of the text, b."""
    return {
        **{"a": doc, "start_a": start, "end_a": end},
        **{"start_b": int(own.words.starts[0]), "end_b": int(own.words.ends[-1])},
        **{"sentences": 1, "words": len(own.words.words), "similarity": 1.0},
        **{"same_words": True, "kind": "identical"},
    }
