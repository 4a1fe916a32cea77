"""Repeated sentences cut out of documents, one copy of each kept."""

from neardup.errors import SettingsError
from neardup.methods.passages.cleaning import find_cuts
from neardup.results.cutting import CutRemoval
from neardup.results.folder import ResultFolder
from neardup.settings.base import Clustering

SURE = 0.95  # how similar passages are of which one is removed


def removal(
    result: ResultFolder, keep: str | None, threshold: float | None, clusters: Clustering | None
) -> CutRemoval:
    """Decide which repeated sentences are cut out."""
    if clusters is not None:
        raise SettingsError("a result of passages has no clusters", hint="Leave clusters= out.")
    cuts = find_cuts(result, keep or "first", SURE if threshold is None else threshold)
    return CutRemoval(result, cuts, "repeated passage")
