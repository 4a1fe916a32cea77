"""What `dedup` removes: which documents of clusters go, who stays instead, and why."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.readers.files import File
from neardup.readers.records import Decisions
from neardup.results.folder import ResultFolder
from neardup.results.reclustering import cluster
from neardup.settings.base import Clustering, Mode
from neardup.steps.against import OLD

Reason = Callable[[float | None], str]  # why a document goes, by its similarity to its keeper


class Removal(Protocol):
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

    def decide(self, file: File, mode: Mode) -> Decisions:
        """Return what is done to the records of a file."""

    def sparing(self, files: Collection[str]) -> "Removal":
        """Return the same for a corpus of which some files stay as they are."""


class DuplicateRemoval:
    """Removes all documents of a cluster but its keeper, and nothing that is old."""

    what = "duplicate"
    characters = None

    def __init__(
        self, result: ResultFolder, members: pa.Table, reason: Reason, spared: Collection[str] = ()
    ) -> None:
        self._result = result
        self._members = members
        self._reason = reason
        self._spared = spared

    def sparing(self, files: Collection[str]) -> "DuplicateRemoval":
        """Return the same for a corpus of which some files stay as they are."""
        return DuplicateRemoval(self._result, self._members, self._reason, files)

    @cached_property
    def removed(self) -> pa.Table:
        """Return one row a removed document: where it was, who stays instead, and why."""
        gone = self._members.filter(pc.not_equal(self._members["id"], self._members["keeper_id"]))
        where = new_documents(self._result).select(["doc", "source", "position"])
        table = gone.join(where, "doc", join_type="inner").sort_by("doc")
        table = table.filter(pc.invert(pc.is_in(table["source"], pa.array(self._spared, pa.string()))))
        reasons = [self._reason(similarity) for similarity in table["similarity"].to_pylist()]
        columns = ["id", "source", "position", "keeper_id", "similarity", "cluster"]
        return table.select(columns).append_column("reason", pa.array(reasons, pa.string()))

    @property
    def ids(self) -> list[str]:
        """Return the ids of the documents that go."""
        return list(self.removed["id"].to_pylist())

    @property
    def kept(self) -> int:
        """Return how many documents stay."""
        return len(new_documents(self._result)) - len(self.removed)

    @cached_property
    def _by_file(self) -> dict[str, list[dict[str, Any]]]:
        documents = self._result.documents.select(["doc", "source", "position"])
        columns = ["source", "position", "cluster", "id", "keeper_id", "similarity"]
        return rows_by_file(self._members.join(documents, "doc").select(columns))

    @cached_property
    def _records(self) -> Counter[str]:
        """Return how many records each file has, bad ones included."""
        records = Counter(self._result.documents["source"].to_pylist())
        records.update(self._result.skipped["source"].to_pylist())
        return records

    def decide(self, file: File, mode: Mode) -> Decisions:
        """Return which records of a file stay, or what is noted on them."""
        members = self._by_file.get(file.name, [])
        if mode == "annotate":
            return Decisions(notes=cluster_notes(members))
        keep = np.ones(self._records[file.name], bool)
        keep[[row["position"] - 1 for row in members if row["id"] != row["keeper_id"]]] = False
        return Decisions(keep=keep)


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
