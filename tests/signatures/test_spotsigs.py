"""SpotSigs: which words are antecedents."""

from tests.kernels.sentence_words import flat

from neardup.signatures.spotsigs import SpotSigs
from neardup.signatures.word_counts import WordCounts


def counted(words: list[int]) -> WordCounts:
    counts = WordCounts(once=False)
    counts.take(*flat([words]))
    return counts


def test_antecedents_make_up_a_share_of_the_text_by_default() -> None:
    frequent = [word << 50 for word in (1, 2, 3) for _ in range(20)]
    rare = [word << 50 for word in range(10, 50)]
    assert SpotSigs().number(counted([*frequent, *rare])) == 3
    assert SpotSigs().number(counted([])) == 0
    assert SpotSigs(antecedents=500).number(counted(rare)) == 500
