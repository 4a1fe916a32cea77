"""From a result and gold to scores: names are matched, then each kind of gold has its measures."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError, OutputError
from neardup.evaluation.gold import (
    CaseGroup,
    ClusterGold,
    Kind,
    PairGold,
    PassageGold,
    Rename,
    read_gold,
)
from neardup.evaluation.measures import (
    ClusterScores,
    Labels,
    PairScores,
    Passage,
    PassageScores,
    cluster_scores,
    pair_scores,
    passage_scores,
)
from neardup.result import Result
from neardup.showing.judged import Pair, ordered

EXAMPLES = 3
PASSAGES = "passages"
# what names of files end with; a version such as 1.5 is not a suffix
SUFFIX = re.compile(r"\.[a-z][a-z0-9]{1,5}(\.(gz|bz2|zst|xz|lz4))?$", re.IGNORECASE)


@dataclass(frozen=True)
class GroupScores:
    """The scores of one group of cases, and of its pairs without any."""

    name: str
    scores: PassageScores
    pairs_without_reuse: int
    pairs_without_reuse_found: int

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers."""
        return {"name": self.name} | asdict(self.scores) | {
            "pairs_without_reuse": self.pairs_without_reuse,
            "pairs_without_reuse_found": self.pairs_without_reuse_found,
        }  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Scores:
    """How well a result agrees with gold; what the gold does not tell is None."""

    kind: Kind
    documents: int
    gold_documents: int
    unknown: tuple[str, ...] = ()
    duplicates: int = 0
    pairs: PairScores | None = None
    unlabelled_pairs: int = 0
    clusters: ClusterScores | None = None
    groups: tuple[GroupScores, ...] = ()
    all: GroupScores | None = None
    unlisted_passages: int = 0
    unlisted_cases: int = 0
    cases_without_source: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return all numbers, for JSON."""
        out: dict[str, Any] = {
            "kind": self.kind,
            "documents": self.documents,
            "gold_documents": self.gold_documents,
            "unknown_documents": len(self.unknown),
            "unknown_examples": list(self.unknown[:EXAMPLES]),
            "duplicate_labels": self.duplicates,
        }
        if self.pairs:
            out["pairs"] = asdict(self.pairs) | {"unlabelled": self.unlabelled_pairs}
        if self.clusters:
            out["clusters"] = asdict(self.clusters)
        if self.all:
            out["passages"] = self.all.as_dict() | {
                "groups": [group.as_dict() for group in self.groups],
                "unlisted_passages": self.unlisted_passages,
                "unlisted_cases": self.unlisted_cases,
                "cases_without_source": self.cases_without_source,
            }
        return out


def evaluate(
    result: Result | str | Path,
    gold: PairGold | ClusterGold | PassageGold | str | Path | Iterable[str | Path],
) -> Scores:
    """Compare a result with gold: files or folders, or what `read_gold` returned.

    >>> from neardup.evaluation import PairGold, evaluate
    >>> text = "The same text twice, my dear"
    >>> result = neardup.documents([{"id": "a", "text": text}, {"id": "b", "text": text + "!"}])
    >>> evaluate(result, PairGold(where="", right=frozenset({("a", "b")}))).pairs.f1
    1.0
    """
    found = Result.opened(result)
    given = gold if isinstance(gold, PairGold | ClusterGold | PassageGold) else read_gold(gold)
    if isinstance(given, PassageGold):
        check_passages(found)
    names = Names(found.documents["id"].to_pylist())
    known = names.match(given.names(), given.where)
    unknown = tuple(sorted(name for name, id_ in known.items() if id_ is None))

    def rename(name: str) -> str:
        return known[name] or name

    scores = Scores(
        kind="pairs",
        documents=len(names.ids),
        gold_documents=len(known),
        unknown=unknown,
        duplicates=given.duplicates,
    )
    if isinstance(given, PassageGold):
        return score_passages(scores, found, given, rename)
    numbers = {id_: number for number, id_ in enumerate([*names.ids, *unknown])}
    if isinstance(given, PairGold):
        return score_pairs(scores, found, given, rename, numbers)
    return score_clusters(scores, found, given, rename, numbers)


class Names:
    """The ids of a result, found by what gold calls them.

    >>> names = Names(["susp/one.txt", "src/two.txt", "three"])
    >>> names.find("susp/one.txt"), names.find("two"), names.find("three.txt"), names.find("four")
    ('susp/one.txt', 'src/two.txt', 'three', None)
    """

    def __init__(self, ids: list[str]) -> None:
        self.ids = ids
        self.exact = set(ids)
        self.by_file: defaultdict[str, list[str]] = defaultdict(list)
        self.by_stem: defaultdict[str, list[str]] = defaultdict(list)
        for id_ in ids:
            file = id_.rpartition("/")[2]
            self.by_file[file].append(id_)
            if (stem := SUFFIX.sub("", file)) != file:
                self.by_stem[stem].append(id_)

    def find(self, name: str) -> str | None:
        """Return the id that a name means: itself, or the only one with this name of a file."""
        if name in self.exact:
            return name
        file = name.rpartition("/")[2]
        for ids in (
            self.by_file.get(file, []),
            self.by_stem.get(file, []),
            self.by_file.get(SUFFIX.sub("", file), []),
        ):
            if fitting := [id_ for id_ in ids if same_folders(id_, name)]:
                return fitting[0] if len(fitting) == 1 else None
        return None

    def match(self, names: set[str], where: str) -> dict[str, str | None]:
        """Return the id for each name; it is an error if there is none for any."""
        known = {name: self.find(name) for name in names}
        if known and not any(known.values()):
            raise InputError(
                f"none of the {len(names):,} documents that the gold names is in the result",
                where=where,
                hint=f"Gold has {examples(sorted(names))}; the result has {examples(self.ids)}.",
            )
        return known


def same_folders(one: str, other: str) -> bool:
    """Return whether the folders of two paths are the same, as far as both name any.

    >>> same_folders("pan/susp/1.txt", "susp/1.txt"), same_folders("susp/1.txt", "src/1.txt")
    (True, False)
    """
    folders = zip(reversed(one.split("/")[:-1]), reversed(other.split("/")[:-1]), strict=False)
    return all(a == b for a, b in folders)


def examples(names: list[str]) -> str:
    """Show some names.

    >>> examples(["a", "b", "c", "d"])
    "'a', 'b', 'c', …"
    """
    shown = ", ".join(repr(name) for name in names[:EXAMPLES]) or "none"
    return f"{shown}, …" if len(names) > EXAMPLES else shown


def found_pairs(result: Result) -> tuple[Labels, Labels]:
    """Return the documents of each pair by their place in the result, the earlier one first."""
    ids = result.documents["id"].combine_chunks()
    sides = [places(result.pairs[side], ids) for side in ("id_a", "id_b")]
    unique = np.unique(np.minimum(*sides) * len(ids) + np.maximum(*sides))
    first, second = np.divmod(unique, max(len(ids), 1))
    return first, second


def places(names: pa.ChunkedArray, ids: pa.Array) -> Labels:
    """Return where in a list of ids each name stands."""
    found = pc.index_in(names, value_set=ids)
    if found.null_count:
        raise OutputError(
            "the result names documents that are not in its documents.parquet",
            hint="Such pairs are not of two documents of the input: compare the table of pairs itself.",
        )
    return np.asarray(found.to_numpy(), dtype=np.int64)


def score_pairs(
    scores: Scores, result: Result, gold: PairGold, rename: Rename, numbers: dict[str, int]
) -> Scores:
    """Score pairs against pairs; with labels, those that have none do not count."""
    firsts, seconds = found_pairs(result)
    found = set(zip(firsts.tolist(), seconds.tolist(), strict=True))

    def numbered(pairs: Iterable[Pair]) -> set[tuple[int, int]]:
        sides = ((numbers[rename(one)], numbers[rename(other)]) for one, other in pairs)
        return {(min(pair), max(pair)) for pair in sides}

    right = numbered(gold.right)
    wrong = found - right if gold.wrong is None else numbered(gold.wrong) - right
    hits, errors = len(right & found), len(wrong & found)
    return replace(
        scores,
        pairs=pair_scores(hits, errors, len(right) - hits),
        unlabelled_pairs=len(found) - hits - errors,
    )


def score_clusters(
    scores: Scores, result: Result, gold: ClusterGold, rename: Rename, numbers: dict[str, int]
) -> Scores:
    """Score clusters against clusters, and the pairs within gold's against those found.

    Documents in no cluster are clusters of their own: those of the result, and those of gold that the
    result does not have.
    """
    own = np.arange(len(numbers), dtype=np.int64)
    gold_labels, found_labels = own.copy(), own.copy()
    cluster_numbers: dict[str, int] = {}
    for name, cluster in gold.clusters.items():
        at = numbers[rename(name)]
        label = cluster_numbers.setdefault(cluster, len(own) + len(cluster_numbers))
        if gold_labels[at] not in (at, label):
            what = f"gold names {rename(name)!r} in several ways, in different clusters"
            raise InputError(what, where=gold.where, hint="Use the ids of the result.")
        gold_labels[at] = label
    members = places(result.clusters["id"], result.documents["id"].combine_chunks())
    found_labels[members] = len(own) + result.clusters["cluster"].to_numpy()
    firsts, seconds = found_pairs(result)
    hits = int((gold_labels[firsts] == gold_labels[seconds]).sum())
    counts = np.unique(gold_labels, return_counts=True)[1]
    total = int((counts * (counts - 1) // 2).sum())
    return replace(
        scores,
        kind="clusters",
        pairs=pair_scores(hits, len(firsts) - hits, total - hits),
        clusters=cluster_scores(gold_labels, found_labels),
    )


def check_passages(result: Result) -> None:
    """Refuse a result without passages."""
    if not result.has(PASSAGES):
        raise InputError(
            "the gold is about passages, and this result has none",
            where=str(result.where),
            hint=f"It was made by neardup {result.run.get('method', 'documents')}; "
            "give gold for pairs or clusters, or a result with passages.",
        )


def score_passages(scores: Scores, result: Result, gold: PassageGold, rename: Rename) -> Scores:
    """Score the passages of a result: each group of cases by itself, and all together."""
    sides = Sides()
    groups = [sides.of_group(group, rename) for group in gold.groups]
    found = [sides.of_passage(passage) for passage in read_passages(result)]
    in_scope = [[passage for passage in found if counts_in(passage, group)] for group in groups]
    own = [score_group(group, passages) for group, passages in zip(groups, in_scope, strict=True)]
    together = CaseGroup(
        name="all",
        cases=tuple(case for group in groups for case in group.cases),
        pairs=frozenset[Pair]().union(*(group.pairs or frozenset() for group in groups)),
    )
    counted = {passage for passages in in_scope for passage in passages}
    return replace(
        scores,
        kind="passages",
        groups=tuple(own),
        all=score_group(together, counted),
        unlisted_passages=len(set(found) - counted),
        unlisted_cases=sum(group.unlisted for group in groups),
        cases_without_source=sum(group.without_source for group in groups),
    )


class Sides:
    """Which document of a pair comes first: as in gold, wherever gold names the pair.

    A corpus that is compared with itself has no suspicious and source documents, so its passages may
    stand the other way round. The measures do not depend on it, if it is the same for all of a pair.
    """

    def __init__(self) -> None:
        self.first: dict[Pair, Pair] = {}

    def of_pair(self, pair: Pair) -> Pair:
        """Return a pair of gold, as gold named it first."""
        return self.first.setdefault(ordered(*pair), pair)

    def of_passage(self, passage: Passage) -> Passage:
        """Return a passage with its sides as gold has them."""
        first = self.first.get(ordered(*passage.pair), passage.pair)
        return passage if first == passage.pair else passage.turned()

    def of_group(self, group: CaseGroup, rename: Rename) -> CaseGroup:
        """Return a group of gold with the ids of the result."""
        pairs = group.pairs
        if pairs is not None:
            pairs = frozenset(self.of_pair((rename(one), rename(two))) for one, two in sorted(pairs))
        cases = [case._replace(id_a=rename(case.id_a), id_b=rename(case.id_b)) for case in group.cases]
        for case in cases:
            self.of_pair(case.pair)
        about = None if group.about is None else frozenset(map(rename, group.about))
        turned = tuple(self.of_passage(case) for case in cases)
        return replace(group, cases=turned, pairs=pairs, about=about)


def read_passages(result: Result) -> Iterator[Passage]:
    """Yield the passages of a result."""
    table = result.table(PASSAGES).select(Passage._fields)
    for batch in table.to_batches():
        columns = (column.to_pylist() for column in batch.columns)
        yield from map(Passage._make, zip(*columns, strict=True))


def counts_in(passage: Passage, group: CaseGroup) -> bool:
    """Return whether a found passage is in a pair that the gold speaks of."""
    if group.pairs is not None:
        return passage.pair in group.pairs
    return group.about is None or passage.id_a in group.about or passage.id_b in group.about


def score_group(group: CaseGroup, passages: Iterable[Passage]) -> GroupScores:
    """Return the scores of one group, and in how many pairs without reuse something was found."""
    found = list(passages)
    without = (group.pairs or frozenset()) - {case.pair for case in group.cases}
    return GroupScores(
        name=group.name,
        scores=passage_scores(group.cases, found),
        pairs_without_reuse=len(without),
        pairs_without_reuse_found=len(without & {passage.pair for passage in found}),
    )
