"""Signatures: what each in the list promises, how it is written, and that a new one needs no more."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import neardup
from neardup.errors import SettingsError
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.threads.fields import sets_of_texts, sets_of_words
from neardup.methods.threads.settings import ThreadSettings, signature_of
from neardup.signatures import SIGNATURES
from neardup.signatures.signature import LEAST_WORDS, Argument, Notation, Sets, Signature, forms, read
from neardup.signatures.word_counts import WordCounts
from neardup.text import tokenise

# With the lowest and the highest number of each argument, and without numbers where that is allowed.
EVERY = [
    form
    for notation in SIGNATURES.values()
    for form in (
        *([notation.name] if notation.bare or not notation.arguments else []),
        *(
            f"{notation.name}:{','.join(str(getattr(a, end)) for a in notation.arguments)}"
            for end in ("least", "most")
            if notation.arguments
        ),
    )
]
LENGTHS = [0, 1, 2, 3, 12, 0, 40, 40, 7, 0]


@pytest.fixture(params=EVERY)
def written(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def made(written: str, least: int = LEAST_WORDS) -> Signature:
    return read(written, SIGNATURES).made(least=least)


def given_words(seed: int = 1) -> tuple[Any, Any]:
    """Return lists of words of a small vocabulary, of which two are equal, and where each begins."""
    vocabulary = np.random.default_rng(0).integers(1, 2**64, 12, np.uint64)
    words = vocabulary[np.random.default_rng(seed).integers(0, 12, sum(LENGTHS))]
    bounds = np.concatenate([[0], np.cumsum(LENGTHS)])
    words[bounds[7] : bounds[8]] = words[bounds[6] : bounds[7]]
    return words, bounds


def counts_for(signature: Signature, words: Any, bounds: Any) -> WordCounts | None:
    if signature.counts is None:
        return None
    counts = WordCounts(signature.counts == "documents", cells=1 << 10)
    counts.take(words, bounds)
    return counts


def sets_in(found: Sets) -> list[list[int]]:
    starts = found.bounds.tolist()
    return [found.values[a:b].tolist() for a, b in pairwise(starts)]


def test_a_signature_makes_a_set_of_each_list_of_words(written: str) -> None:
    signature, (words, bounds) = made(written), given_words()
    kept = words.copy()
    counts = counts_for(signature, words, bounds)
    found = signature.of(words, bounds, counts)
    assert found.values.dtype == np.uint64
    assert (found.bounds[0], found.bounds[-1], len(found.bounds)) == (0, len(found.values), len(bounds))
    sets = sets_in(found)
    assert all(len(own) == len(set(own)) and 0 not in own for own in sets)
    assert [own for own, size in zip(sets, LENGTHS, strict=True) if size < LEAST_WORDS] == [[]] * 5
    assert set(sets[6]) == set(sets[7])
    if signature.single:
        assert max(map(len, sets)) <= 1
    assert sets_in(signature.of(words, bounds, counts)) == sets, "the same words, the same sets"
    found.values[:] = 0
    assert (words == kept).all(), "the values are in an array of their own"


def test_the_set_of_a_list_depends_on_no_other_list(written: str) -> None:
    signature, (words, bounds) = made(written, least=1), given_words(2)
    counts = counts_for(signature, words, bounds)
    together = sets_in(signature.of(words, bounds, counts))
    alone = [signature.of(words, bounds[i : i + 2], counts) for i in range(len(LENGTHS))]
    assert [set(sets_in(one)[0]) for one in alone] == [set(own) for own in together]
    assert any(together)


def test_a_signature_of_nothing_is_nothing(written: str) -> None:
    signature, words = made(written, least=1), np.empty(0, np.uint64)
    for bounds in (np.zeros(1, np.int64), np.zeros(4, np.int64)):
        found = signature.of(words, bounds, counts_for(signature, words, bounds))
        assert len(found.values) == 0
        assert found.bounds.tolist() == bounds.tolist()


def test_the_sets_of_fields_are_those_of_their_words(written: str) -> None:
    """Also where a kernel makes them in one pass; and no field has the values of another."""
    signature = signature_of(written)
    texts = pa.array(["", "one", "to be or not to be", "a b c d e f g h i j k l m n o p " * 3, "!"])
    texts = texts.cast(pa.large_string())
    words = sets_of_texts(signature_of("imatch"), texts, 0)
    counts = counts_for(signature, words.values, words.bounds)
    first, second = (
        sets_of_words(signature, words.values, words.bounds, counts, field) for field in (0, 1)
    )
    assert not set(first.values.tolist()) & set(second.values.tolist())
    assert np.diff(first.bounds).tolist() == np.diff(second.bounds).tolist()
    of_texts = sets_of_texts(signature, texts, 0)
    assert of_texts.characters.tolist() == [len(text) for text in texts.to_pylist()]
    if signature.counts is None:
        assert of_texts.bounds.tolist() == first.bounds.tolist()
        assert of_texts.values.tolist() == first.values[: first.bounds[-1]].tolist()


def test_every_signature_is_written_alike_in_passages_and_threads(written: str) -> None:
    assert PassageSettings(signature=written).signature == written
    assert ThreadSettings.make("body=1", written).signed == {"body": written}


@pytest.mark.parametrize("notation", SIGNATURES.values(), ids=SIGNATURES)
def test_numbers_out_of_range_are_refused_with_the_form(notation: Notation[Signature]) -> None:
    wrong = [
        ["x"] * len(notation.arguments),
        [""] * len(notation.arguments),
        ["1"] * (len(notation.arguments) + 1),
        [str(a.most + 1) for a in notation.arguments],
    ]
    for numbers in wrong:
        text = f"{notation.name}:{','.join(numbers)}"
        for make in (lambda t: PassageSettings(signature=t), lambda t: ThreadSettings.make(None, t)):
            with pytest.raises(SettingsError, match="there is no signature") as error:
                make(text)
            assert notation.forms[-1] in str(error.value)


def test_numbers_say_the_same_as_settings() -> None:
    assert PassageSettings(signature="imatch:0.2,0.8").kind == (
        PassageSettings(signature="imatch", idf_low=0.2, idf_high=0.8).kind
    )
    chained: dict[str, Any] = {"spot_distance": 2, "spot_chain": 3}
    assert PassageSettings(signature="spotsigs:50", **chained).kind == (
        PassageSettings(signature="spotsigs", antecedents=50, **chained).kind
    )
    with pytest.raises(SettingsError, match="idf_low is given twice"):
        PassageSettings(signature="imatch:0.2,0.8", idf_low=0.3)
    with pytest.raises(SettingsError, match=r"imatch:0\.8,0\.2.: the lower idf comes first"):
        PassageSettings(signature="imatch:0.8,0.2")


def test_the_example_of_spotsigs() -> None:
    """A sentence of Theobald and others (2008), with their antecedents, skipping other stop words."""
    text = (
        "At a rally to kick off a weeklong campaign for the South Carolina primary, Obama tried to set "
        "the record straight from an attack circulating widely on the Internet that is designed to play "
        "into prejudices against Muslims and fears of terrorism."
    )
    stops = "at to off for from on that into against and of"
    chosen = f"a:1, an, the, is, {', '.join(f'{word}:0' for word in stops.split())}"
    settings = PassageSettings(signature="spotsigs", spot_words=chosen)
    chains = (
        *("a rally kick", "a weeklong campaign", "the south carolina", "the record straight"),
        *("an attack circulating", "the internet designed", "is designed play"),
    )
    alone = replace(settings, spot_words="a,an,the,is").kind
    found = [set(values_of(settings.kind, text)), set()]
    for chain in chains:
        found[1] |= set(values_of(alone, chain))
    assert found[0] == found[1]
    assert len(found[0]) == 7
    further = replace(settings, spot_words=chosen.replace("a:1", "a:2"))
    assert len(found[0] & set(values_of(further.kind, text))) == 5
    for wrong in ("a:x", "", "a:101", ","):
        with pytest.raises(SettingsError, match="antecedent"):
            replace(settings, spot_words=wrong)
    with pytest.raises(SettingsError, match="not both"):
        replace(settings, antecedents=5)
    with pytest.raises(SettingsError, match="not one word"):
        values_of(replace(settings, spot_words="not one").kind, text)


def values_of(kind: Signature, text: str) -> list[int]:
    words = tokenise(text).hashes
    return kind.of(words, np.array([0, len(words)]), WordCounts(False)).values.tolist()  # type: ignore[no-any-return]


def test_the_defaults_are_those_of_each_method() -> None:
    assert str(signature_of("imatch")) == "IMatch(low=0.1, high=0.9, least=1, few=10)"
    assert str(PassageSettings(signature="imatch").kind) == "IMatch(low=0.1, high=1.0, least=3, few=10)"
    assert signature_of("spotsigs:50") == SIGNATURES["spotsigs"].make(50, 1, 2, least=1)
    assert str(PassageSettings().kind) == "winnowing:3,1"


# --- a signature that is nowhere in src


@dataclass(frozen=True)
class Ends(Signature):
    """The first and the last words of a list, so many of each: one value."""

    number: int = 2
    least: int = LEAST_WORDS
    single = True

    def of(self, words: Any, bounds: Any, counts: WordCounts | None) -> Sets:
        """Return one value of each list that has words."""
        assert counts is None
        values, starts = [], [0]
        for begin, end in pairwise(bounds):
            if end - begin >= self.least:
                own = words[begin:end].tolist()
                values.append(hash((*own[: self.number], *own[-self.number :])) & (2**63 - 1) | 1)
            starts.append(len(values))
        return Sets(np.array(values, np.uint64), np.array(starts))


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> None:
    notation: Notation[Signature] = Notation("ends", Ends, (Argument("number", "N", 1, 5),), bare=True)
    monkeypatch.setitem(SIGNATURES, "ends", notation)


PASSAGE = (
    "The old lighthouse keeper climbed {} stairs every evening. "
    "His dog waited below with {} patience and an empty bowl. "
    "Nobody in the village {} remembered when the lamp was lit first."
)


@pytest.mark.usefixtures("ends")
def test_a_signature_of_ones_own_finds_passages() -> None:
    texts = [
        "A first story begins with a storm. " + PASSAGE.format("the steep", "great", "truly"),
        PASSAGE.format("all those worn", "no", "ever") + " Then the second tale ends in the harbour.",
        "Something else entirely was told here. It shares no words. It is on its own.",
    ]
    result = neardup.passages(texts, signature="ends")
    assert [(row["id_a"], row["id_b"], row["sentences"]) for row in result.passages.to_pylist()] == [
        ("memory#1", "memory#2", 3)
    ]
    assert result.run["settings"]["signature"] == "ends"
    assert not neardup.passages(texts, signature="ends:5").passages.num_rows


@pytest.mark.usefixtures("ends")
def test_a_signature_of_ones_own_compares_threads() -> None:
    rows = [
        {"id": "a", "title": "how do I boil an egg", "body": "one two three"},
        {"id": "b", "title": "how do you fry an egg", "body": "one two three"},
        {"id": "c", "title": "why is the sky not green", "body": "four five six"},
    ]
    fields = "title=0.5,body=0.5"
    result = neardup.threads(rows, fields=fields, signature=["title=ends", "body=ends:1"])
    assert [(row["id_a"], row["id_b"], row["title"]) for row in result.pairs.to_pylist()] == [
        ("a", "b", 1.0)
    ]
    [pair] = neardup.threads(rows, fields=fields, signature="ends:3").pairs.to_pylist()
    assert (pair["title"], pair["body"]) == (0.0, 1.0)


@pytest.mark.usefixtures("ends")
def test_messages_name_a_signature_of_ones_own() -> None:
    assert forms(SIGNATURES.values()).endswith("ends or ends:N")
    for make in (lambda t: PassageSettings(signature=t), lambda t: ThreadSettings.make(None, t)):
        with pytest.raises(SettingsError) as error:
            make("nonsense")
        assert "ends or ends:N" in str(error.value)
