"""The study of signatures of sentences as tables and figures."""

from collections.abc import Iterator

from neardup.evaluation.studies import Study, StudyTable, number_in
from neardup.evaluation.study_report import Table
from neardup.web.numbers import Figure, points
from neardup.web.svg import Series, lines


def tables(study: Study) -> Iterator[Table]:
    """Yield all tables, each with its title, head and rows; the best row of each is marked."""
    for table in study.tables:
        more = [f"{name} a sentence" for name in table.rows[0].more]
        rows = [
            (row.setting, *scores_of(row), *row.more.values(), "best" if row is table.best else "")
            for row in table.rows
        ]
        yield table.title, ("", "precision", "recall", "F1", *more, ""), rows
    head = ("signature", "F1 with δ = 3", "F1 with δ = 1", "pairs of documents", "p")
    differences = [(d.signature, d.three, d.one, d.documents, d.p) for d in study.differences]
    yield "Runs of three or more sentences (δ = 3) against all (δ = 1), paired t-test", head, differences
    names = ("documents", "by whole documents", "by passages", "by passages only")
    found = [
        (v.documents, v.found_by_documents, v.found_by_passages, v.only_by_passages)
        for v in study.levels
    ]
    yield "Figure 10: documents with a duplicate, by SpotSigs and by passages", names, found
    seconds = [(v.documents, v.document_seconds, v.passage_seconds) for v in study.levels]
    yield "Figure 11: seconds", ("documents", "SpotSigs of whole documents", "passages"), seconds


def scores_of(row: object) -> tuple[float, float, float]:
    """Return precision, recall and F1 of a row."""
    own = row.scores  # type: ignore[attr-defined]
    return own.precision, own.recall, own.f1


def figures(study: Study) -> Iterator[Figure]:
    """Draw figures 6 to 11."""
    by_name = {table.name: table for table in study.tables}
    shingles = [table for name, table in by_name.items() if name.startswith("shingles")]
    series = [
        Series(
            f"{table.name}, {measure}",
            [(number_in(row.setting), getattr(row.scores, measure)) for row in table.rows],
        )
        for table in shingles
        for measure in ("precision", "recall")
    ]
    title = "Figure 6: shingles by threshold"
    plot = lines(series, title=title, x="τ", y_range=(0, 1))
    yield Figure("figure-6-shingles", plot, *points(series, "τ"))
    for name, table, log in (
        ("figure-8-antecedents", by_name["antecedents"], True),
        ("figure-9-spotsigs", by_name["spotsigs"], False),
    ):
        yield measures_figure(name, table, log)
    ticks = {float(place): row.setting for place, row in enumerate(by_name["imatch"].rows)}
    series = [
        Series(
            measure,
            [(float(n), getattr(row.scores, measure)) for n, row in enumerate(by_name["imatch"].rows)],
        )
        for measure in ("precision", "recall", "f1")
    ]
    plot = lines(
        series, title="Figure 7: I-Match by range of idf", ticks=ticks, y_range=(0, 1), width=820
    )
    yield Figure("figure-7-imatch", plot, *points(series, "range"))
    yield from level_figures(study)


def measures_figure(name: str, table: StudyTable, log: bool) -> Figure:
    """Draw precision, recall and F1 over the number of each setting."""
    series = [
        Series(measure, [(number_in(row.setting), getattr(row.scores, measure)) for row in table.rows])
        for measure in ("precision", "recall", "f1")
    ]
    plot = lines(series, title=table.title, log_x=log, y_range=(0, 1))
    return Figure(name, plot, *points(series, "setting"))


def level_figures(study: Study) -> Iterator[Figure]:
    """Draw figures 10 and 11."""
    for name, title, columns in (
        (
            "figure-10-documents",
            "Figure 10: documents with a duplicate",
            {"whole documents": "found_by_documents", "passages only": "only_by_passages"},
        ),
        (
            "figure-11-seconds",
            "Figure 11: seconds by size",
            {"SpotSigs of whole documents": "document_seconds", "passages": "passage_seconds"},
        ),
    ):
        series = [
            Series(line, [(level.documents, getattr(level, column)) for level in study.levels])
            for line, column in columns.items()
        ]
        plot = lines(series, title=title, x="documents")
        yield Figure(name, plot, *points(series, "documents"))
