"""Views of a result of `passages` on the terminal: the summary, pairs, and shares of documents."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.text import Text

from neardup.methods.passages import declared as own
from neardup.methods.passages.probes import EXCHANGED, LONGER
from neardup.results.folder import ResultFolder
from neardup.results.texts import Pages, where
from neardup.showing.console import OUT, expected_recall, new_in, number, show_read, show_recall, titled
from neardup.showing.listed import View, explaining
from neardup.showing.passages import BOILERPLATE, EXCERPT, EXCLUDED, excerpt, texts_by_id
from neardup.showing.tables import show_rows
from neardup.steps.against import OLD
from neardup.steps.declared import OLD_DOCUMENTS, PAIRS, PAIRS_BY_KIND, PASSAGES

PAGE = 10  # pairs
MANY_SHORT = 0.25  # of all documents: that is worth a word
MANY_PAIRS, MOST_PAIRS = 20, 100_000  # between which a passage that most pairs share is looked for
SHORTEST = 30  # characters of a passage that chance does not make
PER_FAMILY = 5  # witnesses that are shown of a family; the table has all
PER_PAIR = 3  # passages that are shown of a pair; `explain` shows all
SIDES = {False: "input", True: "source"}


def show_summary(result: ResultFolder) -> None:
    """Print what a run read, skipped, and found in passages."""
    counts = result.counts
    show_read(counts, "{new:,} against {old:,} sources")
    found, pairs = number(counts[PASSAGES], "passage"), number(counts[PAIRS], "pair")
    least = f" of {result.settings['min_length']} characters or more" if by_words(result) else ""
    OUT.print(f"[bold]{found}[/bold]{least} in {pairs} of documents")
    for kind, value in PAIRS_BY_KIND.each(counts).items():
        OUT.print(f"  {value:,} {kind}")
    OUT.print(sharing(counts))
    if counts.get(own.SENTENCES):
        without = counts[own.UNSIGNED_SENTENCES]
        share = f"{100 * without / counts[own.SENTENCES]:.1f} %"
        OUT.print(
            f"{number(counts[own.SENTENCES], 'sentence')}, {without:,} ({share}) without a signature"
        )
    if repeated := counts[own.BOILERPLATE]:
        often = result.run["settings"]["max_documents"]
        OUT.print(
            f"{number(repeated, 'passage')} of boilerplate, in over {often:,} documents each: shown once"
        )
    if missing := counts.get(own.LISTED_PAIRS_NOT_FOUND):
        OUT.print(
            f"  {missing:,} of the listed pairs name a document that is not in the input", style="yellow"
        )
    tried = LONGER * result.settings["min_length"]
    show_recall(
        counts, f"of copies of {tried} characters", f"stretches with one word in {EXCHANGED} exchanged"
    )
    for count in (own.KEPT_APART, own.UNDATED):
        if counts.get(count):
            OUT.print(f"  {count.sentence}: {counts[count]:,}")
    show_disguised(counts)
    show_short(result)
    show_common(result)


def figures(result: ResultFolder) -> dict[str, float | None]:
    """Return the share of edited copies that would have been found."""
    return {"expected_recall": expected_recall(result.counts)}


def sharing(counts: Mapping[str, int]) -> str:
    """Say how many documents share text, those of each side apart.

    >>> sharing({"documents": 106, "documents_sharing": 70})
    '70 of 106 documents share text with another one'
    """
    documents, found = number(new_in(counts), "document"), counts[own.SHARING]
    if (old := counts.get(OLD_DOCUMENTS)) is None:
        return f"{found:,} of {documents} share text with another one"
    used = counts[own.OLD_SHARING]
    return f"{found - used:,} of {documents} share text with {used:,} of {number(old, 'source')}"


def show_disguised(counts: Mapping[str, int]) -> None:
    """Name texts whose words may hide from the comparison."""
    if not (found := own.DISGUISED.each(counts)):
        return
    total, more = sum(found.values()), found.pop("", 0)
    names = ", ".join(sorted(found)) + (f" and {more:,} more" if more else "")
    what = "words that mix alphabets, or invisible or unusual letters"
    OUT.print(
        f"  {number(total, 'text')} may hide what was copied ({what}): {names}",
        style="yellow",
        markup=False,
    )


def show_short(result: ResultFolder) -> None:
    """Say that many texts are too short for any passage, and what to try."""
    tried = short_enough(result)
    if tried is not None:
        least, lengths = result.settings["min_length"], result.documents["length"]
        short = lengths.filter(pc.less(lengths, least))
        OUT.print(
            f"  {len(short):,} of {number(len(lengths), 'document')} are shorter than a passage may be "
            f"(--min-length {least}): try --min-length {tried}",
            style="yellow",
        )


def short_enough(result: ResultFolder) -> int | None:
    """Return the length of passages that fits short texts; None where few texts are too short."""
    least, lengths = result.settings["min_length"], result.documents["length"]
    short = lengths.filter(pc.less(lengths, least))
    if not by_words(result) or len(short) < max(MANY_SHORT * len(lengths), 1) or least <= SHORTEST:
        return None
    return max(int(pc.quantile(short, 0.1)[0].as_py()) // 10 * 10, SHORTEST)


def show_common(result: ResultFolder) -> None:
    """Say that most pairs share only what many documents have, such as a footer, and what to do."""
    found = result.counts[PAIRS]
    if not MANY_PAIRS <= found <= MOST_PAIRS or not isinstance(result.where, Path):
        return
    result, order = result.local(), [("documents", "descending"), ("family", "ascending")]
    most = result.families.sort_by(order).slice(0, 1).to_pylist()
    documents = most[0]["documents"] if most else 0
    if documents * (documents - 1) < found:
        return
    pairs = len(set(pairs_of_family(result, most[0]["family"])))
    if 2 * pairs >= found:
        OUT.print(
            f"  {pairs:,} of the pairs share only one passage, which {documents:,} documents have: "
            f"--max-documents {documents - 1} treats it as boilerplate",
            style="yellow",
        )


def pairs_of_family(result: ResultFolder, family: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of documents that share one passage only, if a family has it."""
    witnesses = result.witnesses.filter(pc.equal(result.witnesses["family"], family)).to_pylist()
    places = {one["doc"]: (one["start"], one["end"]) for one in witnesses}
    single, docs = result.pairs.filter(pc.equal(result.pairs["passages"], 1)), pa.array(places)
    both = pc.and_(pc.is_in(single["doc_a"], docs), pc.is_in(single["doc_b"], docs))
    for pair in with_passages(result, single.filter(both)):
        start, end = places[pair["doc_a"]]
        if any(one["start_a"] < end and start < one["end_a"] for one in pair["located"]):
            yield pair["doc_a"], pair["doc_b"]


