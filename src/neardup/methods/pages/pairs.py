"""Pairs of pages looked at again, as a run saw them: without boilerplate, with their edit curve."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError, OutputError
from neardup.methods.pages import plan
from neardup.methods.pages.candidates import Trim
from neardup.methods.pages.curve import edit_curve
from neardup.methods.pages.matches import pages_of
from neardup.methods.pages.settings import PageSettings
from neardup.methods.pages.tlcs import Comparison, Curve, Page, compare, first_round
from neardup.methods.pages.units import MakePages, units_schema
from neardup.readers.numbers import with_numbers
from neardup.readers.records import records_schema
from neardup.results.folder import ResultFolder
from neardup.results.texts import locate, texts_of
from neardup.showing.explaining import Explained, explain_passages, explain_texts
from neardup.steps.counters import KeySet


def settings_of(result: ResultFolder) -> PageSettings:
    """Return the settings of a run; only one of pages has them."""
    if result.method != "pages":
        hint = "Run neardup pages for one that has."
        raise OutputError(
            f"a result of {result.method} has no pages", where=str(result.where), hint=hint
        )
    given = {name: value for name, value in result.run["settings"].items() if name != "threshold"}
    return PageSettings(**given)


def trimmed_pages(result: ResultFolder, ids: Sequence[str]) -> list[Page]:
    """Return pages as a run compared them: without the boilerplate that it found."""
    settings = settings_of(result)
    for given in ids:
        locate(result, given)  # says so if there is no such page
    known = result.documents
    at = pc.index_in(pa.array(ids), value_set=known["id"].combine_chunks())
    urls = known["url"].take(at).to_pylist()
    types = known["page_type"].take(at).to_pylist()
    return trimmed(settings, boilerplate_of(result), texts_of(result, list(ids)), urls, types)


def boilerplate_of(result: ResultFolder) -> KeySet:
    """Return the sentences that a run left out as boilerplate."""
    template = KeySet()
    template.values = np.unique(result.boilerplate["key"].to_numpy())
    return template


def trimmed(
    settings: PageSettings,
    template: KeySet,
    texts: Sequence[str],
    urls: Sequence[str | None],
    types: Sequence[str | None] | None = None,
) -> list[Page]:
    """Return the pages of texts, without boilerplate; what has a type was HTML."""
    records = with_numbers(records_schema({}))
    columns = {
        "doc": pa.array(range(len(texts)), pa.int64()),
        "text": pa.array(texts, pa.large_string()),
        "url": pa.array(urls, records.field("url").type),
    }
    rows = [columns.get(field.name, pa.nulls(len(texts), field.type)) for field in records]
    batch = pa.RecordBatch.from_arrays(rows, schema=records)
    units = MakePages(units_schema(records), PageSettings(unit=settings.unit, rule=settings.rule))(
        batch, {}
    )
    if types is not None:
        place = units.schema.get_field_index("page_type")
        units = units.set_column(place, "page_type", pa.array(types, pa.string()))
    trim = Trim(settings.limit, None, cut=settings.in_bytes)
    return [page for page, _ in pages_of(trim(units, {"template_keys": template}), settings.unit)]


def compare_again(result: ResultFolder, id_a: str, id_b: str) -> tuple[Comparison, Curve | None]:
    """Compare two pages of a result again; also says how their edit curve runs."""
    a, b = trimmed_pages(result, [id_a, id_b])
    settings = settings_of(result)
    return compare(a, b, settings, whole=True), first_round(a, b, settings)


def curve(result: ResultFolder, id_a: str, id_b: str) -> str:
    """Draw the edit curve of two pages, as SVG."""
    _, found = compare_again(result, id_a, id_b)
    if found is None:
        raise InputError(f"{id_a} and {id_b} have no trustable region", where=str(result.where))
    return edit_curve(found, f"{id_a} and {id_b}")


def explain(result: ResultFolder, id_a: str, id_b: str) -> Explained:
    """Return the regions that match; simhash and cosine located none, so what both texts say."""
    located = result.settings["measure"] == "tlcs"
    return (explain_passages if located else explain_texts)(result, id_a, id_b)


def least_contained(result: ResultFolder) -> float:
    """Return how much of a page must be in another one for this to be kept in its place."""
    return plan.least_contained(settings_of(result))
