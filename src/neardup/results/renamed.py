"""Results of version 0.1.0: their counts were named by sentences. Here is what each is called now."""

from collections.abc import Mapping

NAMES = {  # where more changed than the spaces
    "run-topics": "run_topics",
    "buckets too large to pair all": "buckets_too_large",
    "candidates left out of crowds": "candidates_left_out",
    "candidates stopped by their sketches": "candidates_stopped",
    "chains of documents": "chains",
    "clusters too large to compare all": "clusters_too_large",
    "copies paired with the first only": "copies_with_first_only",
    "documents of crowds that stay": "stayed_in_crowds",
    "documents that share text": "documents_sharing",
    "documents with test items": "documents_with_items",
    "lists too long to pair all": "lists_too_long",
    "members not compared with their keeper": "not_compared_with_keeper",
    "members that do not resemble their keeper": "not_similar_to_keeper",
    "old documents that share text": "old_documents_sharing",
    "pages in perhaps-similar sets": "pages_in_similar_sets",
    "pages of boilerplate only": "boilerplate_only",
    "pairs beyond the limit": "pairs_beyond_limit",
    "pairs of documents": "document_pairs",
    "pairs of documents with over 50 similar sentences": "document_pairs_over_50",
    "pairs of the same site": "pairs_of_same_site",
    "passages of boilerplate": "boilerplate",
    "passages of boilerplate left out": "boilerplate_left_out",
    "perhaps-similar sets": "similar_sets",
    "pieces of boilerplate": "boilerplate",
    "runs of boilerplate": "boilerplate",
    "sentences without a signature": "unsigned_sentences",
    "shingles too common to pair all": "keys_too_common",
    "signatures of templates or spam": "template_signatures",
    "test items": "items",
    "test items found": "items_found",
    "unique sentences in clusters": "different_in_clusters",
}
BY_VALUE = {  # one for each value: "pairs: identical" is pairs.identical now
    "origin": "origins",
    "pairs": "pairs",
    "skipped": "skipped",
    "test items not searched": "items_not_searched",
}


def renamed(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts by their keys, whatever version wrote them.

    >>> renamed({"identical copies": 2, "skipped: no words": 1, "pairs": 3})
    {'identical_copies': 2, 'skipped.no words': 1, 'pairs': 3}
    """
    return {key_of(name): count for name, count in counts.items()}


def key_of(name: str) -> str:
    """Return the key of a count by its name."""
    prefix, colon, value = name.partition(": ")
    if colon and prefix in BY_VALUE:
        return f"{BY_VALUE[prefix]}.{value}"
    return NAMES.get(name) or (name if "." in name else name.replace(" ", "_"))
