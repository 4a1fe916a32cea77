"""Similar sentences: all that are within the distance, nothing beyond it, always the same."""

import json
import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from rapidfuzz.distance import Levenshtein
from tests.command_line import Command
from tests.quality import DATA
from tests.twins import sentences as twins

import neardup
from neardup.errors import InputError, OutputError, SettingsError
from neardup.methods.sentences import declared as own
from neardup.methods.sentences.candidates import edit
from neardup.methods.sentences.settings import SentenceSettings
from neardup.methods.sentences.tables import drift, histogram
from neardup.steps.declared import PAIRS_BY_KIND

LIMIT = 0.25
WORDS = [
    f"{a}{b}" for a in ("ka", "lo", "mi", "tu", "re", "so") for b in ("ran", "pel", "dor", "ven", "sti")
]


def sentence(rng: random.Random, words: int = 14) -> str:
    chosen = [rng.choice(WORDS) + rng.choice("aeiou") * rng.randrange(2) for _ in range(words)]
    return f"{' '.join(chosen).capitalize()}."


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """Sentences, with copies of some that were edited more or less, and identical ones."""
    rng = random.Random(3)
    found = [sentence(rng, rng.randrange(6, 25)) for _ in range(300)]
    for _ in range(120):
        found.append(edit(rng.choice(found[:300]), rng.choice((0.05, 0.15, 0.25)), WORDS, rng))
    found += [found[0]] * 3
    rng.shuffle(found)
    return found


def pairs_of(result: neardup.Result) -> set[tuple[int, int]]:
    return set(zip(result.pairs["doc_a"].to_pylist(), result.pairs["doc_b"].to_pylist(), strict=True))


@pytest.fixture(scope="module")
def result(corpus: list[str]) -> neardup.Result:
    return neardup.sentences(corpus)


def test_what_brute_force_finds(corpus: list[str], result: neardup.Result) -> None:
    near = {
        (a, b)
        for a, b in combinations(range(len(corpus)), 2)
        if Levenshtein.normalized_distance(corpus[a], corpus[b]) <= LIMIT
    }
    found = pairs_of(result)
    assert len(near) > 120
    assert found <= near
    assert len(found) >= 0.97 * len(near)


def test_distances_are_exact(corpus: list[str], result: neardup.Result) -> None:
    for row in result.pairs.to_pylist():
        distance = Levenshtein.normalized_distance(corpus[row["doc_a"]], corpus[row["doc_b"]])
        assert row["distance"] == distance <= LIMIT
        assert (row["kind"] == "identical") == (distance == 0)


def test_members_are_within_the_limit_of_their_keeper(corpus: list[str], result: neardup.Result) -> None:
    rows = result.sentences.filter(pa.compute.is_valid(result.sentences["cluster"])).to_pylist()
    keepers = {row["cluster"]: row for row in rows if row["keeper"]}
    assert len(keepers) == result.counts["clusters"] > 50
    for row in rows:
        keeper = keepers[row["cluster"]]
        distance = Levenshtein.normalized_distance(corpus[keeper["doc"]], corpus[row["doc"]])
        assert row["distance"] == distance <= LIMIT
        assert row["text"] == corpus[row["doc"]]
        assert (row["kind"] is None) == row["keeper"]
    assert sum(total for _, total in histogram(result)) == len(keepers)


def test_components_hold_all_that_is_connected(corpus: list[str], result: neardup.Result) -> None:
    other = neardup.sentences(corpus, clusters="components")
    assert pairs_of(other) == pairs_of(result)
    rows = other.sentences.to_pylist()
    cluster = {row["doc"]: row["cluster"] for row in rows}
    assert all(cluster[a] == cluster[b] for a, b in pairs_of(other))
    assert other.counts["clusters"] <= result.counts["clusters"]


