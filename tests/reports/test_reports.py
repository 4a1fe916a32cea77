"""Reports: whole, honest, and the same each time."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.corpora import prose
from tests.reports.embedded import embedded, texts_in, whole

import neardup
from neardup.engines.parquet import write_table
from neardup.errors import InputError, OutputError
from neardup.evaluation.sampling import GRID, SamplingRow, SamplingSettings, SamplingStudy
from neardup.methods import METHODS
from neardup.methods.pages.pairs import compare_again
from neardup.reports import build
from neardup.reports.pairs import pair_row, pair_view
from neardup.reports.selection import by_worth
from neardup.result import Result
from neardup.results.files import RUN, write_json
from neardup.showing.what_if import effects, thresholds

WORDS = "the old stone bridge over the river was closed to all traffic for six weeks from monday".split()  # noqa: SIM905


@pytest.mark.parametrize("method", ["documents", "passages", "sentences"])
def test_a_report_holds_every_pair_with_its_texts(method: str, results: dict[str, Result]) -> None:
    result = results[method]
    made = neardup.report(result)
    assert made.path == result.folder / "report.html"
    assert made.size == made.path.stat().st_size < 1_000_000
    assert made.pairs == made.texts == result.pairs.num_rows > 5
    assert not made.left_out
    data, texts = embedded(made.path), texts_in(made.path)
    rows = result.own_method.report(result).rows.num_rows
    assert data["pairs"]["rows"] == rows >= made.pairs
    assert sorted(texts) == list(range(rows))
    for shown in texts.values():
        assert shown.matches
        assert whole(shown.a) and whole(shown.b)


def test_a_report_knows_from_when_to_when_dates_are(tmp_path: Path) -> None:
    dates = ["12 April 2024", "5.3.2024", "03/01/2024", "2024-03-05T08:00+09:00", None]
    records = [{"id": f"d{n}", "text": " ".join(WORDS), "date": date} for n, date in enumerate(dates)]
    docs = embedded(
        neardup.report(neardup.documents(records), tmp_path / f"{len(str(records))}.html").path
    )["items"]
    day = 86_400_000
    april, march, morning = 1712880000000, 1709596800000, 1709593200000
    assert docs["since"] == [april, march, None, morning, None]
    assert docs["until"] == [april + day, march + day, None, morning + 60_000, None]
    records[4]["date"] = "12/31/2023"  # so the month is first
    docs = embedded(
        neardup.report(neardup.documents(records), tmp_path / f"{len(str(records))}.html").path
    )["items"]
    assert docs["since"][2] == 1709251200000


def test_the_same_result_gives_the_same_report(results: dict[str, Result], tmp_path: Path) -> None:
    one, two = (neardup.report(results["documents"], tmp_path / f"{i}.html").path for i in "12")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"measure": "containment", "threshold": 0.3},
        {"measure": "containment", "threshold": 0.3, "clusters": "components"},
        {"clusters": "components", "keep": "first"},
        {"keep": "newest", "threshold": 0.2},
    ],
)
def test_the_slider_says_what_rethreshold_does(more: dict[str, Any], corpus: Path) -> None:
    result = neardup.documents(corpus, **{"threshold": 0.4, **more})
    grid = [*thresholds(result.threshold, 1.0)[::7], 1.0]
    for threshold, found in zip(grid, effects(result, grid), strict=True):
        counts = result.rethreshold(threshold).counts
        assert found == (counts["clusters"], counts["duplicates"]), threshold


def test_pairs_that_help_to_choose_come_first(results: dict[str, Result]) -> None:
    kind = results["documents"].own_method.report(results["documents"])
    order = by_worth(kind, kind.clusters(), [0.5, 1.0])
    assert sorted(order.tolist()) == list(range(kind.rows.num_rows))
    closeness = kind.rows["similarity"].to_numpy()[order]
    assert closeness[0] < 0.5 <= closeness[1] == kind.pairs["similarity"].to_numpy().min()


def test_the_view_of_one_pair_has_the_shape_that_is_documented(results: dict[str, Result]) -> None:
    result = results["documents"]
    row = pair_row(result, "flower-show-2024", "flower-show-2023")
    view = pair_view(result, row)
    assert set(view) == {"a", "b", "facts", "matches", "curve", "note"}
    assert set(view["a"]) == {"id", "title", "source", "url", "length", "text"}
    assert view["a"]["id"] == "flower-show-2023" and view["note"] is None
    assert ("Similarity", "0.789") in view["facts"]
    [[_, _, words, *_, runs]] = view["matches"]
    assert words > 50 and len(runs) == 4 * 4  # three differences
    json.dumps(view)
    with pytest.raises(InputError, match="not a pair"):
        pair_row(result, "flower-show-2024", "lighthouse")


def test_a_method_that_is_not_known_is_shown_as_pairs_of_documents(
    results: dict[str, Result], tmp_path: Path
) -> None:
    old = results["documents"]
    pairs = old.pairs.drop_columns(["kind"]).append_column("votes", [list(range(old.pairs.num_rows))])
    for name, table in (("documents", old.documents), ("pairs", pairs)):
        write_table(tmp_path / f"{name}.parquet", table.schema, table.to_batches())
    write_json(tmp_path / RUN, old.run | {"method": "rhymes"})
    assert "rhymes" not in METHODS
    made = neardup.report(Result(tmp_path))
    assert made.texts == made.pairs == pairs.num_rows
    assert "Votes" in [column["label"] for column in embedded(made.path)["pairs"]["columns"]]
    assert "Similar rhymes" in made.path.read_text()


def corpus_of(folder: Path, name: str, number: int, words: int = 30) -> Path:
    path = folder / name
    rng = np.random.default_rng(number)
    with path.open("w") as file:
        for i in range(number):
            text = " ".join(f"w{v}" for v in rng.integers(0, 5000, words))
            for copy in "ab":
                file.write(json.dumps({"id": f"{name}-{i}{copy}", "text": f"{text} {copy}"}) + "\n")
    return path


def gone(path: Path) -> None:
    path.unlink()


def changed(path: Path) -> None:
    path.write_text(path.read_text() + '{"id": "new", "text": "one more record"}\n')


@pytest.mark.parametrize("spoil", [gone, changed])
def test_texts_whose_file_is_not_what_it_was_are_left_out_and_that_is_said(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    for number, name in enumerate(("one.jsonl", "two.jsonl"), 3):
        corpus_of(tmp_path, name, number)
    result = neardup.documents(str(tmp_path / "*.jsonl"), output=tmp_path / "out")
    assert result.counts["pairs"] == 7
    spoil(tmp_path / "one.jsonl")
    made = neardup.report(result)
    assert (made.pairs, made.texts) == (7, 4)
    assert any("gone or has changed" in remark and "one.jsonl" in remark for remark in made.left_out)
    assert "gone or has changed" in made.path.read_text()


def test_a_result_whose_texts_were_in_memory_only_is_shown_without_them(tmp_path: Path) -> None:
    texts = ["the same text twice in here, my dear friends"] * 2
    live = neardup.documents(texts, output=tmp_path / "out")
    assert neardup.report(live, tmp_path / "live.html").texts == 1
    made = neardup.report(Result(tmp_path / "out"))
    assert (made.pairs, made.texts) == (1, 0)
    assert any("in memory" in remark for remark in made.left_out)


def test_a_result_without_pairs_has_a_report(tmp_path: Path) -> None:
    result = neardup.documents(["one text that is alone in here", "and quite another text of its own"])
    made = neardup.report(result, tmp_path / "empty.html")
    assert made.pairs == 0
    assert "0 of 2 documents" in made.path.read_text()


def test_a_report_keeps_to_its_size_and_says_what_it_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpus_of(tmp_path, "long.jsonl", 150, words=600)
    result = neardup.documents(corpus, output=tmp_path / "out")
    monkeypatch.setattr(build, "MOST_ROWS", 120)
    made = neardup.report(result, max_size="400KB")
    assert 250_000 < made.size <= 400 * 1024
    assert 10 < made.texts < made.pairs == 120
    said = " ".join(made.left_out)
    assert "120 of 150 pairs" in said and f"{made.texts} of 120 pairs have their texts" in said
    assert "120 of 150" in made.path.read_text()


def test_only_reports_are_written_over(results: dict[str, Result], tmp_path: Path) -> None:
    result = results["documents"]
    precious = tmp_path / "thesis.html"
    precious.write_text("<p>years of work</p>")
    with pytest.raises(OutputError, match="not a report of neardup"):
        neardup.report(result, precious)
    assert precious.read_text() == "<p>years of work</p>"
    with pytest.raises(OutputError, match="not a report of neardup"):
        neardup.report(result, "/dev/zero")  # which never ends
    with pytest.raises(OutputError, match="folder"):
        neardup.report(result, tmp_path)
    again = tmp_path / "report.html"
    assert neardup.report(result, again).size == neardup.report(result, again).size


def test_clusters_at_every_threshold_are_those_of_rethreshold(results: dict[str, Result]) -> None:
    result = results["documents"]
    data = embedded(neardup.report(result).path)
    clusters, items = data["clusters"], data["items"]["id"]
    keeper = dict(zip(clusters["members"], clusters["keepers"], strict=True))
    for threshold, changes in zip(data["measure"]["grid"], clusters["changes"], strict=True):
        keeper |= dict(zip(changes[::2], changes[1::2], strict=True))
        shown = {(items[m], items[k]) for m, k in keeper.items() if m != k}
        table = result.rethreshold(threshold).clusters.to_pylist()
        assert shown == {(r["id"], r["keeper_id"]) for r in table if r["id"] != r["keeper_id"]}


def test_changes_of_sentences_are_in_the_table_facts_first(results: dict[str, Result]) -> None:
    data = embedded(neardup.report(results["sentences"]).path)
    columns = {column["name"]: column for column in data["pairs"]["columns"]}
    assert data["sort"] == {"column": "kind", "descending": False}
    assert columns["kind"]["names"][0] == "factual drift"
    assert any(change and " → " in change for change in columns["change"]["values"])


def test_what_was_skipped_is_said_and_what_is_reused_most(tmp_path: Path) -> None:
    shared = f"{' '.join(WORDS)} and nobody was told why it took so long"
    rows = [{"id": f"d{n}", "text": f"{n} {shared} {n * 7} " * 2} for n in range(4)]
    source = tmp_path / "c.jsonl"
    source.write_text("\n".join([*map(json.dumps, rows), "{broken"]))
    made = neardup.report(neardup.documents(source, output=tmp_path / "out", threshold=0.2))
    assert "1 record skipped" in made.path.read_text()
    [doc, start, end, others, text] = embedded(made.path)["texts"]["reused"][0]
    assert others == 3 and text in rows[doc]["text"] and end > start


def test_a_study_adds_its_curves(results: dict[str, Result], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a study of sampling"):
        neardup.report(results["documents"], tmp_path / "r.html", study=tmp_path)
    shares = {f"{t:g}": 0.5 for t in GRID}
    rows = [
        SamplingRow(f"1/{n}", 1 / n, 9.0, 0, shares, 0.1, None, 0.9, 1.0, 0.9, 1.0, 5, 0.2, 0.1)
        for n in (1, 2, 4)
    ]
    study = SamplingStudy(SamplingSettings(), {"documents": 3}, rows, rows)
    (tmp_path / "study.json").write_text(json.dumps(study.as_dict()))
    made = neardup.report(results["documents"], tmp_path / "r.html", study=tmp_path)
    assert "How well near-duplicates are found" in made.path.read_text()


def test_threads_are_shown_with_all_their_fields_and_their_clusters(tmp_path: Path) -> None:
    asked = " ".join(WORDS)
    threads = [
        {"id": "a", "title": "Is the bridge closed?", "body": asked, "answer": "It is, for weeks."},
        {"id": "b", "title": "Is the bridge closed?", "body": asked, "answer": "It is, for years."},
        {"id": "c", "title": "Which saddle?", "body": "A saddle for long rides in the rain."},
    ]
    source = tmp_path / "threads.jsonl"
    source.write_text("\n".join(json.dumps(thread) for thread in threads))
    result = neardup.threads(source, output=tmp_path / "out")
    made = neardup.report(result)
    assert "Near-duplicate threads" in made.path.read_text()
    [view] = texts_in(made.path).values()
    assert whole(view.a).split("\n\n") == list(threads[0].values())[1:]
    clusters = result.own_method.report(result).clusters()
    assert clusters and clusters.size.tolist() == [2]
    kept, none = effects(result, [0.5, 1.0])
    assert (kept.clusters, kept.duplicates, none.clusters) == (1, 1, 0)


def test_pages_are_shown_with_the_regions_that_match(tmp_path: Path) -> None:
    story = f"{' '.join(WORDS)}. The ferry stays in harbour because of the storm. It sails on Friday."
    pages = [
        {"id": "a", "url": "https://one.example/1", "text": f"Home News Sport\n{story}"},
        {"id": "b", "url": "https://two.example/2", "text": f"{story}\nAll rights reserved."},
    ]
    source = tmp_path / "pages.jsonl"
    source.write_text("\n".join(json.dumps(page) for page in pages))
    for measure in ("tlcs", "cosine"):
        chosen: dict[str, Any] = {"cosine": 0.5} if measure == "cosine" else {}
        result = neardup.pages(source, output=tmp_path / measure, measure=measure, **chosen)
        made = neardup.report(result)
        assert "1 of 2 pages (50.0 %) repeat another one" in made.path.read_text()
        [view] = texts_in(made.path).values()
        matched = "".join(whole(view.a)[m[3] : m[4]] for m in view.matches)
        assert story.split(".")[1] in matched and "Home" not in matched
        assert (view.curve is not None) == (measure == "tlcs")
        if measure == "tlcs":
            _, curve = compare_again(result, "a", "b")
            assert curve is not None
            assert view.curve
            assert view.curve["region"] == [int(curve.places[at]) for at in (curve.begin, curve.end)]
            assert view.curve["points"][-1] == [int(curve.places[-1]), int(curve.edits[-1])]
            assert pair_view(result, 0)["curve"]["region"] == view.curve["region"]


def test_texts_whose_ids_are_mere_numbers_are_known_by_their_titles(tmp_path: Path) -> None:
    texts = [f"{prose(60, 1)} {number}" for number in range(3)]

    def lead(ids: list[str], titles: list[str | None]) -> str:
        records = [
            {"id": own, "title": title, "text": text}
            for own, title, text in zip(ids, titles, texts, strict=True)
        ]
        found = neardup.documents(records, output=tmp_path / "out", overwrite=True)
        return found.own_method.report(found).lead

    assert lead(["1", "22", "303"], ["Art", None, "Angola"]) == "title"
    assert lead(["1", "22", "c"], ["Art", "Alaska", "Angola"]) == "id"
    assert lead(["1", "22", "303"], ["Art", None, None]) == "id"
