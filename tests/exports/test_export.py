"""A result in other formats: nothing is lost, and what reads them finds what was there."""

import csv
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.corpora import prose
from tests.readers.layouts import docx

import neardup
from neardup.errors import OutputError, SettingsError
from neardup.exports.tables import write_workbook

HOSTILE = 'a <b> & "c"\r\n\x00\u202e]]> é 𝄞 '
STORY = "The ferry to the islands stays in harbour because of the storm, says the harbour master. "
TEXTS: list[dict[str, Any]] = [
    {"id": HOSTILE, "title": "One & <two>", "text": HOSTILE + STORY * 3 + "And so it was."},
    {"id": "b", "title": None, "text": "Well. \r\n" + STORY * 3 + HOSTILE},
    {"id": "c", "title": "Alone", "text": "Nothing of all this is said in here, not at all, my dear."},
]
TEI = "{http://www.tei-c.org/ns/1.0}"
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
GEXF = "{http://gexf.net/1.3}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


@pytest.fixture(scope="module")
def found() -> dict[str, neardup.Result]:
    """Make a result of some methods."""
    return {
        "documents": neardup.documents(TEXTS, threshold=0.3),
        "passages": neardup.passages(TEXTS, min_length=40),
        "sentences": neardup.sentences(TEXTS),
    }


def test_every_table_is_written_in_every_format(found: Any, tmp_path: Path) -> None:
    for method, result in found.items():
        for kind in ("csv", "jsonl", "parquet"):
            paths = neardup.export(result, tmp_path / f"{method}-{kind}", format=kind)
            names = {*result.tables.names(), *(["drift"] if method == "sentences" else [])}
            assert {path.name for path in paths} == {f"{name}.{kind}" for name in names}
            assert all(path.is_file() for path in paths)


def test_tables_say_the_same_in_every_format(found: Any, tmp_path: Path) -> None:
    for kind in ("csv", "jsonl", "parquet"):
        neardup.export(found["documents"], tmp_path / kind, format=kind, tables=["documents", "pairs"])
    for name in ("documents", "pairs"):
        expected = found["documents"].table(name).to_pylist()
        lines = (tmp_path / "jsonl" / f"{name}.jsonl").read_text().split("\n")[:-1]
        assert [json.loads(line) for line in lines] == expected
        assert pq.read_table(tmp_path / "parquet" / f"{name}.parquet").to_pylist() == expected
        with (tmp_path / "csv" / f"{name}.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row.get("id", row.get("id_a")) for row in rows] == [
            row.get("id", row.get("id_a")) for row in expected
        ]


def test_pairs_of_sentences_have_their_texts(found: Any, tmp_path: Path) -> None:
    (path,) = neardup.export(found["sentences"], tmp_path / "out", format="jsonl", tables="pairs")
    rows = [json.loads(line) for line in path.read_text().split("\n")[:-1]]
    assert len(rows) == found["sentences"].counts["pairs"] > 1
    assert {row["text_a"] for row in rows} >= {STORY.strip()}


def test_passages_have_their_words_and_what_is_known_of_both_documents(
    found: Any, tmp_path: Path
) -> None:
    (path,) = neardup.export(found["passages"], tmp_path / "out", format="jsonl", tables="passages")
    [first, *_] = [json.loads(line) for line in path.read_text().split("\n")[:-1]]
    assert (first["title_a"], first["title_b"]) == ("One & <two>", None)
    assert STORY.strip() in first["text_a"] and STORY.strip() in first["text_b"]
    assert "page_a" not in first


def test_passages_of_documents_with_pages_name_these(tmp_path: Path) -> None:
    pages = [prose(40, seed) for seed in range(3)]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.docx").write_bytes(docx(pages))
    (tmp_path / "in" / "b.txt").write_text(pages[2])
    result = neardup.passages(tmp_path / "in", min_length=40)
    rows = neardup.export(result, tmp_path / "out", format="parquet", tables="passages")
    [row] = pq.read_table(rows[0]).to_pylist()
    assert (row["page_a"], row["page_b"]) == ("p. 2", None)


def test_a_workbook_has_all_tables_and_computes_nothing(tmp_path: Path) -> None:
    texts = [
        {"id": own, "title": "=1+1", "text": f"={STORY * 3}"} for own in ("=cmd()", "@b", "https://c")
    ]
    result = neardup.passages(texts, min_length=40)
    [path] = neardup.export(result, tmp_path / "a.xlsx", format="xlsx")
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == sorted(result.tables.names(), key=lambda name: name != "pairs")
    for name in ("documents", "pairs", "passages"):
        rows = list(book[name].iter_rows())
        heads = [cell.value for cell in rows[0]]
        assert len(rows) == len(result.table(name)) + 1
        assert not {cell.data_type for row in rows for cell in row} & {"f", "e"}
        assert not any(cell.hyperlink for row in rows for cell in row)
        ids = [row[heads.index("id" if "id" in heads else "id_a")].value for row in rows[1:]]
        assert set(ids) <= {"=cmd()", "@b", "https://c"}
    again = neardup.export(result, tmp_path / "b.xlsx", format="xlsx")
    assert again[0].read_bytes() == path.read_bytes()
    with pytest.raises(OutputError, match="this file is already there"):
        neardup.export(result, path, format="xlsx")