@pytest.mark.parametrize("preset", ["paper", "paper-precision"])
def test_presets_of_the_paper_find_less(corpus: list[str], result: neardup.Result, preset: str) -> None:
    found = neardup.sentences(corpus, preset=preset)  # type: ignore[arg-type]
    settings = found.run["settings"]
    wanted = (8, 10) if preset == "paper" else (10, 12)
    assert (settings["signatures"], settings["rows"], settings["shingle"]) == (10, *wanted)
    assert (settings["clusters"], settings["preset"]) == ("components", preset)
    assert pairs_of(found) <= pairs_of(result)
    assert found.counts["probes_found"] < result.counts["probes_found"]
    assert found.counts["pairs.identical"] == result.counts["pairs.identical"] >= 6


def test_pairs_are_filtered_inside_of_what_signatures_connect(
    corpus: list[str],
) -> None:
    """Signatures of one shingle connect all: one group, in which brute force is at work."""
    loose: dict[str, Any] = {
        "candidates": "minhash", "rows": 1, "shingle": 3, "signatures": 3, "max_bucket": 1000,
        "clusters": "components",
    }  # fmt: skip
    before = neardup.sentences(corpus, **loose)
    after = neardup.sentences(corpus, grouping="candidates", **loose)
    near = {
        (a, b)
        for a, b in combinations(range(len(corpus)), 2)
        if Levenshtein.normalized_distance(corpus[a], corpus[b]) <= LIMIT
    }
    assert pairs_of(before) < pairs_of(after) == near
    rows = after.sentences.to_pylist()
    assert {row["doc"] for row in rows} == {doc for pair in near for doc in pair}
    assert (after.counts["clusters"], before.counts["clusters"] > 50) == (1, True)
    assert sum(row["keeper"] for row in rows) == 1
    assert after.counts["clusters_too_large"] == 0


def test_pairs_and_clusters_are_counted_by_kind(result: neardup.Result) -> None:
    keepers = [row for row in result.sentences.to_pylist() if row["keeper"] and row["size"] > 1]
    clusters = Counter(row["cluster_kind"] for row in keepers)
    pairs = Counter(result.pairs["kind"].to_pylist())
    for counted, known in ((own.CLUSTERS_BY_KIND, clusters), (PAIRS_BY_KIND, pairs)):
        assert counted.each(result.counts) == known and len(known) > 1


def test_expected_recall_is_what_brute_force_says(result: neardup.Result) -> None:
    counts = result.counts
    assert counts["probes"] == counts["sentences"] - counts["identical_copies"]
    assert counts["probes_found"] >= 0.97 * counts["probes"]


