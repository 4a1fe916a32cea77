"""Views of a result of `sentences` on the terminal: what was found, clusters, pairs, drifted facts."""

import math
from collections.abc import Iterable, Mapping
from shlex import quote
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.text import Text

from neardup.errors import SettingsError
from neardup.methods.sentences import declared as own
from neardup.methods.sentences.explain import SentenceExplanation
from neardup.methods.sentences.kinds import KINDS
from neardup.methods.sentences.tables import (
    DRIFT,
    NOT_WRONG,
    SentencePair,
    difference_of,
    histogram,
    others_first,
    pairs_of_kind,
    pairs_with_texts,
)
from neardup.results.folder import ResultFolder
from neardup.showing.clusters import known_of
from neardup.showing.console import (
    OUT,
    expected_recall,
    number,
    show_cuts,
    show_read,
    show_recall,
    titled,
)
from neardup.showing.listed import View
from neardup.showing.tables import show_rows
from neardup.steps.declared import CANDIDATES, IDENTICAL_COPIES, PAIRS, PAIRS_BY_KIND

TOP = 10
WIDEST_BAR = 40


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, skipped and found, and the lists that editors want."""
    counts, settings = result.counts, result.run["settings"]
    show_read(counts)
    unit = "record" if settings["split"] == "records" else "sentence"
    short, long = counts[own.TOO_SHORT], counts[own.TOO_LONG]
    OUT.print(
        f"{number(counts[own.SENTENCES], unit)} of {settings['min_length']} to "
        f"{settings['max_length']:,} characters ({short:,} shorter, {long:,} longer)"
    )
    if deep := counts.get(own.TOO_DEEP, 0):
        OUT.print(f"  {deep:,} left out, below {settings['max_depth']:g} of their document")
    if nested := counts.get(own.UNDER_DEEPER_HEADINGS, 0):
        OUT.print(f"  {nested:,} left out, under headings below level {settings['max_level']}")
    copies = number(counts[IDENTICAL_COPIES], unit)
    OUT.print(
        f"[bold]{number(counts[PAIRS], 'pair')}[/bold] with an edit distance ≤ "
        f"{settings['max_distance']}, all verified: {number(counts[CANDIDATES], 'candidate')} compared"
        f", {copies} identical to another"
    )
    kinds, grouped = PAIRS_BY_KIND.each(counts), own.CLUSTERS_BY_KIND.each(counts)
    for kind in (kind for kind in KINDS if kind in kinds):
        clusters = f", {number(grouped[kind], 'cluster')}" if kind in grouped else ""
        OUT.print(f"  {kinds[kind]:,} {kind}{clusters}")
    show_recall(counts, "at this distance", "sentences with words exchanged all over them")
    show_cuts(counts, own.COUNTS)
    OUT.print(
        f"[bold]{number(counts[own.CLUSTERS], 'cluster')}[/bold] of "
        f"{number(counts[own.SENTENCES_IN_CLUSTERS], unit)}"
    )
    show_histogram(histogram(result))
    show_paper_counts(counts, unit)
    show_articles(result)
    if edits := result.counts.get(own.EDITS, 0):
        OUT.print(f"[bold]{number(edits, 'change')}[/bold] from a revision of a page to the next")
    drifted = pairs_of_kind(result, DRIFT)
    if len(drifted):
        OUT.print(f"\n[bold]Drifted facts[/bold], {min(TOP, len(drifted))} of {len(drifted):,}")
        show_pairs(pairs_with_texts(result, drifted.slice(0, TOP)))


def show_paper_counts(counts: Mapping[str, int], unit: str) -> None:
    """Print what the paper counted of Wikipedia (section 6)."""
    if not counts[own.CLUSTERS]:
        return
    different = number(counts[own.DIFFERENT_IN_CLUSTERS], f"different {unit}")
    documents = number(counts[own.DOCUMENTS_IN_CLUSTERS], "document")
    over = number(counts[own.DOCUMENT_PAIRS_OVER_50], "pair")
    chains = number(counts[own.CHAINS], "chain")
    OUT.print(f"\n{different} in the clusters, of {documents}; {over} of documents share over 50;")
    OUT.print(f"{chains} of documents that share some with each other")


def show_histogram(bars: list[tuple[str, int]]) -> None:
    """Print how many clusters have which size, on a logarithmic scale (figure 3 of the paper)."""
    if not bars:
        return
    OUT.print("\n[bold]Clusters by size[/bold] (logarithmic)")
    highest = math.log1p(max(total for _, total in bars))
    for name, total in bars:
        bar = "█" * round(WIDEST_BAR * math.log1p(total) / highest)
        OUT.print(f"{name:>12} {bar} {total:,}")


def show_articles(result: ResultFolder) -> None:
    """Print the pairs of documents with the most similar sentences (figure 4 and table 2)."""
    rows = result.articles.slice(0, TOP).to_pylist()
    if not rows:
        return
    total = result.counts[own.DOCUMENT_PAIRS]
    OUT.print(f"\n[bold]Documents with the most similar sentences[/bold], {len(rows)} of {total:,}")
    cells = [
        (f"{row['sentences']:,}", *(titled(row[f"title_{side}"], row[f"id_{side}"]) for side in "ab"))
        for row in rows
    ]
    show_rows(("sentences", "document", "other document"), cells, words=(2, 1))


def show_pairs(pairs: Iterable[SentencePair]) -> None:
    """Print pairs of sentences, each with what differs."""
    for pair in pairs:
        name_a, name_b = titled(pair.title_a, pair.id_a), titled(pair.title_b, pair.id_b)
        what = f"  {pair.kind} {pair.distance:.3f}"
        OUT.print(Text.assemble("\n", (name_a, "bold"), "  ", (name_b, "bold"), what))
        if pair.text_a == pair.text_b:
            OUT.print(Text(f"  {pair.text_a}"))
        else:
            show_difference(pair.text_a, pair.text_b, pair.difference)


def show_difference(before: str, after: str, difference: str) -> None:
    """Print two sentences below each other, and what differs."""
    OUT.print(Text.assemble(("- ", "red"), before))
    OUT.print(Text.assemble(("+ ", "green"), after))
    OUT.print(Text(f"  {difference or 'punctuation'}", style="cyan"))


def show_changes(_: ResultFolder, rows: pa.Table) -> None:
    """Print what revisions changed: when, who, and both sentences."""
    for row in rows.to_pylist():
        page, by = titled(row["title"], row["id_b"]), row["contributor"] or "unknown"
        about = f"  {row['date'] or 'without a date'}, {by}: {row['kind']}"
        OUT.print(Text.assemble("\n", (page, "bold"), about))
        words = zip(row["types"] or (), row["words_a"] or (), row["words_b"] or (), strict=True)
        show_difference(row["text_a"], row["text_b"], difference_of(words))


def views() -> Mapping[str, View]:
    """Return how clusters of sentences, pairs, and suggestions are shown."""
    hint = "--page N turns pages; --cluster N shows all of one; neardup show OUT pairs lists pairs"
    return {
        "sentences": View(show_clusters, with_sentences, keepers, "cluster", hint=hint, ranked=True),
        "pairs": View(
            lambda result, rows: show_pairs(pairs_with_texts(result, rows)),
            with_texts,
            lambda _, rows: others_first(rows),
            per_page=TOP,
            ranked=True,
        ),
        "suggestions": View(show_suggestions, per_page=TOP),
        "changes": View(show_changes, per_page=TOP),
    }


def keepers(result: ResultFolder, rows: pa.Table) -> pa.Table:
    """Return the keepers of clusters with some rows: largest first, templates and references last."""
    table = result.sentences
    chosen = pc.is_in(table["cluster"], pc.drop_null(rows["cluster"].combine_chunks()))
    kept = table.filter(pc.and_(table["keeper"], chosen))
    passed = pc.is_in(kept["cluster_kind"], pa.array(NOT_WRONG)).cast(pa.int8())
    order = [("passed", "ascending"), ("size", "descending"), ("cluster", "ascending")]
    return kept.append_column("passed", passed).sort_by(order).drop_columns(["passed"])


def show_suggestions(result: ResultFolder, rows: pa.Table) -> None:
    """Print sentences that differ from what most say, or why there are none."""
    drifts = PAIRS_BY_KIND.each(result.counts).get(DRIFT, 0)
    if drifts and not result.counts[own.SUGGESTIONS]:
        newest = "a newest revision" if result.run["settings"]["revisions"] else "a text"
        OUT.print(f"Suggestions are for {newest} that differs from what most others have. No drift here")
        OUT.print(f"has such a majority. All drifts ({number(drifts, 'pair')}):")
        show = f"neardup show {quote(str(result.where))} pairs --where \"kind = '{DRIFT}'\""
        OUT.print(f"  {show}", markup=False)
    for row in rows.to_pylist():
        has, most = row["words"] or "∅", row["most_have"] or "∅"
        others = f" and {number(row['places'] - 1, 'other place')}" if row["places"] > 1 else ""
        where = Text.assemble("\n", (row["id"], "bold"), f", sentence {row['sentence']}{others}: ")
        where.append(has, "red")
        where.append(f" here, {number(row['agreeing'], 'sentence')} with ")
        where.append(most, "green")
        OUT.print(where)
        OUT.print(Text(f"  {row['text']}"))
        if row["date"]:
            age = ", older than the others" if row["stale"] else ""
            first = f"{row['first_id'] or 'several'}, {row['first_date']}"
            OUT.print(Text(f"  of {row['date']}{age}; first: {first}", "dim"))


def show_clusters(result: ResultFolder, rows: pa.Table) -> None:
    """Print clusters of sentences, the keeper of each first."""
    for row in rows.to_pylist():
        show_cluster(result, row["cluster"], TOP)


def with_texts(result: ResultFolder, pairs: pa.Table) -> list[dict[str, Any]]:
    """Return pairs of sentences with all that is known of them."""
    return [pair._asdict() for pair in pairs_with_texts(result, pairs)]


def with_sentences(result: ResultFolder, keepers: pa.Table) -> list[dict[str, Any]]:
    """Return clusters, each with its sentences."""
    return [
        {
            "cluster": row["cluster"],
            "size": row["size"],
            "kind": row["cluster_kind"],
            "sentences": sentences_of(result, row["cluster"]).to_pylist(),
        }
        for row in keepers.to_pylist()
    ]


def sentences_of(result: ResultFolder, cluster: int) -> pa.Table:
    """Return the sentences of one cluster."""
    found = result.sentences.filter(pc.equal(result.sentences["cluster"], cluster))
    if not len(found):
        raise SettingsError(f"there is no cluster {cluster}", hint="neardup show OUT lists them.")
    return found


def members(result: ResultFolder, cluster: int) -> list[dict[str, Any]]:
    """Return the sentences of one cluster, for programs."""
    return list(sentences_of(result, cluster).to_pylist())


def show_cluster(result: ResultFolder, cluster: int, most: int | None = None) -> None:
    """Print the sentences of one cluster."""
    rows = sentences_of(result, cluster).to_pylist()
    OUT.print(
        f"\n[bold]cluster {cluster}[/bold]: {number(len(rows), 'sentence')}, {rows[0]['cluster_kind']}"
    )
    titles = known_of(result, "title", [row["doc"] for row in rows[:most]])
    for row in rows[:most]:
        about = "keeper" if row["keeper"] else row["kind"] or "connected"
        title = f"{titles[row['doc']]} " if row["doc"] in titles else ""
        name = (f"  {title}", "bold"), (row["id"], "cyan")
        OUT.print(Text.assemble(*name, f"  {about}  {row['text']}"))
    if most and len(rows) > most:
        OUT.print(f"  … and {len(rows) - most:,} more", style="yellow")


def show_explanation(found: SentenceExplanation, _: bool) -> None:
    """Print all similar sentences of two documents."""
    OUT.print(f"{number(len(found.pairs), 'pair')} of similar sentences")
    show_pairs(found.pairs)


def explanation_json(found: SentenceExplanation) -> dict[str, Any]:
    """Return the similar sentences of two documents for programs."""
    pairs = [pair._asdict() for pair in found.pairs]
    return {"id_a": found.id_a, "id_b": found.id_b, "pairs": pairs}


def figures(result: ResultFolder) -> dict[str, float | None]:
    """Return the share of edited sentences that would have been found."""
    return {"expected_recall": expected_recall(result.counts)}


def commands(result: ResultFolder, folder: str) -> list[str]:
    """Return commands that show drifted facts, and write tables for editors."""
    drifted = DRIFT in PAIRS_BY_KIND.each(result.counts)
    drift = (
        [f"show {folder} pairs --where \"kind = '{DRIFT}'\""] if drifted else [f"show {folder} pairs"]
    )
    work = [f"show {folder} suggestions"] if result.counts[own.SUGGESTIONS] else []
    edits = [f"show {folder} changes"] if result.counts.get(own.EDITS) else []
    return [*drift, *work, *edits, f"export {folder} -o TABLES"]


def looser(result: ResultFolder) -> str:
    """Return options that let more pairs pass."""
    wider = min(2 * result.settings["max_distance"], 0.5)
    return f"--max-distance {wider:g}, or --min-length 10"
