"""Readable twins of the kernels: slow, obvious Python that says what each kernel computes."""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

MASK = (1 << 64) - 1
SEED = 0x9E3779B97F4A7C15
STEP = 0xD6E8FEB86659FD93
BASE = 0xA0761D6478BD642F
SPACE = 0x2545F4914F6CDD1D

SOLO_SCRIPTS = (
    "CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA",
    "HALFWIDTH KATAKANA", "HENTAIGANA", "THAI", "LAO", "KHMER", "MYANMAR",
)  # fmt: skip


def mix(value: int) -> int:
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & MASK
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & MASK
    return value ^ value >> 33


@lru_cache(1 << 16)
def role(char: str) -> str:
    """Return whether a character is a separator, part of a word, a token alone, a mark or nothing."""
    category, code = unicodedata.category(char), ord(char)
    if category[0] == "M":
        selector = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F
        return "ignored" if selector else "mark"
    if category[0] == "L" and unicodedata.name(char, "").startswith(SOLO_SCRIPTS):
        return "solo"
    if category[0] in "LN":
        return "word"
    return "ignored" if category == "Cf" and char != "\u200b" else "separator"


@lru_cache(1 << 16)
def fold(char: str) -> str:
    decomposed = unicodedata.normalize("NFD", char)
    lower = "".join(c.lower() for c in decomposed)
    return unicodedata.normalize("NFD", lower).replace("ς", "σ")


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return where the tokens of a text are."""
    spans: list[tuple[int, int]] = []
    open_role = "separator"
    for at, char in enumerate(text):
        kind = role(char)
        if kind == "ignored" or (kind == "mark" and open_role == "separator"):
            continue
        if kind == "mark" or (kind == "word" and open_role == "word"):
            spans[-1] = (spans[-1][0], at + 1)
            continue
        open_role = kind
        if kind != "separator":
            spans.append((at, at + 1))
    return spans


@lru_cache(1 << 16)
def token_hash(token: str) -> int:
    state = SEED
    for char in token:
        if role(char) == "ignored":
            continue
        for part in fold(char):
            if unicodedata.combining(part):
                state = (state + mix(ord(part))) & MASK
            else:
                state = (state ^ ord(part)) * STEP & MASK
    return mix(state)


def character_hashes(text: str) -> tuple[list[int], list[int]]:
    """Return the hashes of the normalised characters, and which of them begin a token."""
    hashes: list[int] = []
    heads: list[int] = []
    for number, (start, end) in enumerate(spans := token_spans(text)):
        if number and any(role(c) == "separator" for c in text[spans[number - 1][1] : start]):
            hashes.append(SPACE)
        heads.append(len(hashes))
        for char in text[start:end]:
            if role(char) == "ignored":
                continue
            for part in fold(char):
                if hashes and unicodedata.combining(part):
                    hashes[-1] = (hashes[-1] + mix(ord(part))) & MASK
                else:
                    hashes.append(mix(SEED ^ ord(part)))
    return hashes, heads


def windows(hashes: Sequence[int], width: int) -> list[int]:
    """Return the fingerprint of each run of `width` hashes; of all, if they are fewer."""
    width = min(width, len(hashes))
    if not width:
        return []
    length = mix(SEED + width & MASK)
    found = []
    for start in range(len(hashes) - width + 1):
        state = 0
        for value in hashes[start : start + width]:
            state = (state * BASE + value) & MASK
        found.append(mix(state ^ length))
    return found


def word_shingles(text: str, width: int) -> list[int]:
    hashes = [token_hash(text[start:end]) for start, end in token_spans(text)]
    return list(dict.fromkeys(windows(hashes, width)))


def character_shingles(text: str, width: int) -> list[int]:
    hashes, heads = character_hashes(text)
    runs = windows(hashes, width)
    found = []
    for head, following in pairwise([*heads, len(hashes)]):
        letters = [at for at in range(head, following) if hashes[at] != SPACE]
        found += [runs[at] for at in letters[::width] if at < len(runs)]
    return list(dict.fromkeys(found))


def words_in_order(text: str) -> list[int]:
    """Return what texts must have in common to be identical."""
    return [token_hash(text[start:end]) for start, end in token_spans(text)]


def characters_in_order(text: str) -> list[int]:
    """Return what they must have in common where shingles are of characters."""
    return character_hashes(text)[0]


def rarest(sets: Sequence[set[int]], counts: Counter[int], wanted: Sequence[int]) -> list[set[int]]:
    """Return of each set its rarest values, without those that occur once."""
    found = []
    for values, number in zip(sets, wanted, strict=True):
        order = sorted(values, key=lambda value: (min(counts[value], 15), value))
        found.append({value for value in order[:number] if counts[value] > 1})
    return found


def shared_pairs(lists: Iterable[Iterable[int]]) -> set[tuple[int, int]]:
    return {(a, b) for members in lists for a in members for b in members if a < b}


def counted_pairs(
    lists: Sequence[set[int]],
    sizes: Sequence[int],
    missing: Sequence[int],
    threshold: float,
    limit: float,
    cap: int,
    hubs: int,
) -> dict[tuple[int, int], int]:
    """Return the pairs in the same lists that may have enough in common for a limit, and how much."""
    met: Counter[tuple[int, int]] = Counter()
    for members in lists:
        few = sorted(members)[: hubs if len(members) > cap else None]
        met.update((a, b) for a in few for b in members if a < b)
    found = {}
    for (a, b), common in met.items():
        most = common + min(missing[a], missing[b]) + threshold * max(sizes[a], sizes[b])
        if most >= limit / (1 + limit) * (sizes[a] + sizes[b]) - 1e-6:
            found[a, b] = common
    return found


def star_clusters(nodes: int, edges: dict[tuple[int, int], float]) -> list[tuple[int, float]]:
    """Return each node's keeper and its similarity to it; nodes are sorted, the best first."""
    keepers: list[tuple[int, float]] = []
    for node in range(nodes):
        keeper, similarity = node, 1.0
        for better in range(node):
            if (node, better) in edges and keepers[better][0] == better:
                keeper, similarity = better, edges[node, better]
                break
        keepers.append((keeper, similarity))
    return keepers


