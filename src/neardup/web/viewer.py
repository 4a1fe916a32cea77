"""The viewer: scripts and styles that show tables and pairs, in a report or from a server."""

from importlib.resources import files

# each may use those before it
PAIR_SCRIPTS = ("words.js", "dom.js", "text.js", "rows.js", "ribbon.js", "pair.js", "document.js")
REPORT_SCRIPTS = (
    *PAIR_SCRIPTS,
    "send.js",
    "store.js",
    "groups.js",
    "address.js",
    "marks.js",
    "table.js",
    "threshold.js",
    "graph.js",
    "cluster.js",
    "overview.js",
    "report.js",
)
STYLES = ("base.css", "viewer.css")


def static(name: str) -> str:
    """Return one of the viewer's files."""
    return (files("neardup.web") / "static" / name).read_text(encoding="utf-8")


def style() -> str:
    """Return the style of the viewer."""
    return "".join(map(static, STYLES))
