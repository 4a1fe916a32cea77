"""What of a result is printed: a page of it by its method, an explanation by its kind."""

from collections.abc import Callable, Mapping
from typing import Any

from neardup.cli.nothing import show_nothing
from neardup.index.view import show_known_page
from neardup.methods.passages.view import pair_explanation_json, show_pair_explanation, show_pair_page
from neardup.methods.sentences.explain import SentenceExplanation
from neardup.methods.sentences.view import (
    sentence_explanation_json,
    show_sentence_clusters,
    show_sentence_explanation,
)
from neardup.methods.threads.explain import ThreadExplanation
from neardup.methods.threads.view import show_thread_explanation, thread_explanation_json
from neardup.results.explaining import Explained, Explanation, PairExplanation
from neardup.results.folder import Result
from neardup.showing.clusters import show_cluster_page
from neardup.showing.explanations import explanation_json, show_explanation

PAGES: Mapping[str, tuple[Callable[..., None], int]] = {  # and how many are on a page
    "passages": (show_pair_page, 10),
    "query": (show_known_page, 20),
    "sentences": (show_sentence_clusters, 20),
}  # of other methods, clusters
EXPLANATIONS: Mapping[type, tuple[Callable[[Any, bool], None], Callable[[Any], dict[str, Any]]]] = {
    Explanation: (show_explanation, explanation_json),
    PairExplanation: (show_pair_explanation, pair_explanation_json),
    SentenceExplanation: (show_sentence_explanation, sentence_explanation_json),
    ThreadExplanation: (show_thread_explanation, thread_explanation_json),
}


def show_page(result: Result, page: int, per_page: int | None, sort: str | None) -> None:
    """Print one page of what a result is about, in the order asked for or its own."""
    if result.method not in PAGES and result.can("clusters") and not result.counts["pairs"]:
        show_nothing(result)
        return
    show, usual = PAGES.get(result.method, (show_cluster_page, 20))
    show(result, page, per_page or usual, *(() if sort is None else (sort,)))


def show_explained(found: Explained, full: bool) -> None:
    """Print an explanation."""
    show, _ = EXPLANATIONS[type(found)]
    show(found, full)


def explained_json(found: Explained) -> dict[str, Any]:
    """Return an explanation for programs."""
    _, as_json = EXPLANATIONS[type(found)]
    return as_json(found)
