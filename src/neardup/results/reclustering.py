"""Other clusters from the same verified pairs: a higher threshold, other keepers, components."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.durable import delete_temporary
from neardup.engines.disk import DiskFolder
from neardup.engines.parquet import write_table
from neardup.errors import SettingsError
from neardup.plan import Plan, Sql
from neardup.results.files import RUN, delete_with, result_folder
from neardup.results.folder import ResultFolder
from neardup.results.keeping import TEXTS
from neardup.results.places import Place, check_replaceable, sent
from neardup.settings.base import Clustering
from neardup.settings.run import RunSettings
from neardup.steps import clusters
from neardup.steps.against import OLD
from neardup.steps.declared import CLUSTERS, DUPLICATES, NOT_SIMILAR_TO_KEEPER, PAIRS, PAIRS_NOT_LISTED
from neardup.steps.moments import moments_of
from neardup.steps.pair_kinds import with_kinds
from neardup.steps.rejected import MOST
from neardup.storage import located


def can_recluster(result: ResultFolder) -> bool:
    """Return whether clusters for another threshold follow from the pairs of a result."""
    return {"threshold", "keep", "clusters"} <= result.settings.keys()


def check_all_listed(result: ResultFolder) -> None:
    """Refuse to make other clusters of a result that has not all of its pairs."""
    if missing := result.counts.get(PAIRS_NOT_LISTED):
        raise SettingsError(
            f"the result does not list {missing:,} of its pairs, and other clusters follow from all",
            where=str(result.where),
            hint='Run again with pairs="all", or with the settings that these clusters need.',
        )


def rethreshold(
    result: ResultFolder, threshold: float, output: str | Path | None = None
) -> ResultFolder:
    """Return the result for a higher threshold, without a new run over the texts."""
    check_all_listed(result)
    if not result.threshold <= threshold <= 1:
        raise SettingsError(
            f"the threshold must be from {result.threshold} (that of the run) to 1: got {threshold}",
            hint="Pairs below the run's threshold were not kept: run again for a lower one.",
        )
    settings = result.settings | {"threshold": threshold}
    pairs = result.pairs.filter(pc.greater_equal(result.pairs["similarity"], threshold))
    if settings.get("measure") == "containment":
        pairs = with_kinds(pairs, threshold)
    tables = with_pairs(result, pairs, threshold) | {"rejected": rejected(result, threshold)}
    if output is None:
        return for_a_while(result, settings, tables)
    where = located(output)
    with sent(where, RUN, partial(check_replaceable, overwrite=False)) as near:
        written_again(result, near, settings, tables)
    return ResultFolder(where, result.live_source, input=result.moved)


def without(result: ResultFolder, rows: Collection[int]) -> ResultFolder:
    """Return the result without some of its pairs, with the clusters that the others make."""
    stays = np.ones(len(result.pairs), bool)
    stays[list(rows)] = False
    tables = with_pairs(result, result.pairs.filter(pa.array(stays)), result.settings["threshold"])
    return for_a_while(result, result.settings, tables)


def with_pairs(result: ResultFolder, pairs: pa.Table, threshold: float) -> dict[str, pa.Table]:
    """Return the tables of a result that has some of the pairs."""
    keep, clustering = (result.settings[name] for name in ("keep", "clusters"))
    tables = {name: result.table(name) for name in ("documents", "skipped")}
    if result.has(TEXTS):
        tables[TEXTS] = result.table(TEXTS)
    grouped = cluster(result.documents, pairs, keep, clustering, threshold)
    return tables | {"pairs": pairs, "clusters": grouped}


def for_a_while(
    result: ResultFolder, settings: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> ResultFolder:
    """Return a result that is deleted with what is returned."""
    with result_folder(None) as folder:
        new = written_again(result, folder, settings, tables)
        delete_with(new.tables, folder.parent)
        return new


def written_again(
    result: ResultFolder, folder: Path, settings: Mapping[str, Any], tables: Mapping[str, pa.Table]
) -> ResultFolder:
    """Write a result with some other settings and tables."""
    place = Place(DiskFolder(folder))
    place.check_free(overwrite=False)
    with place.claimed(f"threshold {settings['threshold']}"):
        for name, table in tables.items():
            write_table(place.work.path / f"{name}.parquet", table.schema, table.to_batches())
        counts = result.counts | found_counts(tables["pairs"], tables["clusters"])
        changed = {
            "settings": dict(settings),
            "counts": counts,
            "cluster_sizes": sizes_of(tables["clusters"]),
        }
        place.write_json(RUN, result.run | changed)
        place.finish()
    return ResultFolder(folder, result.live_source, input=result.moved)


def rejected(result: ResultFolder, threshold: float) -> pa.Table:
    """Return the pairs that miss a higher threshold by least."""
    table = result.rejected
    lost = result.pairs.filter(pc.less(result.pairs["similarity"], threshold)).select(table.column_names)
    order = [("similarity", "descending"), ("doc_a", "ascending"), ("doc_b", "ascending")]
    return pa.concat_tables([lost, table]).sort_by(order).slice(0, MOST)


def found_counts(pairs: pa.Table, grouped: pa.Table) -> dict[str, int]:
    """Return the counts that depend on the threshold."""
    number = len(pc.unique(grouped["cluster"]))
    return {
        PAIRS: len(pairs),
        CLUSTERS: number,
        DUPLICATES: len(grouped) - number,
        NOT_SIMILAR_TO_KEEPER: grouped["similarity"].null_count,
    }


def sizes_of(grouped: pa.Table) -> dict[str, int]:
    """Return how many clusters there are of each size."""
    counted = grouped.group_by("size").aggregate([("cluster", "count_distinct")]).sort_by("size")
    return {str(row["size"]): row["cluster_count_distinct"] for row in counted.to_pylist()}


def cluster(
    documents: pa.Table, pairs: pa.Table, keep: str, kind: Clustering, threshold: float
) -> pa.Table:
    """Group documents by their pairs; `keep` chooses the keeper as in the settings."""
    return cluster_steps(documents, pairs, keep, kind, threshold, ("clusters",))["clusters"]


def cluster_steps(
    documents: pa.Table,
    pairs: pa.Table,
    keep: str,
    kind: Clustering,
    threshold: float,
    outputs: tuple[str, ...],
) -> dict[str, pa.Table]:
    """Run the steps from pairs to clusters as far as the tables asked for; return these."""
    extra = clusters.sql_names(documents.column_names)
    order = clusters.keeper_order(keep, extra, OLD in documents.column_names)
    plain = documents.rename_columns([extra.get(n, n) for n in documents.column_names])
    if "same_as" not in plain.column_names:  # nobody looked for documents with the same shingles
        plain = plain.append_column("same_as", plain["doc"])
    similar = ("p.similarity", "p.similarity")  # as threads are, both of them alike
    contained = clusters.CONTAINMENT if "containment_a" in pairs.column_names else similar
    steps = tuple(clusters.steps(order, kind, threshold, contained))
    last = max(number for number, step in enumerate(steps) if step.name in outputs)
    tables = {"documents": plain, "pairs": pairs, **known_dates(order, plain)}
    return run_on_tables(Plan("clusters", (*tables,), steps[: last + 1], outputs), tables)


def ranks(documents: pa.Table, keep: str) -> dict[int, int]:
    """Return the place of each document in the order from the best keeper to the worst."""
    names = clusters.sql_names(documents.column_names)
    plain = documents.rename_columns([names.get(name, name) for name in documents.column_names])
    order = clusters.keeper_order(keep, names, OLD in documents.column_names)
    best_first = f"from {clusters.documents_for(order)} d order by {clusters.in_sql(order)}"
    tables = {"documents": plain, **known_dates(order, plain)}
    plan = Plan("ranks", (*tables,), (Sql("ranked", f"select d.doc as doc {best_first}"),), ("ranked",))
    docs = run_on_tables(plan, tables)["ranked"]["doc"].to_pylist()
    return {doc: place for place, doc in enumerate(docs)}


def known_dates(order: clusters.Order, documents: pa.Table) -> dict[str, pa.Table]:
    """Return from when documents are, if an order asks for that."""
    return {"moments": moments_of(documents)} if clusters.dated(order) else {}


def run_on_tables(plan: Plan, tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """Run a plan on some tables, on this machine and in a folder of its own."""
    from neardup.engines.local.engine import LocalEngine

    with result_folder(None) as folder:
        found = LocalEngine(folder, RunSettings.make()).run(plan, {}, tables)
        kept = {n: pa.Table.from_batches(table.batches(), table.schema) for n, table in found.items()}
        delete_temporary(folder.parent)
    return kept
