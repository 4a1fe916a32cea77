"""How near texts are in what they say, slowly and plainly."""

import math
from collections import Counter
from collections.abc import Sequence


def made_of(text: str) -> Counter[str]:
    """Count the words of a text, and its runs of four characters; of a shorter one, all of it."""
    plain = " ".join(text.split())
    runs = [plain[i : i + 4] for i in range(max(len(plain) - 3, 1))] if plain else []
    return Counter([*(f"word {word}" for word in plain.split()), *(f"run {run}" for run in runs)])


def vectors(texts: Sequence[str], rarity: dict[str, float]) -> list[dict[str, float]]:
    """Return texts as vectors of the length 1."""
    found = []
    for text in texts:
        own = {key: (1 + math.log(count)) * rarity[key] for key, count in made_of(text).items()}
        length = math.sqrt(sum(value**2 for value in own.values()))
        found.append({key: value / length for key, value in own.items()})
    return found


def cosines(asked: str, texts: Sequence[str]) -> list[float]:
    """Return how near each text is to the one asked for; all that is rare is rare among the texts."""
    seen = Counter(key for text in texts for key in made_of(text))
    rarity = {key: math.log((1 + len(texts)) / (1 + seen[key])) + 1 for key in [*seen, *made_of(asked)]}
    [own] = vectors([asked], rarity)
    return [
        sum(own.get(key, 0) * value for key, value in other.items()) for other in vectors(texts, rarity)
    ]
