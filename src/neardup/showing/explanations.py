"""What two texts have in common and where they differ, on the terminal."""

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from neardup.showing.console import OUT, share_text
from neardup.showing.differing import Passage, differences
from neardup.showing.explaining import Explanation
from neardup.text import tokenise
from neardup.web.page import visible

PASSAGE_ENDS = 60  # characters of a long common passage that are shown at each end
MOST_PARTS = 40  # differences and passages that are shown unless all are asked for


def shorten(text: str, limit: int) -> str:
    """Cut a text in the middle.

    >>> shorten("abcdefghij", 5)
    'abc … ij'
    """
    if len(text) <= limit:
        return text
    return f"{text[: -(-limit // 2)]} … {text[len(text) - limit // 2 :]}"


def show_explanation(found: Explanation, full: bool) -> None:
    """Print the texts as one: what is common, and in between what is only in one of them."""
    parts = list(differences(found))
    alone_a, alone_b = words_alone(parts)
    though = ", yet the texts differ" if found.resemblance == 1 and (alone_a or alone_b) else ""
    OUT.print(
        f"resemblance [bold]{found.resemblance:.4f}[/bold]: {found.common_shingles:,} common shingles "
        f"of {found.shingles_a:,} and {found.shingles_b:,}{though}"
    )
    for share, alone, one, other in (
        (found.containment_a, alone_a, found.id_a, found.id_b),
        (found.containment_b, alone_b, found.id_b, found.id_a),
    ):
        words = f"every shingle of {one} is in {other}, but not every word in its place"
        whole = share == 1 and alone
        OUT.print(Text(words if whole else f"{share_text(share):>7} of {one} is in {other}"))
    show_marks(found.id_a, found.id_b)
    shown = parts if full else parts[:MOST_PARTS]
    for common, only_a, only_b in shown:
        OUT.print(part_text(common, only_a, only_b, full), end="")
    OUT.print()
    if len(parts) > len(shown):
        OUT.print(f"… and {len(parts) - len(shown):,} more places; --full shows all", style="yellow")
    OUT.print("\n[bold]Common passages[/bold] (characters in each, end excluded)")
    passages = found.passages if full else found.passages[:MOST_PARTS]
    for passage in passages:
        OUT.print(passage_line(found, passage))
    if len(found.passages) > len(passages):
        rest = len(found.passages) - len(passages)
        OUT.print(f"… and {rest:,} more; --full shows all, --json lists them", style="yellow")


def words_alone(parts: Iterable[tuple[str, str, str]]) -> tuple[bool, bool]:
    """Say which of two texts has words that the other lacks there, all shingles in common or not."""
    given = list(parts)
    alone_a, alone_b = (any(tokenise(part[side]).starts.size for part in given) for side in (1, 2))
    return alone_a, alone_b


def show_marks(id_a: str, id_b: str) -> None:
    """Print how what is only in one of two texts is marked."""
    OUT.print(Text.assemble(("\n[-", "red"), f" only in {id_a} ", ("-]", "red"), no_wrap=False))
    OUT.print(Text.assemble(("{+", "green"), f" only in {id_b} ", ("+}\n", "green")))


def part_text(common: str, only_a: str, only_b: str, full: bool) -> Text:
    """Return a common passage, cut if it is long, and what follows it in one text and the other."""
    # what cannot be seen is written out first, as that makes lines longer
    only_a, only_b = visible(only_a), visible(only_b)
    out = Text(visible(common if full else shorten(common, 2 * PASSAGE_ENDS)), style="dim")
    if only_a.split() != only_b.split():
        if only_a.strip():
            out.append(f"[-{only_a}-]", style="bold red")
        if only_b.strip():
            out.append("{+" + only_b + "+}", style="bold green")
    else:
        out.append(only_a)
    return out


def passage_line(found: Explanation, passage: Passage) -> Text:
    """Describe one passage on one line."""
    words = " ".join(found.text_a[passage.start_a : passage.end_a].split())
    where = f"{passage.start_a:>8}–{passage.end_a:<8} {passage.start_b:>8}–{passage.end_b:<8}"
    return Text.assemble((where, "cyan"), f" {passage.words:>5} tokens  ", (shorten(words, 60), "dim"))


def explanation_json(found: Explanation) -> dict[str, Any]:
    """Return an explanation for programs, without the texts."""
    return {
        "id_a": found.id_a,
        "id_b": found.id_b,
        "identical": not any(words_alone(differences(found))),
        "resemblance": found.resemblance,
        "containment_a": found.containment_a,
        "containment_b": found.containment_b,
        "common_shingles": found.common_shingles,
        "passages": [passage._asdict() for passage in found.passages],
    }
