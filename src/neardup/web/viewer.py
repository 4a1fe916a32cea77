"""The viewer: scripts and styles that show tables and pairs, in a report or from a server."""

import json
from importlib.resources import files

from neardup.web.words import all_words

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
    """Return one of the viewer's files; `words.js` has the words in it."""
    text = (files("neardup.web") / "static" / name).read_text(encoding="utf-8")
    if name != "words.js":
        return text
    return text.replace("WORDS", json.dumps(all_words(), ensure_ascii=False).replace("</", "<\\/"), 1)


def style() -> str:
    """Return the style of the viewer."""
    return "".join(map(static, STYLES))
