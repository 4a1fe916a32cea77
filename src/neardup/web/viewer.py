"""The viewer: scripts and style that show tables and pairs, in a report or from a server."""

from importlib.resources import files

SCRIPTS = ("dom.js", "table.js", "pair.js", "threshold.js")  # each may use those before it
STYLE = "viewer.css"


def static(name: str) -> str:
    """Return one of the viewer's files."""
    return (files("neardup.web") / "static" / name).read_text(encoding="utf-8")
