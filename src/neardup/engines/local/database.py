"""Connections to DuckDB: one that a run is done with is kept for the next, as it takes long to make."""

import os
from collections.abc import Iterable, Mapping

import duckdb

Settings = Mapping[str, str | bool | int]
MOST_IDLE = 2
IDLE: dict[
    int, list[duckdb.DuckDBPyConnection]
] = {}  # by process: threads of DuckDB do not survive a fork


def connect(settings: Settings) -> duckdb.DuckDBPyConnection:
    """Return a connection with these settings."""
    idle = IDLE.get(os.getpid())
    if not idle:
        return duckdb.connect(config=dict(settings))
    connection = idle.pop()
    try:
        for name, value in settings.items():
            connection.execute(f"set {name} = '{value}'")
    except duckdb.Error:  # its temporary folder was written to, and stays what it is
        connection.close()
        return connect(settings)
    return connection


def leave(connection: duckdb.DuckDBPyConnection, names: Iterable[str]) -> None:
    """Keep a connection for another run, without the tables that are registered by these names."""
    for name in names:
        connection.unregister(name)
    idle = IDLE.setdefault(os.getpid(), [])
    if len(idle) < MOST_IDLE:
        idle.append(connection)
    else:
        connection.close()
