"""Reads a corpus with DuckDB and does nothing with it: no tool on this machine can be faster."""

import sys

import duckdb

if __name__ == "__main__":
    corpus, workers = sys.argv[1:]
    duckdb.sql(f"SET threads = {int(workers)}")
    row = duckdb.execute(
        "SELECT count(*), sum(strlen(text)) FROM read_json(?, format = 'newline_delimited', "
        "columns = {'id': 'VARCHAR', 'text': 'VARCHAR'}, maximum_object_size = 1073741824)",
        [corpus],
    ).fetchone()
    print(row)