def test_the_same_bytes_for_any_number_of_workers(corpus: list[str], tmp_path: Path) -> None:
    text = "\n\n".join(corpus)
    lines = "".join(json.dumps({"id": f"d{n}", "text": text[n::7]}) + "\n" for n in range(7))
    (tmp_path / "in.jsonl").write_text(lines * 1)
    (tmp_path / "more.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in corpus))
    for workers in (1, 2, 3):
        neardup.sentences(tmp_path / "*.jsonl", output=tmp_path / str(workers), workers=workers)
    tables = sorted(path.name for path in (tmp_path / "1").glob("*.parquet"))
    assert tables == ["articles.parquet", "chains.parquet", "documents.parquet", "pairs.parquet",
                      "rejected.parquet", "sentences.parquet", "skipped.parquet",
                      "suggestions.parquet"]  # fmt: skip
    for name in [*tables, "run.json"]:
        assert len({(tmp_path / str(w) / name).read_bytes() for w in (1, 2, 3)}) == 1


def test_many_parts_are_described_in_processes(
    corpus: list[str], tmp_path: Path, monkeypatch: Any
) -> None:
    from neardup import plan
    from neardup.engines.local import engine as local
    from neardup.engines.local.workers import worker
    from neardup.methods.sentences import plan as sentences

    started = []

    def started_worker(memory: int) -> Any:
        started.append(1)
        return worker(memory)

    monkeypatch.setattr(local, "PROCESSES_BYTES", 1)
    monkeypatch.setattr(local, "SQL_BATCH_ROWS", 16)
    monkeypatch.setattr(local, "worker", started_worker)
    made = plan.Map

    def small(*args: Any, **options: Any) -> Any:
        return made(*args, **{**options, "task_rows": 16} if options.get("task_rows") else options)

    monkeypatch.setattr(sentences, "Map", small)
    one = neardup.sentences(corpus, workers=1, output=tmp_path / "1")
    assert not started
    two = neardup.sentences(corpus, workers=2, output=tmp_path / "2")
    assert started
    assert one.pairs.equals(two.pairs)


def test_too_large_buckets_and_many_copies_are_counted() -> None:
    rng = random.Random(5)
    base = sentence(rng, 12)
    texts = [f"{base[:-1]} {n}." for n in range(60)] + [base] * 30
    found = neardup.sentences(texts, max_bucket=20, max_copies=5)
    assert found.counts["buckets_too_large"] > 0
    assert found.counts["copies_with_first_only"] == 25
    assert found.counts["clusters"] == 1
    assert found.counts["sentences_in_clusters"] == 90


def test_lengths_and_splitting() -> None:
    text = "A short one. This is a sentence of some length here. This is a sentence of some length too."
    split = neardup.sentences([text, "Short."] * 2, split="sentences")
    assert split.counts["sentences"] == 4
    assert split.counts["sentences_too_short"] == 4
    rows = split.sentences.to_pylist()
    assert {text[row["start"] : row["end"]] for row in rows} == {row["text"] for row in rows}
    whole = neardup.sentences([text] * 2)
    assert whole.run["settings"]["split"] == "sentences"
    single = neardup.sentences(["This is a sentence of some length here."] * 2)
    assert single.run["settings"]["split"] == "records"
    deep = neardup.sentences([text] * 2, max_depth=0.5)
    assert [row["depth"] for row in deep.sentences.to_pylist()] == [text.index("This") / len(text)] * 2
    assert (deep.counts["sentences"], deep.counts["sentences_too_deep"]) == (2, 2)
    spaced = neardup.sentences(["This is  a sentence\nof some length here."] * 2, split="records")
    assert spaced.sentences["text"].to_pylist() == ["This is a sentence of some length here."] * 2


def test_the_heading_over_each_sentence(tmp_path: Path) -> None:
    said = ["The bridge was built of stone in 1874.", "It is crossed by sheep twice a day."]
    text = f"{said[0]}\n== History ==\n{said[1]}\n=== Before the war ===\n{said[0]} {said[1]}"
    pages = "".join(
        f"<page><title>T{n}</title><id>{n}</id><revision><text>{text}</text></revision></page>"
        for n in (1, 2)
    )
    dump = tmp_path / "dump.xml"
    dump.write_text(f"<mediawiki>{pages}</mediawiki>")
    found = neardup.sentences(dump)
    told = {(row["sentence"], row["level"], row["section"]) for row in found.sentences.to_pylist()}
    named = "Before the war"
    assert told == {(0, 0, None), (1, 2, "History"), (2, 3, named), (3, 3, named)}
    assert found.documents.column_names[-1] == "revision"
    high = neardup.sentences(dump, max_level=2)
    assert (high.counts["sentences"], high.counts["sentences_under_deeper_headings"]) == (4, 4)
    plain = neardup.sentences([said[0]] * 2)
    assert plain.sentences["level"].null_count == plain.sentences["section"].null_count == 2
    with pytest.raises(SettingsError, match="needs headings"):
        neardup.sentences(said, max_level=0)


def test_scripts_without_spaces() -> None:
    texts = [
        "该大学成立于1956年，现有学生两万人，教师一千人。",
        "该大学成立于1958年，现有学生两万人，教师一千人。",
    ]
    found = neardup.sentences(texts)
    assert found.pairs["kind"].to_pylist() == ["factual drift"]
    assert found.pairs["words_a"].to_pylist() == [["1956"]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_distance": 0}, {"max_distance": 1.5}, {"min_length": 50, "max_length": 10}, {"keys": 0},
        {"split": "words"}, {"preset": "best"}, {"candidates": "all"}, {"language": "English"},
        {"rows": 0}, {"hash_bits": 65}, {"clusters": "line"}, {"grouping": "candidates"},
        {"max_depth": 0}, {"max_level": 7},
    ],
)  # fmt: skip
def test_settings_that_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        SentenceSettings(**wrong)


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (("Bush had an approval rating of 22% by the end of his term in 2008.",
          "Obama had an approval rating of 56% by the end of his term in 2012."), "template"),
        (("Bush had an approval rating of 22% by the end of his term in 2008.",
          "Bush, a US President, had an approval rating of 22% by the end of his term in 2008."),
         "copy edit"),
        (("Obama had an approval rating of 56% by the end of his term in 2012.",
          "Obama had an approval rating of 46% by the end of his term in 2012."), "factual drift"),
        (("Neotropical Ichthyology 11 (1): 73-80.", "Neotropical Ichthyology 10 (2): 245-253."),
         "reference"),
    ],
)  # fmt: skip
def test_the_examples_of_the_paper(texts: tuple[str, str], kind: str) -> None:
    assert neardup.sentences(list(texts), split="records").pairs["kind"].to_pylist() == [kind]
    printed = neardup.sentences(list(texts), split="records", preset="paper")
    assert printed.counts["pairs"] == (kind == "factual drift"), "others share no signature"


