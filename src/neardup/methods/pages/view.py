"""Views of a result of `pages` on the terminal: the summary and the sites."""

from typing import Any

import pyarrow as pa

from neardup.results.folder import ResultFolder
from neardup.results.removing import similar_to_keeper
from neardup.showing import listed
from neardup.showing.console import OUT, new_in, number, show_read
from neardup.showing.listed import Listing
from neardup.showing.pairs import explaining
from neardup.showing.tables import page_of, show_rows

MEASURED = {
    "tlcs": "resemblance ≥ {resemblance} or containment ≥ {containment}",
    "cosine": "cosine ≥ {cosine}",
    "simhash": "at most {distance} of {bits} bits apart",
}


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, skipped, left out and found."""
    counts, settings = result.counts, result.run["settings"]
    show_read(counts)
    if counts["sites"]:
        boilerplate = number(counts["pieces of boilerplate"], "piece")
        OUT.print(f"{number(counts['sites'], 'site')}, {boilerplate} of boilerplate left out")
    if empty := counts["pages of boilerplate only"]:
        OUT.print(f"  {number(empty, 'page')} of boilerplate only", style="yellow")
    if sets := counts.get("perhaps-similar sets"):
        candidates, right = counts["candidates"], counts["candidates verified"]
        rate = right / candidates if candidates else 1
        OUT.print(
            f"{number(sets, 'perhaps-similar set')} of {counts['pages in perhaps-similar sets']:,} "
            f"pages: {number(candidates, 'candidate')} compared, trustable rate {rate:.2f}"
        )
    measured = MEASURED[settings["measure"]].format(**settings)
    OUT.print(
        f"[bold]{number(counts['pairs'], 'pair')}[/bold] with {measured}: "
        f"{number(counts['identical copies'], 'page')} identical to another one, "
        f"{number(counts['pairs of the same site'], 'pair')} of the same site"
    )
    show_cuts(result)
    removable = number(counts["duplicates"], "page")
    OUT.print(
        f"[bold]{number(counts['clusters'], 'cluster')}[/bold], {removable} "
        f"({100 * counts['duplicates'] / max(new_in(counts), 1):.1f} %) could be removed"
    )


def show_cuts(result: ResultFolder) -> None:
    """Print where a limit cut something off."""
    counts, settings = result.counts, result.run["settings"]
    if templates := counts["signatures of templates or spam"]:
        OUT.print(
            f"  {number(templates, 'signature')} of over {settings['max_pages']:,} pages, or over "
            f"{settings['max_site_pages']:,} mostly of one site, proposed nothing: templates or spam",
            style="yellow",
        )
    if long := counts["lists too long to pair all"]:
        most = settings["max_pages" if settings["measure"] == "simhash" else "max_list"]
        OUT.print(
            f"  {number(long, 'list')} of over {most:,} pages: all of them were compared with a few of "
            "them only",
            style="yellow",
        )
    if listed := counts["copies paired with the first only"]:
        OUT.print(
            f"  {number(listed, 'identical page')} listed with the first of a kind only (--max-copies)",
            style="yellow",
        )


def show_sites_page(result: ResultFolder, page: int, per_page: int) -> None:
    """Print one page of sites, those with the most near-duplicates first."""
    rows, title = page_of(ordered_sites(result), page, per_page, "site")
    heads = ("site", "pages", "duplicates", "pairs inside", "pairs across", "boilerplate")
    cells = []
    for row in rows.to_pylist():
        site, *figures = (row[head.replace(" ", "_")] for head in heads)
        cells.append((site, *(f"{figure:,}" for figure in figures)))
    show_rows(heads, cells, words=(0,), title=title)


def ordered_sites(result: ResultFolder) -> pa.Table:
    """Return the sites, those with the most near-duplicates first."""
    order = [("duplicates", "descending"), ("pages", "descending"), ("site", "ascending")]
    return result.sites.sort_by(order)


def listing(result: ResultFolder, part: str | None, value: Any, sort: str | None) -> Listing:
    """Return sites, or what other methods have too, for programs."""
    if part == "sites":
        return Listing("sites", ordered_sites(result))
    return listed.listing(result, part, value, sort)


def commands(result: ResultFolder, folder: str) -> list[str]:
    """Return commands that show sites, and explain a pair."""
    sites = [f"show {folder} --sites"] if result.counts["sites"] else []
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
