"""What every reader must do: one body over all that are listed; what tables can do beyond that."""

import gzip
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.readers.examples import EXAMPLES, put
from tests.readers.samples import (
    DOCUMENTS,
    OWN_PACKING,
    PACKINGS,
    SETTINGS,
    TABLES,
    Make,
    packed,
    rows_of,
)

from neardup.errors import InputError
from neardup.readers import READERS, arrow, formats, jsonl, parquet
from neardup.readers.columns import check_fields
from neardup.readers.file import File
from neardup.readers.files import find
from neardup.readers.reader import Reader
from neardup.readers.records import Decisions, ReaderSettings, records_schema
from neardup.readers.source import FileSource
from neardup.store.files import MANIFEST

CASES = [(k, p) for k in TABLES for p in PACKINGS if not (p and k in OWN_PACKING)]


def texts_of(path: Path) -> list[str]:
    return [row["text"] for row in rows_of(path)]


class Case(NamedTuple):
    """A listed reader with a file to read."""

    reader: Reader
    path: Path
    texts: tuple[str, ...]

    @property
    def file(self) -> File:
        return find([self.path])[0]

    def rewritten(self, decided: Decisions) -> tuple[Path, int]:
        """Return a copy with what was decided, and what the reader says of its records."""
        target = self.path.with_name("copy" + "".join(self.path.suffixes))
        return target, self.reader.rewrite(self.file, target, decided, SETTINGS)


@pytest.fixture(params=READERS)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    """Return each reader of the list; one that is new needs an example first."""
    name, data, texts = EXAMPLES[request.param]
    put(tmp_path / name, data)
    return Case(import_module(request.param).READER, tmp_path / name, texts)


def test_a_reader_is_found_by_suffix_and_content(case: Case) -> None:
    assert formats.reader_of(case.file) is case.reader
    unnamed = case.path.rename(case.path.with_name("unnamed"))
    found = formats.reader_of(find([unnamed])[0])
    known = case.reader.begins or unnamed.is_dir()
    assert found is (case.reader if known else formats._loaded(tuple(READERS))[-1])
    assert case.reader.begins or case.reader.suffixes


def test_a_reader_reads_its_texts_in_order(case: Case) -> None:
    assert tuple(texts_of(case.path)) == case.texts
    assert FileSource.open([case.path], SETTINGS).holds_gil == case.reader.holds_gil


