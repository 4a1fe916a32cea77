"""Near-duplicates in a list of documents, best first."""

import numpy as np

from neardup.kernels.compiled import kernel


@kernel
def meet(docs, starts, others, similarities, least, places):  # type: ignore[no-untyped-def]
    """Return for each document of a list two places in it.

    First that of the best one that it resembles and that stays (-1: it stays itself), then that of the
    best other one that it resembles at all (the length of the list: there is none). The near-duplicates
    of a document are `others` from its `starts` on. `places` has -1 for every document there is.
    """
    count = len(docs)
    keepers = np.full(count, -1, np.int64)
    partners = np.full(count, count, np.int64)
    for place in range(count):
        places[docs[place]] = place
    for place in range(count):
        doc = docs[place]
        for i in range(starts[doc], starts[doc + 1]):
            other = places[others[i]]
            if other < 0 or similarities[i] < least:
                continue
            partners[place] = min(partners[place], other)
            if other < place and keepers[other] < 0 and (keepers[place] < 0 or other < keepers[place]):
                keepers[place] = other
    for place in range(count):
        places[docs[place]] = -1
    return keepers, partners