def components(nodes: int, edges: dict[tuple[int, int], float]) -> list[tuple[int, float]]:
    """Return the best node that each is connected to, and the lowest similarity of its component."""
    label = list(range(nodes))
    changed = True
    while changed:
        changed = False
        for a, b in edges:
            low = min(label[a], label[b])
            changed = changed or label[a] != low or label[b] != low
            label[a] = label[b] = low
    lowest = [
        min([s for (a, _), s in edges.items() if label[a] == label[node]], default=1.0)
        for node in range(nodes)
    ]
    return list(zip(label, lowest, strict=True))


def resemblance(a: set[int], b: set[int]) -> float:
    return len(a & b) / len(a | b)


def brute_force(
    sets: Sequence[set[int]], threshold: float, measure: str = "resemblance"
) -> dict[tuple[int, int], float]:
    """Compare every document with every other."""
    found = {}
    for i, a in enumerate(sets):
        for j in range(i + 1, len(sets)):
            b = sets[j]
            if not a or not b:
                continue
            common = len(a & b)
            if measure == "resemblance":
                similarity = common / (len(a) + len(b) - common)
            else:
                similarity = max(common / len(a), common / len(b))
            if similarity >= threshold:
                found[i, j] = similarity
    return found


def sketch(values: Iterable[int], bins: int) -> list[int]:
    """Return the sketch of a set: the smallest (round, hash) that each bin saw."""
    found = [math.inf] * bins
    for r in range(2 * bins):
        for value in values:
            hashed = mix(value ^ mix((SEED + r) & MASK))
            at = (hashed >> 32) * bins >> 32 if r < bins else r - bins
            found[at] = min(found[at], r << 32 | hashed & 0xFFFFFFFF)
        if math.inf not in found:
            break
    return [int(value) for value in found]
