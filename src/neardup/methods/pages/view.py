"""Views of a result of `pages` on the terminal: the summary, and what to do next."""

from neardup.methods.pages import declared as own
from neardup.results.folder import ResultFolder
from neardup.results.removing import similar_to_keeper
from neardup.showing.console import (
    OUT,
    expected_recall,
    new_in,
    number,
    show_cuts,
    show_read,
    show_recall,
)
from neardup.showing.listed import explaining
from neardup.steps.declared import (
    CANDIDATES,
    CANDIDATES_VERIFIED,
    CLUSTERS,
    DUPLICATES,
    IDENTICAL_COPIES,
    PAIRS,
)

MEASURED = {
    "tlcs": "resemblance ≥ {resemblance} or containment ≥ {containment}",
    "cosine": "cosine ≥ {cosine}",
    "simhash": "at most {distance} of {bits} bits apart",
}


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, skipped, left out and found."""
    counts, settings = result.counts, result.run["settings"]
    show_read(counts)
    if counts[own.SITES]:
        boilerplate = number(counts[own.BOILERPLATE], "piece")
        OUT.print(f"{number(counts[own.SITES], 'site')}, {boilerplate} of boilerplate left out")
    if empty := counts[own.BOILERPLATE_ONLY]:
        OUT.print(f"  {number(empty, 'page')} of boilerplate only", style="yellow")
    if sets := counts.get(own.SIMILAR_SETS):
        candidates, right = counts[CANDIDATES], counts[CANDIDATES_VERIFIED]
        rate = right / candidates if candidates else 1
        OUT.print(
            f"{number(sets, 'perhaps-similar set')} of {counts[own.PAGES_IN_SIMILAR_SETS]:,} "
            f"pages: {number(candidates, 'candidate')} compared, trustable rate {rate:.2f}"
        )
    measured = MEASURED[settings["measure"]].format(**settings)
    OUT.print(
        f"[bold]{number(counts[PAIRS], 'pair')}[/bold] with {measured}: "
        f"{number(counts[IDENTICAL_COPIES], 'page')} identical to another one, "
        f"{number(counts[own.PAIRS_OF_SAME_SITE], 'pair')} of the same site"
    )
    show_recall(counts, "at this resemblance", "pages with sentences exchanged all over them")
    removable = number(counts[DUPLICATES], "page")
    OUT.print(
        f"[bold]{number(counts[CLUSTERS], 'cluster')}[/bold], {removable} "
        f"({100 * counts[DUPLICATES] / max(new_in(counts), 1):.1f} %) could be removed"
    )
    show_cuts(counts, own.COUNTS)


def figures(result: ResultFolder) -> dict[str, float | None]:
    """Return the share of edited pages that would have been found."""
    return {"expected_recall": expected_recall(result.counts)}


def commands(result: ResultFolder, folder: str) -> list[str]:
    """Return commands that show sites, and explain a pair."""
    sites = [f"show {folder} sites"] if result.counts[own.SITES] else []
    return sites + explaining(result, folder)


def looser(result: ResultFolder) -> str:
    """Return options that let more pairs pass."""
    settings, measure = result.settings, result.settings["measure"]
    if measure == "simhash":
        return f"--distance {min(settings['distance'] + 2, 8)}"
    names = ("cosine",) if measure == "cosine" else ("resemblance", "containment")
    return " ".join(f"--{name} {settings[name] / 2:.2g}" for name in names)


def reason(result: ResultFolder, similarity: float | None) -> str:
    """Say why a page was removed: it may be in a pair by containment, with limits of their sites."""
    if similarity is None or result.settings["measure"] != "tlcs":
        return similar_to_keeper(result, similarity)
    return f"resemblance {similarity:.4f} to the keeper by trustable common subsequence"