TEXT = "The old bridge was opened in {year} by the mayor. It is made of stone from {town}."
REVISION = "<revision><id>{number}</id><text>" + TEXT + "</text></revision>"
PAGE = "<page><title>{town}</title><ns>0</ns><id>{id}</id>{revisions}</page>"


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.xml"
    pages = []
    for number, (town, years) in enumerate({"Alton": (1874, 1878), "Belby": (1879,)}.items(), 1):
        revisions = "".join(REVISION.format(number=y, year=y, town=town) for y in years)
        pages.append(PAGE.format(id=number, town=town, revisions=revisions))
    path.write_text(f"<mediawiki>{''.join(pages)}</mediawiki>")
    return path


def test_the_command_prints_what_editors_want(dump: Path, tmp_path: Path, command: Command) -> None:
    done = command("sentences", dump, "-o", tmp_path / "out")
    assert not done.code
    assert not command("export", tmp_path / "out", "-o", tmp_path / "csv").code
    assert "2 Alton (1) Belby (2)" in done.said
    assert "date: 1878 → 1879" in done.out
    assert "expected recall at this distance: 1.00" in done.out
    assert "Clusters by size" in done.out
    lines = (tmp_path / "csv" / "drift.csv").read_text().splitlines()
    assert len(lines) == 2 and '"The old bridge was opened in 1879 by the mayor."' in lines[1]
    assert "revision" in neardup.Result(tmp_path / "out").documents.column_names
    shown = ""
    for arguments in ([], ["--cluster", 0], ["--kind", "template"]):
        shown += command("show", tmp_path / "out", *arguments).out
    assert "  Belby 2  template  It is made of stone from Belby." in shown
    assert "name: Alton → Belby" in command("explain", tmp_path / "out", 1, 2).out
    assert len(command("explain", tmp_path / "out", 1, 2, "--json").json["pairs"]) == 2


def test_revisions_of_a_page_are_compared_with_each_other_only(dump: Path) -> None:
    found = neardup.sentences(dump, revisions=True)
    pairs = found.pairs.select(["id_a", "id_b", "kind"]).to_pylist()
    assert pairs == [
        {"id_a": "1@1874", "id_b": "1@1878", "kind": "factual drift"},
        {"id_a": "1@1874", "id_b": "1@1878", "kind": "identical"},
    ]


