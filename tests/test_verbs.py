"""Every verb on every kind of result: it does its work, or says kindly why it cannot."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.corpora import prose
from typer.testing import CliRunner

import neardup
from neardup.cli import whole_app
from neardup.evaluation import PairGold, evaluate
from neardup.index.online import Index
from neardup.index.settings import QuerySettings
from neardup.methods import METHODS, OTHERS, method_named
from neardup.methods.method import Method
from neardup.reports import origins, sample
from neardup.result import PARTS, Result
from neardup.results.files import write_json
from neardup.results.running import type_name
from neardup.retrieval.folder import from_result
from neardup.server.result_part import ResultPart
from neardup.settings.base import Format, settings_of

TEXT = prose(60, 7)
RECORDS = [
    {"id": "a", "title": "The ferry stays in harbour", "text": TEXT, "url": "https://a.example/1"},
    {"id": "b", "title": "The ferry stays in harbour!", "text": TEXT, "url": "https://b.example/2"},
    {"id": "c", "title": "The ferry is late", "text": f"{TEXT} Indeed.", "url": "https://c.example/3"},
    {"id": "d", "title": "Bread", "text": prose(60, 8), "url": "https://d.example/4"},
]
KINDS = (*METHODS, *OTHERS)


def command(*words: object) -> str:
    """Run a command; an error is raised as it is."""
    done = CliRunner().invoke(whole_app(), [str(word) for word in words], catch_exceptions=False)
    return done.output


def make(kind: str, folder: Path) -> None:
    """Make a result of a kind."""
    corpus, out = folder / "corpus.jsonl", folder / "out"
    corpus.write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    if kind == "query":
        Index.build(folder / "index.neardup", str(corpus)).close()
        command("query", folder / "index.neardup", corpus, "--corpus", "-o", out, "-q")
    elif kind == "trec":
        (folder / "run").write_text("".join(f"1 Q0 {r['id']} 1 {n} t\n" for n, r in enumerate(RECORDS)))
        (folder / "qrels").write_text(f"1 0 {RECORDS[0]['id']} 1\n")
        neardup.trec(folder / "run", folder / "qrels", groups=[], output=out)
    elif kind == "decontaminate":
        (folder / "quiz.jsonl").write_text(json.dumps({"id": "b", "question": TEXT}))
        neardup.decontaminate(corpus, folder / "quiz.jsonl", output=out)
    elif kind == "threads":
        neardup.threads(corpus, fields={"title": 0.5, "text": 0.5}, threshold=0.5, output=out)
    else:
        getattr(neardup, kind)(corpus, output=out)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Result]:
    """Return a function that makes each kind of result once."""
    folders: dict[str, Path] = {}

    def opened(kind: str) -> Result:
        if kind not in folders:
            folders[kind] = tmp_path_factory.mktemp(kind)
            make(kind, folders[kind])
        return Result(folders[kind] / "out")

    return opened


@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_of_a_result_are_as_declared(kind: str, results: Callable[[str], Result]) -> None:
    declared = method_named(kind).tables
    result = results(kind)
    made = [table for table in declared if not table.asked]
    assert set(made) == set(result.tables.names()) or kind == "trec"
    for table in made:
        schema = result.table(table).schema
        assert table.problems({field.name: type_name(field.type) for field in schema}) == []
        assert {*table.key, *table.order} <= {column.name for column in table.columns}


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_a_result_counts_is_declared(kind: str, results: Callable[[str], Result]) -> None:
    declared = {str(count) for count in method_named(kind).counts}
    found = {key.partition(".")[0] for key in results(kind).counts}
    assert found
    assert found <= declared


Verb = Callable[[Result, Path], Any]


def exporting(kind: str) -> Verb:
    """Return the verb that exports a result in a format."""
    return lambda result, new: command("export", result.folder, "--format", kind, "-o", new / "exported")


def showing(table: str) -> Verb:
    """Return the verb that shows a table, for people and for programs."""

    def show(result: Result, new: Path) -> None:
        del new
        assert "page 1 of" in command("show", result.folder, table)
        assert json.loads(command("show", result.folder, table, "--json"))["page"] == 1

    return show


TABLES = sorted({str(table) for kind in KINDS for table in method_named(kind).tables})
VERBS: dict[str, Verb] = {
    "show": lambda result, _: command("show", result.folder),
    "show --cluster": lambda result, _: command("show", result.folder, "--cluster", 0),
    **{f"show {table}": showing(table) for table in TABLES},
    "show --where": lambda result, _: command("show", result.folder, "pairs", "--where", "id_a = a"),
    "show --sort": lambda result, _: command("show", result.folder, "pairs", "--sort", "id_a:desc"),
    "explain": lambda result, _: command("explain", result.folder, "a", "b"),
    "explain --json": lambda result, _: json.loads(
        command("explain", result.folder, "a", "b", "--json")
    ),
    "explain --curve": lambda result, new: command(
        "explain", result.folder, "a", "c", "--curve", new / "curve.svg"
    ),
    ".explain": lambda result, _: str(result.explain("a", "b")),
    "report": lambda result, new: neardup.report(result, new / "report.html"),
    "origins": lambda result, new: origins(result, new / "origins.html"),
    "sample": lambda result, new: sample(result, new / "sheet.csv"),
    "dedup": lambda result, new: neardup.dedup(result, new / "clean"),
    "dedup --mode remove": lambda result, new: neardup.dedup(result, new / "clean", mode="remove"),
    "dedup --threshold": lambda result, new: neardup.dedup(result, new / "clean", threshold=0.95),
    "dedup --clusters": lambda result, new: neardup.dedup(result, new / "clean", clusters="components"),
    ".rethreshold": lambda result, _: result.rethreshold(0.95).clusters,
    **{f"export --format {kind}": exporting(kind) for kind in get_args(Format)},
    "asked": lambda result, _: neardup.ThreadIndex.build(result),
    "evaluate": lambda result, _: evaluate(result, PairGold(where="", right=frozenset({("a", "b")}))),
    "trec": lambda result, _: from_result(result, {"a", "b"}),
    "repr": lambda result, _: repr(result),
    "_repr_html_": lambda result, _: result._repr_html_(),
    ".to_pandas": lambda result, _: result.to_pandas(),
    ".to_arrow": lambda result, _: result.to_arrow(),
    ".threshold": lambda result, _: result.threshold,
    ".clusters": lambda result, _: result.clusters,
    ".passages": lambda result, _: result.passages,
    ".boilerplate": lambda result, _: result.boilerplate,
    ".sites": lambda result, _: result.sites,
    ".sentences": lambda result, _: result.sentences,
    ".articles": lambda result, _: result.articles,
    "serve": lambda result, _: ResultPart(result).health(),
    "serve: a pair": lambda result, _: first_pair(ResultPart(result), result),
    "serve: clusters": lambda result, _: ResultPart(result).clusters(0, 10),
}
UNPAIRED = {"trec", "clean"}  # have no pairs
NEITHER = {"query", *UNPAIRED}  # have no pairs of two documents that were compared


def first_pair(part: ResultPart, result: Result) -> None:
    """Ask a server for a pair."""
    row = result.pairs.slice(0, 1).to_pylist()[0]
    part.pair(row["id_a"], row["id_b"])


def without(what: str) -> set[str]:
    """Return the kinds of results that do not have a table."""
    return {
        kind
        for kind in KINDS
        if not any(table == what and not table.asked for table in method_named(kind).tables)
    }


def overriding(name: str) -> set[str]:
    """Return the kinds of results whose methods do something in their own way."""
    return {
        kind for kind in KINDS if getattr(type(method_named(kind)), name) is not getattr(Method, name)
    }


def refusing(*verbs: str) -> set[str]:
    """Return the kinds of results whose methods say that one of these cannot be done."""
    return {kind for kind in KINDS if any(verb in method_named(kind).refuses for verb in verbs)}


def named_in(kind: str) -> set[str]:
    """Return the settings that results of a kind tell of."""
    method = method_named(kind)
    own = getattr(method, "settings", QuerySettings)
    return {*(setting.name for setting in settings_of(own)), *method.derived}


def fixed() -> set[str]:
    """Return the kinds of results that have no clusters for another threshold."""
    return {kind for kind in KINDS if not {"threshold", "keep", "clusters"} <= named_in(kind)}


REFUSED: dict[str, set[str]] = {
    **{f"show {table}": without(table) for table in TABLES},
    **{
        f"show --{part}": {k for k in KINDS if not has(method_named(k))}
        for part, (_, has) in PARTS.items()
    },
    **dict.fromkeys(("show --where", "show --sort"), without("pairs")),
    **{f".{name}": without(name) for name in ("clusters", "passages", "boilerplate", "sites")},
    **{f".{name}": without(name) for name in ("sentences", "articles")},
    **dict.fromkeys(("explain", "explain --json", ".explain"), refusing("explain")),
    **dict.fromkeys(("dedup", "dedup --mode remove"), refusing("dedup")),
    "explain --curve": set(KINDS) - overriding("curve"),
    **dict.fromkeys(("report", "sample"), refusing("report")),
    "origins": refusing("dedup"),
    "dedup --threshold": refusing("dedup", "rethreshold") | fixed() - overriding("removal"),
    "dedup --clusters": refusing("dedup"),
    ".rethreshold": refusing("rethreshold") | fixed(),
    "export --format graphml": UNPAIRED,
    "export --format gexf": UNPAIRED,
    "export --format tei": refusing("report", "tei"),
    "asked": {kind for kind in KINDS if not method_named(kind).can_be_asked},
    "evaluate": UNPAIRED,
    "trec": refusing("trec"),
    **dict.fromkeys(("_repr_html_", ".to_pandas", ".to_arrow"), UNPAIRED),
    ".threshold": refusing("threshold") | {k for k in KINDS if "threshold" not in named_in(k)},
    **dict.fromkeys(("serve", "serve: a pair", "serve: clusters"), refusing("report")),
}


MAY_REFUSE = {  # what rooms decide by themselves
    **dict.fromkeys(("dedup --threshold", "dedup --clusters"), overriding("removal")),
    "evaluate": {kind for kind in KINDS if method_named(kind).refuses},
}
OURS = {  # of some verbs, which of our methods refuse them
    **dict.fromkeys(("explain", "dedup"), NEITHER),
    **dict.fromkeys(("sample", "serve"), UNPAIRED),
    "report": set(),
    "trec": NEITHER | {"sentences", "decontaminate"},
    "show --cluster": NEITHER | {"passages", "decontaminate"},
    ".clusters": NEITHER | {"passages", "sentences", "decontaminate"},
    ".rethreshold": NEITHER | {"passages", "sentences", "pages", "decontaminate"},
    ".threshold": {"sentences", *UNPAIRED},
    "dedup --threshold": NEITHER | {"sentences", "pages"},
    "dedup --clusters": NEITHER | {"passages", "sentences", "decontaminate"},
    "evaluate": {*UNPAIRED, "decontaminate"},
}
KNOWN = {"documents", "passages", "sentences", "threads", "pages", "decontaminate", *OTHERS}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_verb_works_or_says_kindly_why_not(
    kind: str, verb: str, results: Callable[[str], Result], tmp_path: Path
) -> None:
    result = results(kind)
    must = kind in (OURS[verb] if verb in OURS and kind in KNOWN else REFUSED.get(verb, ()))
    try:
        VERBS[verb](result, tmp_path)
    except neardup.NeardupError as error:
        assert must or (kind not in KNOWN and kind in MAY_REFUSE.get(verb, ()))
        assert error.hint
        assert not list(tmp_path.iterdir())
    else:
        assert not must


NEEDED: dict[str, dict[str, Any]] = {
    "threads": {"fields": "text"},
    "decontaminate": {"benchmarks": [{"question": TEXT}]},
    "clean": {"dry_run": True},
}


@pytest.mark.parametrize("kind", [*(kind for kind in METHODS if hasattr(neardup, kind)), "clean"])
def test_of_data_without_rows_there_are_tables_without_rows(kind: str, tmp_path: Path) -> None:
    made = getattr(neardup, kind)([], output=tmp_path / "out", **NEEDED.get(kind, {}))
    result = made.result if kind == "clean" else made
    assert (result.counts["records"], result.counts["documents"]) == (0, 0)
    declared = {str(table): table for table in result.own_method.tables}
    for name in result.run["tables"]:
        found = result.table(name)
        assert not len(found) or name in ("items", "benchmarks")
        assert not declared[name].problems({f.name: type_name(f.type) for f in found.schema})
    assert command("show", result.where)
    command("report", result.where)


@pytest.mark.parametrize("kind", [kind for kind in METHODS if "clusters" in method_named(kind).tables])
def test_clusters_are_served_of_every_method_that_has_some(
    kind: str, results: Callable[[str], Result]
) -> None:
    found = ResultPart(results(kind)).clusters(0, 10)
    assert found is not None
    [cluster] = found["clusters"]
    assert {"a", "b"} <= {member["id"] for member in cluster["members"]}


def test_two_options_that_show_different_things_are_refused(results: Callable[[str], Result]) -> None:
    with pytest.raises(neardup.SettingsError, match="--cluster shows texts"):
        command("show", results("sentences").folder, "pairs", "--cluster", 0)


def test_what_else_can_be_done_depends_on_the_method(results: Callable[[str], Result]) -> None:
    for kind, words in (("pages", "resemblance or containment"), ("sentences", "by distance")):
        with pytest.raises(neardup.OutputError, match=words):
            results(kind).rethreshold(0.9)
    with pytest.raises(neardup.OutputError, match="max_distance"):
        results("sentences").threshold  # noqa: B018


def test_a_method_that_is_not_known_is_said_to_have_no_pairs(tmp_path: Path) -> None:
    write_json(tmp_path / "run.json", {"method": "rhymes", "settings": {}})
    with pytest.raises(neardup.OutputError, match="a result of rhymes has no pairs"):
        command("show", tmp_path)
