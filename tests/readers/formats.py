"""How many words of people's files come out right and in order: `python -m tests.readers.formats`."""

import difflib
import random
import tempfile
from html import escape
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.readers.layouts import LAYOUTS, Texts, pdf
from tests.readers.samples import rows_of

FILES = 50
WORDS = [
    *("the", "a", "of", "and", "in", "that", "went", "harbour", "window", "extraordinary", "letter"),
    *(
        "neighbourhood",
        "well-known",
        "naïve",
        "façade",
        "Müller",
        "señor",
        "1914",
        "evening's",
        "garden",
    ),
    *("(perhaps)", "“quoted”", "responsibility", "understanding", "bridge", "winter"),
]


def html(paragraphs: Texts) -> bytes:
    """Return a page with a title and a script."""
    body = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in paragraphs)
    script = "<script>let hidden = 'words';</script>"
    return (
        f"<!doctype html><html><head><title>x</title>{script}</head><body>{body}</body></html>".encode()
    )


KINDS = {
    **LAYOUTS,
    "columns.pdf": lambda paragraphs: pdf(paragraphs, columns=2),
    "html": html,
}


def essay(seed: int) -> list[str]:
    """Return paragraphs of some pages."""
    dice = random.Random(seed)
    return [
        " ".join(dice.choices(WORDS, k=dice.randint(20, 120))).capitalize() + "."
        for _ in range(dice.randint(8, 20))
    ]


def right_words(path: Path, kind: str, paragraphs: Texts) -> tuple[int, int]:
    """Return how many words of a file come out right and in order, and of how many."""
    path.write_bytes(KINDS[kind](paragraphs))
    [row] = rows_of(path)
    wanted, found = " ".join(paragraphs).split(), (row["text"] or row["detail"]).split()
    blocks = difflib.SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks), max(len(wanted), len(found))


def share(folder: Path, kind: str) -> float:
    """Return the share of words that come out right and in order, of all files of a kind."""
    counts = [right_words(folder / f"{seed}.{kind}", kind, essay(seed)) for seed in range(FILES)]
    return sum(right for right, _ in counts) / sum(total for _, total in counts)


def main() -> None:
    """Print the shares of all kinds."""
    table = Table(title=f"{FILES} files each")
    table.add_column("format")
    table.add_column("words right and in order", justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            table.add_row(kind, f"{share(Path(folder), kind):.2%}")
    Console().print(table)


if __name__ == "__main__":
    main()
