"""A result in other formats: nothing is lost, and what reads them finds what was there."""

import csv
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest

import neardup
from neardup.errors import OutputError, SettingsError

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
