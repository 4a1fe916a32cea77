"""Whether articles that share sentences share citations, which the paper on sentences leaves open.

What an article cites are DOIs, ISBNs and addresses in its source. Pairs of articles that cite anything
are counted by how many sentences they share, beside all pairs that share none.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from neardup.chance import share_interval
from neardup.engines.base import Progress
from neardup.errors import InputError, SettingsError
from neardup.evaluation.measures import AsDict
from neardup.evaluation.study_report import Table
from neardup.methods.sentences.plan import job
from neardup.methods.sentences.settings import SentenceSettings
from neardup.readers.records import SOURCE_CITES
from neardup.readers.source import Source
from neardup.results.running import run_job
from neardup.settings.run import RunSettings
from neardup.text.citations import citations
from neardup.web.numbers import Figure
from neardup.web.svg import bars

CLASSES = ((1, 1), (2, 4), (5, 9), (10, None))  # sentences that two articles share
NONE = "none"
MOST = 500  # articles that cite the same, beyond which it says nothing of two of them


@dataclass(frozen=True)
class Shared:
    """Pairs of citing articles with so many common sentences, and how many cite anything in common."""

    sentences: str
    pairs: int
    citing: int
    share: float | None
    low: float
    high: float
    jaccard: float | None


@dataclass(frozen=True)
class CitationStudy(AsDict):
    """All classes of pairs; the last one has no sentence in common."""

    counts: dict[str, int]
    rows: list[Shared]

    def tables(self) -> list[Table]:
        """Return the table for people."""
        head = (
            "sentences in common",
            "pairs",
            "with a common citation",
            "share",
            "from",
            "to",
            "Jaccard",
        )
        rows = [tuple(asdict(row).values()) for row in self.rows]
        return [("Pairs of articles by sentences in common", head, rows)]

    def figures(self) -> Iterator[Figure]:
        """Draw the shares."""
        rows = [(row.sentences, 100 * (row.share or 0.0)) for row in self.rows]
        plot = bars(rows, title="Pairs that share a citation, by sentences in common", x="% of pairs")
        yield Figure("citations", plot, ("sentences in common", "% of pairs"), rows)


def study_citations(
    source: Source, settings: SentenceSettings, run: RunSettings, progress: Progress | None = None
) -> CitationStudy:
    """Compare what articles cite that share sentences, and that share none."""
    if settings.revisions:
        raise SettingsError("a study of citations compares articles, not revisions of a page")
    result = run_job(job(source, settings, run), run, progress=progress)
    names = ("source", "position")
    places = zip(*(result.documents[name].to_pylist() for name in names), strict=True)
    known = cited(source)
    cites = [known[place] for place in places]
    by_citation: defaultdict[str, list[int]] = defaultdict(list)
    for doc, cited_there in enumerate(cites):
        for one in sorted(cited_there):
            by_citation[one].append(doc)
    common = {one for one, docs in by_citation.items() if len(docs) > MOST}
    cites = [own - common for own in cites]
    citing = {doc for doc, own in enumerate(cites) if own}
    if len(citing) < 2:
        hint = "Citations are DOIs, ISBNs and addresses."
        raise InputError("fewer than two documents cite anything", hint=hint)
    rows = zip(*(result.articles[n].to_pylist() for n in ("doc_a", "doc_b", "sentences")), strict=True)
    sharing = {(a, b): count for a, b, count in rows if a in citing and b in citing}
    by_class: defaultdict[str, list[float]] = defaultdict(list)
    for (a, b), count in sharing.items():
        both = len(cites[a] & cites[b])
        by_class[class_of(count)].append(both / len(cites[a] | cites[b]))
    found = [row_of(name, by_class[name]) for name in map(class_name, CLASSES)]
    counts = {
        "documents": len(cites),
        "documents that cite anything": len(citing),
        "citations": len(by_citation) - len(common),
        "pairs that share sentences": len(sharing),
        f"citations left out, as over {MOST} documents have them": len(common),
    }
    listed = [docs for one, docs in by_citation.items() if one not in common]
    return CitationStudy(counts, [*found, rest(cites, listed, citing, sharing)])


def cited(source: Source) -> dict[tuple[str, int], set[str]]:
    """Return what each record cites, by its file and position."""
    found: dict[tuple[str, int], set[str]] = {}
    positions: Counter[int] = Counter()
    for split in source.splits():
        for batch in source.read(split):
            name = SOURCE_CITES if SOURCE_CITES in batch.schema.names else "text"
            for file, text in zip(batch["file"].to_pylist(), batch[name].to_pylist(), strict=True):
                positions[file] += 1
                found[source.names[file], positions[file]] = citations(text or "")
    return found


def rest(
    cites: Sequence[set[str]],
    listed: Sequence[list[int]],
    citing: set[int],
    sharing: dict[tuple[int, int], int],
) -> Shared:
    """Count all pairs of citing documents that share no sentence; `listed` are those of a citation."""
    both = Counter(pair for docs in listed for pair in combinations(docs, 2))
    values = [n / len(cites[a] | cites[b]) for (a, b), n in both.items() if (a, b) not in sharing]
    whole = len(citing) * (len(citing) - 1) // 2 - len(sharing)
    return row_of(NONE, values, whole)


def row_of(name: str, values: Sequence[float], pairs: int | None = None) -> Shared:
    """Sum up the Jaccard similarities of pairs; those that are not listed have none."""
    whole, right = len(values) if pairs is None else pairs, sum(value > 0 for value in values)
    low, high = share_interval(right, whole)
    known = (right / whole, low, high, sum(values) / whole) if whole else (None, low, high, None)
    return Shared(name, whole, right, *known)


def class_of(count: int) -> str:
    """Return the class of a number of sentences.

    >>> class_of(3), class_of(70)
    ('2–4', '10 or more')
    """
    return class_name(next(own for own in CLASSES[::-1] if count >= own[0]))


def class_name(own: tuple[int, int | None]) -> str:
    """Return what a class is called."""
    first, last = own
    return f"{first} or more" if last is None else str(first) if first == last else f"{first}–{last}"
