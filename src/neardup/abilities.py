"""What can be done with a result of each method: the one place that says so."""

from collections.abc import Mapping
from typing import NamedTuple


class Ability(NamedTuple):
    """What results of some methods have, and what to do where a result of another one lacks it."""

    methods: tuple[str, ...]
    what: str
    hint: str
    hints: Mapping[str, str] = {}  # of a method that lacks it

    def hint_for(self, method: str) -> str:
        """Return what to do with a result of a method that lacks this."""
        return self.hints.get(method, self.hint)


FIND_SENTENCES = "To find similar ones, run: neardup sentences"

ABILITIES = {
    # tables
    "clusters": Ability(
        ("documents", "pages", "threads"),
        "clusters of documents",
        "To find clusters of documents, run: neardup documents",
        {
            "passages": "It has pairs and passages. To find clusters, run: neardup documents",
            "sentences": "Its table of sentences has their clusters.",
        },
    ),
    "rejected": Ability(
        ("documents", "pages", "sentences", "threads"),
        "rejected pairs",
        "To find what just missed being a pair, run: neardup documents",
    ),
    "passages": Ability(
        ("pages", "passages", "query"),
        "passages",
        "To see those of one pair, explain it; to find all, run: neardup passages",
    ),
    "boilerplate": Ability(("pages", "passages"), "boilerplate", "To find it, run: neardup passages"),
    "sites": Ability(("pages",), "sites", "To find near-duplicates by site, run: neardup pages"),
    "sentences": Ability(("sentences",), "sentences", FIND_SENTENCES),
    "articles": Ability(("sentences",), "pairs of articles", FIND_SENTENCES),
    # what a run was asked for
    "threshold": Ability(
        ("documents", "pages", "passages", "query", "threads"),
        "threshold",
        "Its run.json says what it was asked for.",
        {"sentences": "It has a largest distance: .run['settings']['max_distance']"},
    ),
    # what is done with a result
    "explain": Ability(
        ("documents", "pages", "passages", "sentences", "threads"),
        "pairs that can be explained",
        "To have some, run: neardup documents",
        {"query": "To see what a text shares with the documents of an index, run: neardup query"},
    ),
    "dedup": Ability(
        ("documents", "pages", "passages", "threads"),
        "duplicates that can be removed",
        "To find some, run: neardup documents",
        {
            "query": "Its pairs say which documents are in the index already.",
            "sentences": "Take its sentences and drop what you like, or run: neardup passages",
        },
    ),
    "rethreshold": Ability(
        ("documents", "threads"),
        "clusters for another threshold",
        "To find clusters, run: neardup documents",
        {
            "pages": "Pages are pairs by resemblance or containment: run neardup pages with others.",
            "passages": "Filter its passages by similarity, or run neardup passages again.",
            "query": "Filter its pairs by similarity, or run neardup query again.",
            "sentences": "Filter its pairs by distance, or run neardup sentences again.",
        },
    ),
    "asked": Ability(("threads",), "threads that can be asked", "Run neardup threads first."),
    "trec": Ability(
        ("documents", "pages", "passages", "threads"),
        "pairs of similar documents",
        "To find some, run: neardup documents",
    ),
    # what of it is shown
    "cluster": Ability(
        ("documents", "pages", "sentences", "threads"),
        "clusters",
        "To find clusters of documents, run: neardup documents",
    ),
    "sort": Ability(
        ("documents", "pages", "passages", "sentences", "threads"),
        "other order",
        "It is shown in its own.",
    ),
}
