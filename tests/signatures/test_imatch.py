"""I-Match: which words are kept."""

import numpy as np

from neardup.signatures.imatch import IMatch


def test_idf_becomes_numbers_of_documents() -> None:
    for corpus in (10, 57, 1000, 123_456):
        for low, high in ((0.0, 1.0), (0.1, 1.0), (0.2, 0.8), (0.5, 0.5)):
            fewest, most = IMatch(low, high).documents(corpus)
            df = np.arange(1, corpus + 1)
            idf = np.log(corpus / df) / np.log(corpus)
            kept = (idf >= low - 1e-9) & (idf <= high + 1e-9)
            assert np.array_equal(kept, (fewest <= df) & (df <= most)), (corpus, low, high)


def test_of_two_documents_i_match_keeps_all_words() -> None:
    assert IMatch(0.1, 1.0).documents(2) == (1, 2**32)
