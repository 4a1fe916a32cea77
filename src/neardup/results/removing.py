"""What `dedup` removes: which documents of clusters go, who stays instead, and why."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.readers.file import File
from neardup.readers.records import Decisions, Notes
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import check_all_listed, cluster, ranks
from neardup.settings.base import Clustering, Mode
from neardup.steps.against import OLD

ADDABLE = {
    "cluster": pa.int64(),
    "cluster_size": pa.int64(),
    "cluster_keeper": pa.string(),
    "similarity_to_keeper": pa.float64(),
    "duplicates_removed": pa.int64(),
}
REMOVED_COLUMNS = ["id", "source", "position", "keeper_id", "similarity", "cluster"]
Reason = Callable[[float | None], str]  # why a document goes, by its similarity to its keeper


class Deciding(Protocol):
    """What is done to the records of files that are written again."""

    @property
    def adds(self) -> bool:
        """Return whether something is noted on every document that is written."""

    def decide(self, file: File, mode: Mode) -> Decisions:
        """Return what is done to the records of a file."""


class Removal(Deciding, Protocol):
    """What is removed from a corpus: whole documents, or parts of them."""

    @property
    def what(self) -> str:
        """Return what one of them is called."""

    @property
    def removed(self) -> pa.Table:
        """Return one row for each: where it was, what stays instead, and why."""

    @property
    def ids(self) -> list[str] | None:
        """Return the ids of the documents that go, None if they do not go as a whole."""

    @property
    def kept(self) -> int:
        """Return how many documents stay."""

    @property
    def characters(self) -> int | None:
        """Return how many characters are cut out, None if documents go as a whole."""

    def sparing(self, files: Collection[str]) -> "Removal":
        """Return the same for a corpus of which some files stay as they are."""


@dataclass(frozen=True)
class DuplicateRemoval:
    """Removes all documents of a cluster but the best `at_most`, and nothing that is old.

    `keep` is the order of those, and `added` names what is noted on every document of the output. Of
    `spared` files nothing goes, nor does what is `apart` from its keeper: pairs of ids, in their order.
    """

    what = "duplicate"
    characters = None

    result: ResultFolder
    members: pa.Table
    reason: Reason
    keep: str = "longest"
    at_most: int = 1
    added: Sequence[str] = ()
    spared: Collection[str] = ()
    apart: Collection[tuple[str, str]] = ()

    def sparing(self, files: Collection[str]) -> Self:
        """Return the same for a corpus of which some files stay as they are."""
        return replace(self, spared=files)

    @property
    def adds(self) -> bool:
        """Return whether something is noted on every document of the output."""
        return bool(self.added)

    @cached_property
    def _placed(self) -> pa.Table:
        """Return the members of clusters, where they were, and whether they go."""
        where = self.result.documents.select(["doc", "source", "position"])
        table = self.members.join(where, "doc", join_type="inner").sort_by("doc")
        best = set(best_of_clusters(self.result.documents, table, self.keep, self.at_most))
        new = set(new_documents(self.result)["doc"].to_pylist())
        names = ("doc", "source", "id", "keeper_id")
        goes = [
            doc in new
            and doc not in best
            and source not in self.spared
            and (min(own, keeper), max(own, keeper)) not in self.apart
            for doc, source, own, keeper in zip(*(table[n].to_pylist() for n in names), strict=True)
        ]
        return table.append_column("goes", pa.array(goes, pa.bool_()))

    @cached_property
    def removed(self) -> pa.Table:
        """Return one row a removed document: where it was, who stays instead, and why."""
        table = self._placed.filter(self._placed["goes"])
        reasons = [self.reason(similarity) for similarity in table["similarity"].to_pylist()]
        return table.select(REMOVED_COLUMNS).append_column("reason", pa.array(reasons, pa.string()))

    @property
    def ids(self) -> list[str]:
        """Return the ids of the documents that go."""
        return list(self.removed["id"].to_pylist())

    @property
    def kept(self) -> int:
        """Return how many documents stay."""
        return len(new_documents(self.result)) - len(self.removed)

    @property
    def sizes(self) -> dict[int, int]:
        """Return how many clusters there are of each size; a document without a duplicate is one."""
        own = Counter(self.members["cluster"].to_pylist())
        sizes = Counter(own.values())
        alone = len(self.result.documents) - len(self.members)
        return dict(sorted((sizes + Counter({1: alone})).items()))

    @cached_property
    def counts(self) -> pa.Table:
        """Return what is added, of each document that is not old."""
        documents = new_documents(self.result).select(["doc", "id", "source", "position"])
        gone = Counter(self.removed["keeper_id"].to_pylist())
        members = {row["doc"]: row for row in self._placed.to_pylist()}
        rows = []
        for row in documents.to_pylist():
            member = members.get(row["doc"])
            own = member or {"cluster": None, "size": 1, "keeper_id": row["id"], "similarity": 1.0}
            rows.append(
                {
                    **{name: row[name] for name in ("id", "source", "position")},
                    "cluster": own["cluster"],
                    "cluster_size": own["size"],
                    "cluster_keeper": own["keeper_id"],
                    "similarity_to_keeper": own["similarity"],
                    "duplicates_removed": gone[row["id"]] if own["keeper_id"] == row["id"] else 0,
                }
            )
        places = {"id": pa.string(), "source": pa.string(), "position": pa.int64()}
        return pa.Table.from_pylist(rows, pa.schema((places | ADDABLE).items())).select(
            [*places, *self.added]
        )

    @cached_property
    def _by_file(self) -> dict[str, list[dict[str, Any]]]:
        columns = ["source", "position", "cluster", "id", "keeper_id", "similarity", "goes"]
        return rows_by_file(self._placed.select(columns))

    @cached_property
    def _counts_by_file(self) -> dict[str, list[dict[str, Any]]]:
        return rows_by_file(self.counts)

    @cached_property
    def _records(self) -> Counter[str]:
        """Return how many records each file has, bad ones included."""
        records = Counter(self.result.documents["source"].to_pylist())
        records.update(self.result.skipped["source"].to_pylist())
        return records

    def decide(self, file: File, mode: Mode) -> Decisions:
        """Return which records of a file stay, and what is noted on them."""
        members = self._by_file.get(file.name, [])
        notes: Mapping[int, dict[str, Any]] | None = None
        if self.added:
            notes = Notes({name: ADDABLE[name] for name in self.added})
            notes |= {row["position"] - 1: row for row in self._counts_by_file.get(file.name, [])}
        elif mode == "annotate":
            notes = cluster_notes(members)
        if mode == "annotate":
            return Decisions(notes=notes)
        keep = np.ones(self._records[file.name], bool)
        keep[[row["position"] - 1 for row in members if row["goes"]]] = False
        return Decisions(keep=keep, notes=notes)


def best_of_clusters(documents: pa.Table, members: pa.Table, keep: str, at_most: int) -> list[int]:
    """Return the documents that stay: the keeper of each cluster, and the next best, up to a number."""
    keepers = members.filter(pc.equal(members["id"], members["keeper_id"]))["doc"].to_pylist()
    if at_most == 1:
        return list(keepers)
    rank, first = ranks(documents, keep), set(keepers)
    groups: dict[int, list[int]] = {}
    for cluster_number, doc in zip(*(members[n].to_pylist() for n in ("cluster", "doc")), strict=True):
        groups.setdefault(cluster_number, []).append(doc)
    best = (sorted(group, key=lambda doc: (doc not in first, rank[doc])) for group in groups.values())
    return [doc for group in best for doc in group[:at_most]]


def new_documents(result: ResultFolder) -> pa.Table:
    """Return the documents that are not old: all, if nothing is."""
    documents = result.documents
    return documents.filter(pc.invert(documents[OLD])) if OLD in documents.column_names else documents


def new_files(result: ResultFolder, files: Iterable[File]) -> list[File]:
    """Return the files that are not of the old side."""
    old = {file["name"] for file in result.run["input"].get("files", []) if file.get(OLD)}
    return [file for file in files if file.name not in old]


def members_of(
    result: ResultFolder, keep: str | None, clusters: Clustering | None, least: float
) -> pa.Table:
    """Return the clusters of the run, or others where others are asked for.

    `least` is how much of a document must be in another one for this to be kept in its place.
    """
    usual = result.settings.get("keep", "longest"), result.settings.get("clusters", "star")
    chosen = keep or usual[0], clusters or usual[1]
    if chosen == usual and result.has("clusters"):
        return result.clusters
    check_all_listed(result)
    return cluster(result.documents, result.pairs, *chosen, least)


def similar_to_keeper(result: ResultFolder, similarity: float | None) -> str:
    """Say why a document is removed, by its similarity to its keeper."""
    if similarity is None:
        return "connected to the keeper through others"
    measure, least = (result.settings.get(name) for name in ("measure", "threshold"))
    reached = "" if least is None else f", at least {least}"
    return f"{measure or 'similarity'} {similarity:.4f} to the keeper{reached}"


def cluster_notes(members: Iterable[Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return what is noted on the members of clusters in one file."""
    return {
        row["position"] - 1: {
            "cluster": row["cluster"],
            "keeper": row["keeper_id"],
            "similarity": row["similarity"],
        }
        for row in members
    }


def rows_by_file(table: pa.Table) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a table by the file in their column `source`."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        rows.setdefault(row["source"], []).append(row)
    return rows