def test_revisions_follow_each_other_by_moments(tmp_path: Path) -> None:
    times = {1: "2020-01-02T00:30:00+02:00", 2: "2020-01-01T23:00:00Z", 3: "2020-01-01T22:45:00Z"}
    revisions = "".join(
        f"<revision><id>{n}</id><timestamp>{time}</timestamp><text>"
        f"{TEXT.format(year=1870 + n, town='Alton')}</text></revision>"
        for n, time in times.items()
    )
    path = tmp_path / "dump.xml"
    path.write_text(f"<mediawiki>{PAGE.format(id=1, town='Alton', revisions=revisions)}</mediawiki>")
    found = neardup.sentences(path, revisions=True).table("changes").to_pylist()
    assert [(row["id_a"], row["id_b"]) for row in found] == [("1@1", "1@3"), ("1@3", "1@2")]


def test_who_changed_what_when(tmp_path: Path, command: Command) -> None:
    path, years = tmp_path / "dump.xml", [1874, 1874, 1878, 1874, 1879]
    page = "<page><title>{town}</title><ns>0</ns><id>{id}</id>{revisions}</page>"
    written = [
        f"<revision><id>{n}</id><timestamp>2020-0{n}-01T00:00:00Z</timestamp><contributor>"
        f"<username>Editor {n}</username></contributor><text>{TEXT}</text></revision>"
        for n in (1, 2, 3, 4, 5)
    ]
    pages = [
        page.format(
            id=number,
            town=town,
            revisions="".join(
                own.format(year=year, town=town)
                for own, year in sorted(zip(written, years, strict=True), reverse=number == 2)
            ),
        )
        for number, town in enumerate(("Alton", "Belby"), 1)
    ]
    path.write_text(f"<mediawiki>{''.join(pages)}</mediawiki>")
    done = command("sentences", path, "--revisions", "-o", tmp_path / "out")
    assert "6 changes from a revision" in done.said and "changes" in done.said
    rows = neardup.Result(tmp_path / "out").table("changes").to_pylist()
    told = [
        (r["title"], r["date"][:7], r["contributor"], r["words_a"], r["words_b"], r["id_b"])
        for r in rows
        if r["title"] == "Alton"
    ]
    assert told == [
        ("Alton", "2020-03", "Editor 3", ["1874"], ["1878"], "1@3"),
        ("Alton", "2020-04", "Editor 4", ["1878"], ["1874"], "1@4"),
        ("Alton", "2020-05", "Editor 5", ["1874"], ["1879"], "1@5"),
    ]
    assert [r["id_b"] for r in rows] == ["1@3", "2@3", "1@4", "2@4", "1@5", "2@5"]
    shown = command("show", tmp_path / "out", "changes").out
    assert "Alton (1@3)  2020-03-01T00:00:00Z, Editor 3: factual drift" in shown
    assert "\n- The old bridge was opened in 1874 by the mayor.\n+ " in shown
    command("report", tmp_path / "out")
    page_text = (tmp_path / "out" / "report.html").read_text()
    assert "Changes from a revision to the next" in page_text and "1874 → 1878" in page_text
    with pytest.raises(OutputError):
        neardup.sentences(path).table("changes")


def test_changes_are_what_brute_force_finds(tmp_path: Path) -> None:
    rng = random.Random(6)
    words = [f"word{n}" for n in range(500)]
    pages = []
    for _page in range(4):
        now, revisions = [rng.sample(words, 12) for _ in range(6)], [""]
        for _day in range(1, 12):
            kind = rng.choice(["change", "change", "back", "drop", "add"])
            if kind == "back" and len(revisions) > 2:
                now = [line.split() for line in rng.choice(revisions[1:]).splitlines()]
            elif kind == "drop" and len(now) > 3:
                del now[rng.randrange(len(now))]
            elif kind == "add":
                now.append(rng.sample(words, 12))
            else:
                now = [list(line) for line in now]
                now[rng.randrange(len(now))][rng.randrange(12)] = rng.choice(words)
            revisions.append("\n".join(" ".join(line) for line in now))
        pages.append(revisions[1:])
    rows = [
        f"<revision><id>{day}</id><timestamp>2020-01-{day:02}T00:00:00Z</timestamp>"
        f"<text>{text}</text></revision>"
        for revisions in pages
        for day, text in enumerate((r.replace("\n", "\n\n") for r in revisions), 1)
    ]
    path = tmp_path / "dump.xml"
    made = "".join(
        f"<page><title>T{n}</title><ns>0</ns><id>{n}</id>{''.join(rows[11 * n : 11 * n + 11])}</page>"
        for n in range(4)
    )
    path.write_text(f"<mediawiki>{made}</mediawiki>")
    found = neardup.sentences(path, revisions=True, split="lines").table("changes").to_pylist()
    expected = [change for n, own in enumerate(pages) for change in twins.changes(n, own, 0.25)]
    assert len(expected) > 12
    assert {(r["id_b"], r["text_a"], r["text_b"]) for r in found} == set(expected)


