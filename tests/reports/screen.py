"""What is on the screen of a report, and how one gets there; a result of very many pairs."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from neardup.engines.parquet import write_table
from neardup.result import Result
from neardup.results.files import RUN, write_json


def at(page: Any, address: str) -> None:
    """Go to an address of the report."""
    page.evaluate("address => { location.hash = address; }", address)


def wait_for_rows(page: Any) -> None:
    """Wait until what was asked for is drawn, which is in the next frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def rows(page: Any, table: str = "#panel-pairs") -> list[list[str]]:
    """Return the cells of the rows in sight, from top to bottom."""
    wait_for_rows(page)
    found = page.locator(f"{table} .rows .row:not([hidden])").evaluate_all(
        "rows => rows.map(r => [Number(r.getAttribute('aria-rowindex')), "
        "...[...r.children].map(c => (c.querySelector('.id') || c).textContent)])"
    )
    return [row[1:] for row in sorted(found)]


def counted(page: Any, table: str = "#panel-pairs") -> str:
    return str(page.locator(f"{table} .total").text_content())


def wait_for_count(page: Any, text: str, table: str = "#panel-pairs") -> None:
    page.wait_for_function(
        "([table, text]) => document.querySelector(`${table} .total`).textContent === text",
        arg=[table, text],
    )


def open_pair(page: Any, words: str) -> None:
    """Open the pair of the demo corpus that some words find."""
    page.get_by_label("Search pairs").fill(words)
    page.wait_for_function(
        "() => / of 17 /.test(document.querySelector('#panel-pairs .total').textContent)"
    )
    wait_for_rows(page)
    page.locator("#panel-pairs .rows .row:not([hidden])").first.click()
    page.locator("#page mark").first.wait_for()


def where(page: Any, number: int) -> str:
    return str(page.locator("#page .walk .where").nth(number).text_content())


def many_pairs(folder: Path, number: int) -> Result:
    """Write a result of so many pairs, without texts."""
    docs = 2 * number
    counting = range(docs)
    documents = pa.table(
        {
            "doc": pa.array(counting, pa.int64()),
            "id": [f"doc-{i * 7919 % docs:06}" for i in counting],
            "source": [f"part-{i % 7}.jsonl" for i in counting],
            "position": pa.array([i + 1 for i in counting], pa.int64()),
            "length": pa.array([500 + i % 3000 for i in counting], pa.int64()),
            "title": [f"The title of document {i}" for i in counting],
            "same_as": pa.array(counting, pa.int64()),
        }
    )
    similarity = [0.7 + (i * 37 % 3001) / 10_000 for i in range(number)]
    a, b = list(range(0, docs, 2)), list(range(1, docs, 2))
    pairs = pa.table(
        {
            "id_a": documents["id"].take(pa.array(a)),
            "id_b": documents["id"].take(pa.array(b)),
            "similarity": similarity,
            "containment_a": similarity,
            "containment_b": similarity,
            "kind": ["identical" if s == 1 else "near-duplicate" for s in similarity],
            "doc_a": pa.array(a, pa.int64()),
            "doc_b": pa.array(b, pa.int64()),
        }
    )
    members = pa.table(
        {
            "cluster": pa.array([i // 2 for i in counting], pa.int64()),
            "id": documents["id"],
            "keeper_id": documents["id"].take(pa.array([i - i % 2 for i in counting])),
            "similarity": [1.0 if i % 2 == 0 else similarity[i // 2] for i in counting],
            "lowest": [similarity[i // 2] for i in counting],
            "size": pa.array([2] * docs, pa.int64()),
            "doc": documents["doc"],
        }
    )
    folder.mkdir(parents=True)
    for name, table in (("documents", documents), ("pairs", pairs), ("clusters", members)):
        write_table(folder / f"{name}.parquet", table.schema, table.to_batches())
    settings = {
        "threshold": 0.7,
        "measure": "resemblance",
        "shingle": "word:5",
        "clusters": "star",
        "keep": "first",
    }
    counts = {
        "documents": docs,
        "records": docs,
        "pairs": number,
        "clusters": number,
        "duplicates": number,
    }
    run = {"method": "documents", "settings": settings, "versions": {"neardup": "0"}, "counts": counts}
    write_json(folder / RUN, {**run, "input": {"kind": "memory"}})
    return Result(folder)