def by_words(result: ResultFolder) -> bool:
    """Return whether passages were found by runs of words, and not sentence by sentence."""
    return str(result.settings["signature"]).startswith("winnowing")


def views() -> Mapping[str, View]:
    """Return how pairs, shares of documents, and boilerplate are shown."""
    return {
        "pairs": View(
            show_pairs,
            with_passages,
            per_page=PAGE,
            hint="--page N turns pages; neardup explain shows how passages differ",
        ),
        "shares": View(
            show_shares, hint="--page N turns pages; neardup explain shows what two have in common"
        ),
        "boilerplate": BOILERPLATE,
        "excluded": EXCLUDED,
        "families": View(
            show_families,
            with_witnesses,
            per_page=PAGE,
            hint='--page N turns pages; show OUT witnesses --where "family = 1" lists all of one',
        ),
    }


def show_pairs(result: ResultFolder, chosen: pa.Table) -> None:
    """Print pairs, each with its first passages."""
    passages = passages_of(result, chosen)
    shown = [row for rows in passages.values() for row in rows[:PER_PAIR]]
    texts = texts_by_id(result, {row["id_a"] for row in shown})
    titles = result.documents["title"]
    for pair in chosen.to_pylist():
        names = [titled(titles[pair[f"doc_{x}"]].as_py(), pair[f"id_{x}"]) for x in "ab"]
        OUT.print(Text.assemble("\n", (names[0], "bold"), "  ", (names[1], "bold")))
        show_pair(pair, passages[pair["doc_a"], pair["doc_b"]], texts)


def show_shares(result: ResultFolder, rows: pa.Table) -> None:
    """Print documents with what of them stands elsewhere."""
    sides = OLD in rows.column_names
    titles = result.documents["title"]
    heads = (
        "elsewhere",
        "verbatim",
        "rewritten",
        "sources",
        "best alone",
        *(["side"] if sides else []),
        "document",
        "best source",
    )
    cells = [
        (
            *(f"{100 * row[name]:.1f} %" for name in ("share", "verbatim", "rewritten")),
            f"{row['sources']:,}",
            "" if row["best_share"] is None else f"{100 * row['best_share']:.1f} %",
            *([SIDES[row[OLD]]] if sides else []),
            titled(titles[row["doc"]].as_py(), row["id"]),
            titled(titles[row["best_doc"]].as_py(), row["best_source"]) if row["best_source"] else "",
        )
        for row in rows.to_pylist()
    ]
    show_rows(heads, cells, words=range(len(heads) - 1, 4, -1))


def with_witnesses(result: ResultFolder, families: pa.Table) -> list[dict[str, Any]]:
    """Return families, each with its witnesses."""
    table = result.witnesses
    rows = table.filter(pc.is_in(table["family"], families["family"].combine_chunks())).to_pylist()
    found: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["family"], []).append(row)
    return [family | {"located": found[family["family"]]} for family in families.to_pylist()]


