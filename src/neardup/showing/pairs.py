"""Pairs of documents in a terminal: the command that says more of one."""

from shlex import quote

from neardup.results.folder import ResultFolder


def explaining(result: ResultFolder, folder: str) -> list[str]:
    """Return the command that explains the first pair of a result, if it has any."""
    first = result.pairs.slice(0, 1).to_pylist()
    return [f"explain {folder} {quote(pair['id_a'])} {quote(pair['id_b'])}" for pair in first]
