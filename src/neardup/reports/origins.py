"""Why there are duplicates: a taxonomy of a whole result, as one page with a chart and examples."""

from pathlib import Path
from typing import NamedTuple

from neardup.errors import SettingsError
from neardup.result import Result
from neardup.results.files import check_file, write_file
from neardup.retrieval.origins import Duplicate, Origin, Taxonomy, has_origins, taxonomy
from neardup.steps.declared import CLUSTERS, DOCUMENTS
from neardup.storage import on_disk
from neardup.web.numbers import Figure, csv_text, paper, saved_table, shown
from neardup.web.page import Html, element, section, visible
from neardup.web.svg import bars
from neardup.web.words import say, value_name

NAME = "origins.html"
EXAMPLES = 10  # of each kind
MOST_SITES = 25
WORDS: dict[Origin, str] = {
    "crawled again": "The same address with the same text.",
    "URL variation": "Addresses that hardly differ, or two of one site with the same text.",
    "editorial variation": "Changed text at one address, or at two of one site, such as updates.",
    "mirror": "The same path on two sites.",
    "other": "Different addresses on different sites: copies, syndication, plagiarism.",
    "unknown": "One of the two has no address, or one that cannot be read.",
}
HEAD = (*Duplicate._fields,)


class OriginReport(NamedTuple):
    """Where the page is, the table of all duplicates, and their origins."""

    path: Path
    table: Path
    found: Taxonomy


def origins(result: Result | str | Path, output: str | Path | None = None) -> OriginReport:
    """Write why there are duplicates in a result, by default to `origins.html` in its folder.

    All of them are in a table beside it, `origins.csv`.
    """
    opened = Result.opened(result)
    opened.check("dedup")
    path = on_disk(output) if output is not None else opened.folder / NAME
    table = path.with_suffix(".csv")
    if table == path:
        raise SettingsError(
            "an origins page must be an HTML file", where=str(path), hint=f"Call it {NAME}."
        )
    check_file(path, 'content="neardup"', "report")
    check_file(table, ",".join(HEAD), "table of origins")
    found = taxonomy(opened)
    write_file(table, csv_text(HEAD, found.duplicates))
    write_file(path, origins_page(opened, found))
    return OriginReport(path, table, found)


def origins_page(result: Result, found: Taxonomy) -> str:
    """Return the page."""
    cards = {"documents": result.counts[DOCUMENTS], "duplicates": len(found.duplicates)}
    return paper(
        "Where duplicates come from",
        element("p", "Each duplicate is held against the one that is kept for it."),
        shown(origins_figure(found)),
        *(kind_section(found, kind) for kind in found.counts),
        *sites_part(found),
        cards=cards,
    )


def origins_figure(found: Taxonomy, width: int = 640) -> Figure:
    """Draw how many duplicates there are of each kind."""
    counts = found.counts
    total = max(1, sum(counts.values()))
    drawn = [(value_name(kind), float(count)) for kind, count in counts.items()]
    plot = bars(drawn, title=say("figure.origins"), x=say("figure.duplicates"), width=width)
    rows = [(kind, count, 100 * count / total) for kind, count in counts.items()]
    return Figure("origins", plot, ("origin", "duplicates", "%"), rows)


def kind_section(found: Taxonomy, kind: Origin) -> Html:
    """Show examples of a kind."""
    some = found.examples(kind, EXAMPLES)
    rows = [[cell(value) for value in own[1:]] for own in some]
    title = f"{kind[0].upper()}{kind[1:]}"
    return section(title, element("p", WORDS[kind]), saved_table(f"{kind}-examples", HEAD[1:], rows))


def cell(value: object) -> object:
    """Return a value of the input as it can be shown."""
    return visible(value) if isinstance(value, str) else value


def sites_part(found: Taxonomy) -> list[Html]:
    """Show the sites with the most duplicates."""
    sites = [(visible(site), float(count)) for site, count in found.sites()[:MOST_SITES]]
    if len(sites) < 2:
        return []
    plot = bars(sites, title="Sites with the most duplicates", x="duplicates")
    return [section("Sites", shown(Figure("sites", plot, ("site", "duplicates"), sites)))]


def origins_of(result: Result) -> Figure | None:
    """Draw the origins for the report of a result, if it has any."""
    if not result.has("clusters") or not result.counts.get(CLUSTERS) or not has_origins(result):
        return None
    return origins_figure(taxonomy(result), width=520)