def test_what_excel_has_no_room_for_is_cut_or_refused(
    found: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pa.table({"text": ["x" * 40_000, HOSTILE], "number": [2**60, None], "list": [[1], None]})
    write_workbook([("t", table)], tmp_path / "a.xlsx")
    [_, first, second] = openpyxl.load_workbook(tmp_path / "a.xlsx")["t"].iter_rows(values_only=True)
    assert len(first[0]) == 32_767 and first[1:] == (str(2**60), "[1]")
    assert "é 𝄞" in second[0]
    monkeypatch.setattr("neardup.exports.tables.MOST_ROWS", 1)
    with pytest.raises(OutputError, match="no room for the 2 t"):
        write_workbook([("t", table)], tmp_path / "b.xlsx")
    assert not (tmp_path / "b.xlsx").exists()


@pytest.mark.parametrize("method", ["documents", "passages", "sentences"])
def test_graphs_have_all_pairs(found: Any, method: str, tmp_path: Path) -> None:
    result = found[method]
    graphml, gexf = tmp_path / "a.graphml", tmp_path / "a.gexf"
    neardup.export(result, graphml, format="graphml")
    neardup.export(result, gexf, format="gexf")
    expected = HOSTILE.replace("\x00", "\ufffd")
    root = ElementTree.parse(graphml).getroot()
    nodes = root.findall(f".//{GRAPHML}node")
    labels = [node.findtext(f"{GRAPHML}data[@key='node-label']") for node in nodes]
    assert labels == [expected, "b"]
    (edge,) = root.findall(f".//{GRAPHML}edge")
    assert (edge.get("source"), edge.get("target")) == ("n0", "n1")
    weight = float(str(edge.findtext(f"{GRAPHML}data[@key='edge-weight']")))
    pairs = result.pairs.to_pylist()
    across = [row for row in pairs if row["id_a"] != row["id_b"]]
    assert weight == (across[0]["similarity"] if "similarity" in across[0] else len(across))
    root = ElementTree.parse(gexf).getroot()
    assert [node.get("label") for node in root.iter(f"{GEXF}node")] == [expected, "b"]
    assert [float(str(edge.get("weight"))) for edge in root.iter(f"{GEXF}edge")] == [weight]
    declared = {each.get("id") for each in root.iter(f"{GEXF}attribute")}
    assert {each.get("for") for each in root.iter(f"{GEXF}attvalue")} <= declared


@pytest.mark.parametrize("method", ["documents", "passages", "sentences"])
def test_links_of_tei_lead_to_what_is_shared(found: Any, method: str, tmp_path: Path) -> None:
    result = found[method]
    (path,) = neardup.export(result, tmp_path / "a.xml", format="tei")
    root = ElementTree.parse(path).getroot()
    texts = {str(ab.get(XML_ID)): ab.text or "" for ab in root.iter(f"{TEI}ab")}
    assert list(texts.values()) == [str(row["text"]).replace("\x00", "\ufffd") for row in TEXTS[:2]]
    links = list(root.iter(f"{TEI}link"))
    assert len(links) == result.counts["passages" if method == "passages" else "pairs"]
    for link in links if method != "documents" else ():
        ranges = re.findall(r"#string-range\((\w+),(\d+),(\d+)\)", str(link.get("target")))
        parts = [texts[name][int(start) : int(start) + int(size)] for name, start, size in ranges]
        assert len(parts) == 2
        if link.get("type") == "identical":
            assert [part.split() for part in parts[:1]] == [part.split() for part in parts[1:]]


def test_families_are_an_apparatus_in_tei(found: Any, tmp_path: Path) -> None:
    result = found["passages"]
    (path,) = neardup.export(result, tmp_path / "a.xml", format="tei")
    root = ElementTree.parse(path).getroot()
    texts = {str(ab.get(XML_ID)): ab.text or "" for ab in root.iter(f"{TEI}ab")}
    readings = list(root.iter(f"{TEI}rdg"))
    assert len(readings) == result.witnesses.num_rows > 1
    assert len(list(root.iter(f"{TEI}app"))) == result.families.num_rows
    for reading in readings:
        [(name, start, size)] = re.findall(r"range\((\w+),(\d+),(\d+)\)", str(reading.get("source")))
        assert reading.get("wit") == f"#{name}"
        assert reading.text == texts[name][int(start) : int(start) + int(size)]


@pytest.mark.parametrize("name", ["all.xlsx", "net.GEXF", "net.graphml", "edition.tei"])
def test_the_format_is_the_one_that_the_name_ends_with(found: Any, name: str, tmp_path: Path) -> None:
    kind = name.rpartition(".")[2].lower()
    neardup.export(found["documents"], tmp_path / name)
    neardup.export(found["documents"], tmp_path / "said", format=kind)  # type: ignore[arg-type]
    assert (tmp_path / name).stat().st_size == (tmp_path / "said").stat().st_size
    neardup.export(found["documents"], tmp_path / "v1.2", tables="pairs")
    assert (tmp_path / "v1.2" / "pairs.csv").is_file()


def test_what_cannot_be_exported_is_refused(found: Any, tmp_path: Path) -> None:
    result = found["documents"]
    with pytest.raises(SettingsError, match="format must be one of"):
        neardup.export(result, tmp_path / "out", format="xls")  # type: ignore[arg-type]
    with pytest.raises(OutputError, match="has no sentences"):
        neardup.export(result, tmp_path / "out", tables="sentences")
    with pytest.raises(SettingsError, match="has no tables"):
        neardup.export(result, tmp_path / "out", format="gexf", tables="pairs")
    mine = tmp_path / "mine.gexf"
    mine.write_text("all my work")
    with pytest.raises(OutputError, match="not a gexf file of neardup"):
        neardup.export(result, mine, format="gexf")
    assert mine.read_text() == "all my work"
    assert not (tmp_path / "out").exists()