def test_results_know_what_they_are(dump: Path, tmp_path: Path) -> None:
    found = neardup.sentences(dump)
    assert [pair.difference for pair in drift(found)] == ["date: 1878 → 1879"]
    assert "max distance 0.25" in found._repr_html_()
    assert "2 documents, 2 pairs" in repr(found)
    assert str(found.explain("1", "2")).startswith("1 and 2: 2 similar sentences")
    with pytest.raises(OutputError, match="no clusters"):
        _ = found.clusters
    with pytest.raises(OutputError, match="not an empty folder"):
        neardup.export(found, dump)
    with pytest.raises(InputError, match="no document"):
        found.explain("1", "9")


def test_nothing_similar_is_a_result_too() -> None:
    found = neardup.sentences(["One sentence that stands alone here.", "Quite another thing to say."])
    assert (found.counts["pairs"], found.counts["clusters"]) == (0, 0)
    assert found.sentences.num_rows == found.articles.num_rows == 0


def test_verses_of_two_versions_of_the_bible(tmp_path: Path) -> None:
    if not (DATA / "bible").is_dir():
        pytest.skip(f"no data in {DATA / 'bible'} (set NEARDUP_DATA)")
    books = ("Genesis", "Psalm", "Matthew", "1 Chronicles")
    verses: dict[str, dict[str, str]] = {"KJV": {}, "ASV": {}}
    for version, found in verses.items():
        for book in books:
            content = json.loads((DATA / "bible" / version / f"{book}.json").read_text())[book]
            for chapter, lines in content.items():
                found.update({f"{version} {book} {chapter}:{n}": text for n, text in lines.items()})
        rows = (json.dumps({"id": i, "text": t}) + "\n" for i, t in found.items())
        (tmp_path / f"{version}.jsonl").write_text("".join(rows))
    pairs = neardup.sentences(tmp_path / "*.jsonl").pairs
    assert max(pairs["distance"].to_pylist()) <= LIMIT
    found_pairs = {
        frozenset(pair) for pair in zip(*(pairs[n].to_pylist() for n in ("id_a", "id_b")), strict=True)
    }
    near = [
        (i, i.replace("KJV", "ASV"))
        for i, text in verses["KJV"].items()
        if Levenshtein.normalized_distance(text, verses["ASV"].get(i.replace("KJV", "ASV"), "")) <= LIMIT
    ]
    assert len(near) > 4_000
    assert sum(frozenset(pair) in found_pairs for pair in near) >= 0.98 * len(near)


def test_clusters_of_templates_are_listed_behind_all_others(tmp_path: Path, command: Command) -> None:
    rows = [f"Printed again in The Undecidable, p. {page}ff." for page in (89, 110, 237, 255, 289, 223)]
    same = "Nothing that is said in here was ever said in another place of this corpus."
    texts = [" ".join([*rows[:3], same]), " ".join([*rows[3:], same])]
    neardup.sentences(texts, output=tmp_path / "out")
    shown = command("show", tmp_path / "out", "--json").json["rows"]
    kinds = [(row["kind"] in ("template", "reference"), -row["size"]) for row in shown]
    assert kinds == sorted(kinds)
    assert {template for template, _ in kinds} == {True, False}