def test_a_reader_reads_each_record_once_however_a_file_is_cut(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(case.reader.read.__module__)
    for name in {"SPLIT_BYTES", "SPLIT_PACKED"} & set(vars(module)):
        monkeypatch.setattr(module, name, 50)
    ranges = case.reader.splits(case.file, SETTINGS)
    assert ranges[0][0] == 0
    assert [begin for begin, _ in ranges[1:]] == [end for _, end in ranges[:-1]]
    assert tuple(texts_of(case.path)) == case.texts


def test_a_reader_reads_what_is_packed(case: Case) -> None:
    if case.reader.needs_end:
        pytest.skip("these are compressed inside")
    for packing in PACKINGS[1:]:
        path = case.path.with_name(f"{case.path.name}.{packing}")
        path.write_bytes(packed(case.path.read_bytes(), packing))
        assert tuple(texts_of(path)) == case.texts, packing


def test_a_reader_says_of_which_types_its_own_columns_are(case: Case) -> None:
    settings = replace(SETTINGS, headings=True, revisions=True, citations=True)
    _, types = case.reader.look(case.file, settings)
    assert set(case.reader.carries) <= set(types)
    source = FileSource.open([case.path], settings)
    assert set(case.reader.carries) <= set(source.schema.names)


def test_fields_that_are_there_are_named_as_they_would_be_given() -> None:
    with pytest.raises(InputError) as refused:
        check_fields(["id", "title", "body"], ["title", "body", "answer"], "a.jsonl")
    assert "with fields=, such as 'title=0.5,body=0.5'" in str(refused.value.hint)


def test_a_reader_refuses_fields_that_its_files_do_not_have(case: Case) -> None:
    if case.path.suffix == ".html":
        pytest.skip("the text of a page may stand for any field")
    with pytest.raises(InputError, match="no field 'nowhere'"):
        case.reader.look(case.file, ReaderSettings(fields=("nowhere",)))


def test_a_reader_copies_what_is_kept(case: Case) -> None:
    target, count = case.rewritten(Decisions())
    assert (tuple(texts_of(target)), count) == (case.texts, len(case.texts))
    keep = np.arange(len(case.texts)) > 0
    shutil.rmtree(target) if target.is_dir() else target.unlink()
    target, count = case.rewritten(Decisions(keep))
    assert count == len(case.texts) - 1
    assert tuple(texts_of(target)) == case.texts[1:] if count else not target.exists()


def test_a_reader_puts_in_another_text_if_it_cuts(case: Case) -> None:
    if not case.reader.cuts:
        pytest.skip("dedup refuses it")
    target, _ = case.rewritten(Decisions(texts={0: "Another text."}))
    assert texts_of(target) == ["Another text.", *case.texts[1:]]


def test_a_reader_writes_notes_if_it_annotates(case: Case) -> None:
    if not case.reader.annotates:
        pytest.skip("dedup refuses it")
    target, _ = case.rewritten(Decisions(notes={1: {"cluster": 7}}))
    rows = rows_of(target, ReaderSettings(columns=("neardup_cluster",)))
    assert [row["neardup_cluster"] and int(row["neardup_cluster"]) for row in rows] == [None, 7, None]
    assert tuple(row["text"] for row in rows) == case.texts


def test_a_reader_says_what_is_wrong_with_a_broken_file(case: Case) -> None:
    path = case.path / MANIFEST if case.path.is_dir() else case.path
    data = path.read_bytes()
    for broken in (data[: len(data) // 2], data[: len(data) // 2] + b"\xff\x00\xfe" * 20, data[1:]):
        path.write_bytes(broken)
        rows = rows_of(case.path)
        assert all((row["text"] is None) == (row["problem"] is not None) for row in rows)
        assert rows or not case.reader.needs_end


def test_no_suffix_belongs_to_two_readers() -> None:
    suffixes = [s for reader in formats._loaded(tuple(READERS)) for s in reader.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)
    assert len(set(READERS.values())) == len(READERS)


@pytest.mark.parametrize(
    ("head", "called"),
    [
        ('{"text": "a"}\n{"text": "b"}\n', "JSONL"),
        ('\ufeff \n{"text": "a"} \r\n', "JSONL"),
        ('{"text": "a", bad}\n', "JSONL"),
        ('{"text": "far too long to see its end', "JSONL"),
        ('{\n"text": "a"}\n', "JSON"),
        ('{"text": "a",\n"id": 5}\n', "JSON"),
        ('[{"text": "a"}]', "JSON"),
        ("{5}\n", "text"),
    ],
)
def test_json_lines_are_told_from_other_json(tmp_path: Path, head: str, called: str) -> None:
    (tmp_path / "unnamed").write_text(head, encoding="utf-8")
    reader = formats.reader_of(find([tmp_path / "unnamed"])[0])
    assert formats.those_that(lambda one: one is reader) == called


def test_the_list_is_light_and_readers_load_no_other_library() -> None:
    heavy = "numba", "resiliparse", "fastwarc", "pandas", "duckdb"
    code = f"""
import sys
from neardup.readers import READERS
assert "pyarrow" not in sys.modules
from neardup.readers import formats, source
formats.those_that(lambda reader: reader.cuts)
print(*set({heavy}) & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


@pytest.fixture
def small_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (jsonl, parquet, arrow):
        monkeypatch.setattr(module, "SPLIT_BYTES", 40)


@pytest.mark.parametrize(("kind", "packing"), CASES)
def test_texts_ids_and_order_come_back(make: Make, kind: str, packing: str) -> None:
    rows = rows_of(make(kind, DOCUMENTS, packing))
    assert [{"id": r["id"], "text": r["text"]} for r in rows] == DOCUMENTS
    assert all(row["problem"] is None for row in rows)


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "arrow"])
def test_splits_cover_all_records_once(make: Make, kind: str, small_splits: None) -> None:
    source = FileSource.open([make(kind, DOCUMENTS)], SETTINGS)
    splits = source.splits()
    assert len(splits) > 1
    rows = [row for split in splits for b in source.read(split) for row in b.to_pylist()]
    assert [row["id"] for row in rows] == [d["id"] for d in DOCUMENTS]
    numbers = [row["doc"] for row in rows]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(("kind", "packing"), CASES)
def test_rewrite_keeps_what_is_kept(make: Make, tmp_path: Path, kind: str, packing: str) -> None:
    file = find([make(kind, DOCUMENTS, packing)])[0]
    target = tmp_path / ("out" + "".join(Path(file.path).suffixes))
    keep = np.array([True, False, True, False, True])
    assert formats.reader_of(file).rewrite(file, target, Decisions(keep), SETTINGS) == 3
    assert [r["id"] for r in rows_of(target)] == ["a1", "a3", "a5"]
    assert find([target])[0].packing() == (packing or None)
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(("kind", "packing"), CASES)
def test_rewrite_adds_notes(make: Make, tmp_path: Path, kind: str, packing: str) -> None:
    file = find([make(kind, DOCUMENTS, packing)])[0]
    target = tmp_path / ("out" + "".join(Path(file.path).suffixes))
    notes = {1: {"cluster": 7, "keeper": "a, 1", "similarity": 0.5}}
    reader = formats.reader_of(file)
    assert reader.annotates
    assert reader.rewrite(file, target, Decisions(notes=notes), SETTINGS) == 5
    names = ("neardup_cluster", "neardup_keeper", "neardup_similarity")
    rows = rows_of(target, ReaderSettings(columns=names))
    assert [r["text"] for r in rows] == [d["text"] for d in DOCUMENTS]
    assert [str(rows[1][name]) for name in names] == ["7", "a, 1", "0.5"]
    assert [rows[0][name] for name in names] == [None, None, None]
    again = tmp_path / ("again" + "".join(Path(file.path).suffixes))
    file = find([target])[0]
    assert reader.rewrite(file, again, Decisions(notes={0: notes[1]}), SETTINGS) == 5
    rows = rows_of(again, ReaderSettings(columns=names))
    assert [rows[1][name] for name in names] == [None, None, None]
    assert str(rows[0][names[0]]) == "7"


def test_line_breaks_inside_strings_of_an_array_do_not_count_when_it_is_copied(tmp_path: Path) -> None:
    """JSON does not allow them; who reads them as spaces must do so again."""
    texts = ["first\r\nline", "second", "third\nline", "fourth"]
    elements = [f'{{"id": "{n}",\n "text": "{text}"}}' for n, text in enumerate(texts)]
    path = tmp_path / "a.json"
    path.write_text(f"[\n{(',' + chr(10)).join(elements)}\n]\n", newline="")
    file, target = find([path])[0], tmp_path / "out.json"
    reader = formats.reader_of(file)
    assert [row["text"] for row in rows_of(path)] == ["first  line", "second", "third line", "fourth"]
    assert reader.rewrite(file, target, Decisions(np.array([True, False, False, True])), SETTINGS) == 2
    assert [row["id"] for row in rows_of(target)] == ["0", "3"]
    notes = {2: {"cluster": 7}}
    assert reader.rewrite(file, target, Decisions(notes=notes), SETTINGS) == 4
    rows = rows_of(target, ReaderSettings(columns=("neardup_cluster",)))
    assert [row["neardup_cluster"] for row in rows] == [None, None, 7, None]


@pytest.mark.parametrize("kind", TABLES)
def test_rewriting_all_changes_no_text(make: Make, tmp_path: Path, kind: str) -> None:
    path = make(kind, DOCUMENTS)
    file = find([path])[0]
    target = tmp_path / f"out.{kind}"
    assert formats.reader_of(file).rewrite(file, target, Decisions(), SETTINGS) == 5
    assert rows_of(target)[2]["text"] == DOCUMENTS[2]["text"]
    if kind in ("jsonl", "csv", "tsv"):
        assert target.read_bytes() == path.read_bytes()


def test_parquet_keeps_schema_metadata_and_codecs(tmp_path: Path) -> None:
    schema = pa.schema(
        [("text", pa.large_string()), ("tags", pa.list_(pa.string())), ("n", pa.int16())],
        {"own": "metadata"},
    )
    rows = [{"text": f"document {i}", "tags": ["x", "y"], "n": i} for i in range(10)]
    path, target = tmp_path / "a.parquet", tmp_path / "b.parquet"
    codecs = {"text": "zstd", "tags.list.element": "gzip", "n": "none"}
    pq.write_table(pa.Table.from_pylist(rows, schema), path, compression=codecs)
    file = find([path])[0]
    keep = np.arange(10) % 2 == 0
    assert parquet.rewrite(file, target, Decisions(keep), SETTINGS) == 5
    new = pq.ParquetFile(target)
    assert new.schema_arrow.equals(pq.read_schema(path), check_metadata=True)
    assert new.schema_arrow.metadata == {b"own": b"metadata"}
    group = new.metadata.row_group(0)
    assert [group.column(i).compression for i in range(3)] == ["ZSTD", "GZIP", "UNCOMPRESSED"]
    assert new.read()["n"].to_pylist() == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("codec", [None, "zstd", "lz4"])
def test_arrow_files_keep_their_codec(tmp_path: Path, codec: str | None) -> None:
    path, target = tmp_path / "a.arrow", tmp_path / "b.arrow"
    table = pa.table({"text": ["the same words over and over " * 50] * 50})
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.ipc.new_file(path, table.schema, options=options) as writer:
        writer.write_table(table)
    file = find([path])[0]
    assert arrow.rewrite(file, target, Decisions(), SETTINGS) == 50
    assert arrow._codec(find([target])[0]) == arrow._codec(file) == codec


def test_text_of_any_string_type(tmp_path: Path) -> None:
    values = ["one", "two", None]
    arrays = {
        "large": pa.array(values, pa.large_string()),
        "dictionary": pa.array(values).dictionary_encode(),
        "binary": pa.array([v and v.encode() for v in values], pa.binary()),
        "view": pa.array(values, pa.string_view()),
    }
    for name, array in arrays.items():
        path = tmp_path / f"{name}.arrow"
        with pa.ipc.new_file(path, pa.schema([("text", array.type)])) as writer:
            writer.write_table(pa.table({"text": array}))
        rows = rows_of(path)
        assert [r["text"] for r in rows] == values, name
        assert rows[2]["problem"] == "no text"


@pytest.mark.parametrize("kind", ["jsonl", "json", "parquet", "arrow", "arrows"])
def test_nested_columns_by_dotted_name(make: Make, kind: str) -> None:
    rows = [{"doc": {"body": f"text {i}", "key": i}, "meta": {"n": {"m": i * 2}}} for i in range(3)]
    settings = ReaderSettings("doc.body", "doc.key", columns=("meta.n.m",))
    found = rows_of(make(kind, rows), settings)
    assert [(r["text"], r["id"], r["meta.n.m"]) for r in found] == [
        ("text 0", "0", 0),
        ("text 1", "1", 2),
        ("text 2", "2", 4),
    ]


@pytest.mark.parametrize("kind", TABLES)
def test_batches_are_bounded(make: Make, kind: str) -> None:
    rows = [{"text": f"{i} " + "x" * 1_000_000} for i in range(10)]
    source = FileSource.open([make(kind, rows)], SETTINGS)
    batches = [b for split in source.splits() for b in source.read(split)]
    assert sum(batch.num_rows for batch in batches) == 10
    assert max(batch["text"].nbytes for batch in batches) < 6 << 20


def test_compression_is_told_by_the_bytes(tmp_path: Path) -> None:
    lying = tmp_path / "a.jsonl"
    lying.write_bytes(gzip.compress(b'{"text": "packed"}\n'))
    plain = tmp_path / "b.jsonl.gz"
    plain.write_bytes(b'{"text": "not packed"}\n')
    assert texts_of(lying) == ["packed"]
    assert texts_of(plain) == ["not packed"]


@pytest.mark.parametrize("kind", TABLES)
def test_format_is_told_by_the_bytes(make: Make, tmp_path: Path, kind: str) -> None:
    if kind in ("csv", "tsv"):
        pytest.skip("these look like plain text")
    path = make(kind, DOCUMENTS).rename(tmp_path / "noname")
    assert [r["id"] for r in rows_of(path)] == [d["id"] for d in DOCUMENTS]


def test_schema_has_no_column_twice() -> None:
    schema = records_schema({"id": pa.int64(), "url": pa.int64(), "year": pa.int64()})
    assert schema.names == ["id", "text", "title", "url", "date", "year", "problem", "detail"]
    assert schema.field("id").type == pa.string()
