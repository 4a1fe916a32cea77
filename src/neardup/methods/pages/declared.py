"""What results of `pages` have: their counts."""

from neardup.steps import declared
from neardup.steps.declared import CANDIDATES, CANDIDATES_VERIFIED, PAIRS, PAIRS_BY_KIND
from neardup.tables import Count

BOILERPLATE_ONLY = Count("boilerplate_only", "pages of boilerplate only", "contents", "content = 0")
BOILERPLATE = Count("boilerplate", "pieces of boilerplate left out", "boilerplate")
TEMPLATE_SIGNATURES = Count(
    "template_signatures",
    "signatures of very many pages, or mostly of one site, that proposed nothing: templates or spam",
    limit="--max-pages, --max-site-pages",
)
LISTS_TOO_LONG = Count(
    "lists_too_long",
    "lists of very many pages, all of which were compared with a few of them only",
    limit="--max-list, --max-pages",
)
CANDIDATES_STOPPED = Count("candidates_stopped", "candidates stopped by their sketches")
PAIRS_OF_SAME_SITE = Count("pairs_of_same_site", "pairs of the same site", "pairs", "same_site")
SITES = Count("sites", "sites", "sites")
SIMILAR_SETS = Count(
    "similar_sets", "perhaps-similar sets", "sets", value="count(distinct representative)"
)
PAGES_IN_SIMILAR_SETS = Count("pages_in_similar_sets", "pages in perhaps-similar sets", "sets")

COUNTS = (
    *declared.READ,
    *declared.COPIES,
    BOILERPLATE_ONLY,
    BOILERPLATE,
    TEMPLATE_SIGNATURES,
    LISTS_TOO_LONG,
    SIMILAR_SETS,
    PAGES_IN_SIMILAR_SETS,
    CANDIDATES,
    CANDIDATES_STOPPED,
    CANDIDATES_VERIFIED,
    PAIRS,
    PAIRS_BY_KIND,
    PAIRS_OF_SAME_SITE,
    SITES,
    *declared.OF_CLUSTERS,
)