def show_families(result: ResultFolder, rows: pa.Table) -> None:
    """Print families, each with its first witnesses, their text and from whom they may have it."""
    families = with_witnesses(result, rows)
    shown = [one for family in families for one in family["located"][:PER_FAMILY]]
    texts = texts_by_id(result, {one["id"] for one in shown})
    for family in families:
        first = ""
        if family["first_id"] is not None:
            name = titled(family["first_title"], family["first_id"])
            first = f", first seen in {name} ({family['first_date']})"
        elif family["first_date"] is not None:
            first = f", first seen {family['first_date']}: several are of the same time"
        documents = number(family["documents"], "document")
        OUT.print(Text.assemble("\n", (f"{family['family']}. in {documents}", "bold"), first))
        for one in family["located"][:PER_FAMILY]:
            via = f"  like {one['via']} {one['via_similarity']:.3f}" if one["via"] else ""
            when = f"{one['date']}  " if one["date"] else ""
            place = f"  {when}{titled(one['title'], one['id'])}  "
            OUT.print(Text.assemble(place, (f"{one['start']}–{one['end']}", "cyan"), via))
            text = texts[one["id"]][one["start"] : one["end"]]
            OUT.print(Text(f"    {excerpt(text, EXCERPT)}", style="dim"))
        if (more := family["witnesses"] - PER_FAMILY) > 0:
            OUT.print(f"    … and {more:,} more", style="yellow")


def commands(result: ResultFolder, folder: str) -> list[str]:
    """Return commands that show what stands elsewhere, and in whom, and explain a pair."""
    return [f"show {folder} shares", f"show {folder} families", *explaining(result, folder)]


def with_passages(result: ResultFolder, pairs: pa.Table) -> list[dict[str, Any]]:
    """Return pairs, each with its passages."""
    passages = passages_of(result, pairs)
    return [p | {"located": passages[p["doc_a"], p["doc_b"]]} for p in pairs.to_pylist()]


def show_boilerplate_hint(result: ResultFolder) -> None:
    """Say how boilerplate is shown, if there is any."""
    if result.boilerplate.num_rows:
        repeated = number(result.boilerplate.num_rows, "passage")
        OUT.print(f"[dim]neardup show OUT boilerplate: {repeated} that very many documents share[/dim]")


def passages_of(result: ResultFolder, pairs: pa.Table) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Return the passages of some pairs, by the numbers of both documents."""
    keys = list(zip(pairs["doc_a"].to_pylist(), pairs["doc_b"].to_pylist(), strict=True))
    found: dict[tuple[int, int], list[dict[str, Any]]] = {key: [] for key in keys}
    table, pages = result.passages, Pages(result)
    own = pc.and_(*(pc.is_in(table[name], pairs[name].combine_chunks()) for name in ("doc_a", "doc_b")))
    for row in table.filter(own).to_pylist():
        if (row["doc_a"], row["doc_b"]) in found:
            found[row["doc_a"], row["doc_b"]].append(row | pages.of(row))
    return found


def show_pair(pair: Mapping[str, Any], passages: list[dict[str, Any]], texts: Mapping[str, str]) -> None:
    """Print what two documents share."""
    OUT.print(f"{pair['kind']}: {number(pair['passages'], 'passage')}; {in_both(pair)}")
    for row in passages[:PER_PAIR]:
        about = f"  {row['kind']} {row['similarity']:.3f}, {number(row['words'], 'word')}"
        OUT.print(Text.assemble((f"  {where(row, ' = ')}", "cyan"), about))
        text = texts[row["id_a"]][row["start_a"] : row["end_a"]]
        OUT.print(Text(f"    {excerpt(text, EXCERPT)}", style="dim"))
    if len(passages) > PER_PAIR:
        OUT.print(f"    … and {len(passages) - PER_PAIR:,} more", style="yellow")


def in_both(pair: Mapping[str, Any]) -> str:
    """Say how much of the first and of the second document is in both, and how.

    >>> in_both({"containment_a": 0.5, "containment_b": 0.25, "rewritten_a": 0, "rewritten_b": 0})
    '50.0 % and 25.0 % word for word'
    """
    shares = {"containment": "word for word", "rewritten": "rewritten"}
    return ", ".join(
        f"{100 * pair[f'{name}_a']:.1f} % and {100 * pair[f'{name}_b']:.1f} % {how}"
        for name, how in shares.items()
        if pair[f"{name}_a"] or pair[f"{name}_b"]
    )


def looser(result: ResultFolder) -> str:
    """Return options that let more pairs pass."""
    if result.counts[own.BOILERPLATE]:
        most = max(result.boilerplate["documents"].to_pylist())
        return f"--max-documents {most}: text that more documents share is boilerplate"
    if by_words(result):
        return f"--min-length {short_enough(result) or result.settings['min_length'] // 2}"
    return "--signature winnowing:3,1"
