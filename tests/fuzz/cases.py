"""A case: a spoilt file beside a good one, all of it told by a seed and a number."""

from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.fuzz.mutations import BOMBS, INSIDE, PACKED, inflate
from tests.fuzz.samples import SAMPLES
from tests.readers.samples import PACKINGS, packed

GOOD = b"""\
{"id": "g1", "text": "A good text of some words that nobody has spoilt."}
{"id": "g2", "text": "A good text of some words that nobody has spoilt!"}
{"id": "g3", "text": "Another one, which is alone and stays."}
"""
WHOLE_RUNS = 100  # one case in so many goes through a whole run and `dedup`
STRICT = 10  # and one of these in so many is strict


class Case(NamedTuple):
    """A file by name and content, what was done to it, and whether it goes through a whole run."""

    seed: str
    number: int
    name: str
    data: bytes
    done: tuple[str, ...]
    is_whole: bool
    is_strict: bool

    @property
    def replay(self) -> str:
        """Return the command that runs this case again."""
        return f"python -m tests.fuzz --seed {self.seed} --case {self.number}"

    def write(self, folder: Path) -> Path:
        """Write the spoilt file and the good one; return the spoilt one's path."""
        folder.mkdir(parents=True)
        (folder / "good.jsonl").write_bytes(GOOD)
        path = folder / self.name
        path.write_bytes(self.data)
        return path


def case_of(seed: str, number: int) -> Case:
    """Return a case; the same seed and number always give the same."""
    rng = Random(f"{seed}/{number}")
    name = rng.choice(list(SAMPLES))
    data = SAMPLES[name](rng)
    chosen = [rng.choice(INSIDE) for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    if not rng.randrange(BOMBS):
        chosen.append(inflate)
    for change in chosen:
        data = change(rng, data)
    done = [change.__name__ for change in chosen]
    packing = rng.choice([*[""] * 5, *PACKINGS[1:]])
    if inflate in chosen and packing == "bz2":
        packing = "xz"  # to pack what repeats takes bzip2 seconds, and copies are packed again
    if packing:
        name, data = f"{name}.{packing}", packed(data, packing)
        done.append(packing)
    if packing and rng.randrange(3) == 0:
        spoil = rng.choice(PACKED)
        data = spoil(rng, data)
        done.append(spoil.__name__)
    if rng.randrange(20) == 0:  # known by its content, or not at all
        name = f"unnamed{rng.choice(['', '.dat', '.xml', '.txt', '.csv', '.html', '.warc'])}"
    is_whole = not rng.randrange(WHOLE_RUNS)
    return Case(seed, number, name, data, tuple(done), is_whole, is_whole and not rng.randrange(STRICT))
