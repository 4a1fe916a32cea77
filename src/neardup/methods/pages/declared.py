"""What results of `pages` have: their tables and counts."""

from neardup.steps import declared
from neardup.steps.declared import CANDIDATES, CANDIDATES_VERIFIED, PAIRS, PAIRS_BY_KIND
from neardup.tables import Count, Table, column

BOILERPLATE_ONLY = Count("boilerplate_only", "pages of boilerplate only", "contents", "content = 0")
BOILERPLATE = Count("boilerplate", "pieces of boilerplate left out", "boilerplate")
TEMPLATE_SIGNATURES = Count(
    "template_signatures",
    "signatures of very many pages, or mostly of one site, that proposed nothing: templates or spam",
    limit="max_pages=, max_site_pages=",
)
LISTS_TOO_LONG = Count(
    "lists_too_long",
    "lists of very many pages, which were each compared with only a few others",
    limit="max_list=, max_pages=",
)
CANDIDATES_STOPPED = Count("candidates_stopped", "candidates stopped by their sketches")
PAIRS_OF_SAME_SITE = Count("pairs_of_same_site", "pairs of the same site", "pairs", "same_site")
SITES = Count("sites", "sites", "sites")
SIMILAR_SETS = Count(
    "similar_sets", "perhaps-similar sets", "sets", value="count(distinct representative)"
)
PAGES_IN_SIMILAR_SETS = Count(
    "pages_in_similar_sets", "pages in perhaps-similar sets", "sets", value="count(distinct doc)"
)

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
    *declared.OF_PROBES,
    *declared.OF_CLUSTERS,
)

SIMILARITY = column("similarity", "double", "resemblance; with other measures, theirs")
MEASURES = (SIMILARITY, declared.CONTAINMENT_A, declared.CONTAINMENT_B)
SITE = column("site", "string", "the site of the page, null if it has no address", "category")
TABLES = (
    declared.documents_table(
        column("link_share", "double", "the share of the text that is in links", "share", some=True),
        declared.SAME_AS,
        SITE,
        column("content", "int64", "the characters that were compared", descending=True),
        column(
            "page_type", "string", "topic, navigation, or null where links are not known", "category"
        ),
    ),
    declared.pairs_table(
        *MEASURES,
        declared.KIND,
        column("same_site", "bool", "whether both are of one site; null if a page has no address"),
    ),
    declared.rejected_table(*MEASURES),
    declared.PASSAGES_TABLE,
    declared.CLUSTERS_TABLE,
    Table(
        "sites",
        "site",
        "sites of pages",
        (
            column("site", "string", "the site", "name"),
            column("pages", "int64", "how many pages it has", descending=True),
            column("duplicates", "int64", "how many of them could be removed", descending=True),
            column("pairs_inside", "int64", "pairs of two of its pages", descending=True),
            column("pairs_across", "int64", "pairs with pages of other sites", descending=True),
            column("boilerplate", "int64", "pieces of boilerplate", descending=True),
        ),
        key=("site",),
        order=("duplicates", "pages", "site"),
    ),
    Table(
        "boilerplate",
        "passage",
        "passages of boilerplate",
        (
            *declared.BOILERPLATE_COLUMNS,
            column("site", "string", "the site that has it; null if several have", "category"),
            column("key", "int64", "a hash of its words", "hidden"),
        ),
        key=("doc", "start"),
        order=declared.BOILERPLATE_ORDER,
    ),
    declared.SKIPPED_TABLE,
)
