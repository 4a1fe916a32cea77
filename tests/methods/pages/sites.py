"""Stories in the templates of made-up sites."""

import random
from collections.abc import Sequence

import neardup

VOCABULARY = [
    f"{a}{b}{c}"
    for a in "bdfgklmnprst"
    for b in ("ar", "el", "in", "o", "u")
    for c in ("da", "ko", "mi", "te")
]


def sentences(dice: random.Random, count: int) -> list[str]:
    return [
        " ".join(dice.choices(VOCABULARY, k=dice.randint(8, 16))).capitalize() + "."
        for _ in range(count)
    ]


def framed(story: Sequence[str], site: int, number: int) -> dict[str, str]:
    """Put the template of a site around a story."""
    frame = sentences(random.Random(site), 12)
    text = "\n".join([*frame[:5], *story, *frame[5:]])
    return {"id": f"{site}-{number}", "url": f"https://www.site{site}.example/{number}", "text": text}


def without_frame(text: str) -> str:
    """Take the template out of a page again."""
    return "\n".join(text.split("\n")[5:-7])


def two_sites() -> list[dict[str, str]]:
    """Return ten stories on each of two sites; some are on both, updated, or with parts moved."""
    dice = random.Random(11)
    stories = [sentences(dice, 20) for _ in range(16)]
    pages = [framed(stories[n], n % 2, n) for n in range(16)]
    pages.append(framed(stories[0], 1, 100))  # on the other site
    pages.append(framed([*stories[2][:12], *sentences(dice, 2), *stories[2][12:]], 0, 102))  # updated
    pages.append(framed([*stories[3][12:], *stories[3][:12]], 1, 103))  # moved
    pages.append(framed([*stories[5], *sentences(dice, 30)], 1, 105))  # contained
    pages.append(framed(["Quoted here.", stories[7][3], *sentences(dice, 20)], 1, 107))  # quoted
    return pages


RIGHT = {("0-0", "1-100"), ("0-2", "0-102"), ("1-3", "1-103"), ("1-5", "1-105")}


def pairs(result: neardup.Result) -> set[tuple[str, str]]:
    ids = (result.pairs[name].to_pylist() for name in ("id_a", "id_b"))
    return set(zip(*ids, strict=True))


def html(story: Sequence[str], canonical: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    body = "".join(f"<p>{line}</p>" for line in story)
    head = f"<head><title>A story</title>{link}</head>"
    return f"<html>{head}<body><nav>Home</nav><article>{body}</article></body></html>"
