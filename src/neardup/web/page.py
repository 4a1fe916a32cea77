"""Pages that need nothing else: no script, no network, nothing of the text taken for markup.

Text is escaped wherever it is put in; only `Html` goes in as it is.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; font-size: 0.9rem; margin: 1rem 0; }
th, td { padding: 0.2rem 0.7rem; text-align: right; border-bottom: 1px solid #8884; }
td { white-space: nowrap; }
th { vertical-align: bottom; } th:first-child, td:first-child { text-align: left; }
tr.strong td { font-weight: bold; }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { font-size: 0.9rem; opacity: 0.8; }
.small { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.wide { overflow-x: auto; }
svg { max-width: 100%; height: auto; }
"""


class Html(str):
    """Text that is HTML already."""


def html(value: object) -> Html:
    """Escape a text, unless it is HTML.

    >>> html("<b>"), html(Html("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    return value if isinstance(value, Html) else Html(escape(str(value)))


def element(tag: str, *content: object, kind: str = "") -> Html:
    """Put content between tags."""
    start = f'{tag} class="{kind}"' if kind else tag
    return Html(f"<{start}>{''.join(map(html, content))}</{tag}>")


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> Html:
    """Lay out rows; what is None stays empty."""
    heads = element("tr", *(element("th", name) for name in head))
    lines = (element("tr", *(element("td", "" if v is None else v) for v in row)) for row in rows)
    return element(
        "div", element("table", element("thead", heads), element("tbody", *lines)), kind="wide"
    )


def figure(svg: str, caption: str = "") -> Html:
    """Show a drawing, which is trusted, with some words below it."""
    return element("figure", Html(svg), element("figcaption", caption) if caption else "")


def small_figures(drawings: Iterable[str]) -> Html:
    """Show many drawings side by side."""
    return element("div", *(Html(svg) for svg in drawings), kind="small")


def section(title: str, *content: object) -> Html:
    """Put content under a heading."""
    return element("section", element("h2", title), *content)


def page(title: str, *content: object) -> str:
    """Return a whole page, whose policy forbids all but its own style."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{element('title', title)}<style>{STYLE}</style>"
    )
    body = element("body", element("h1", title), *content)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>{body}</html>\n'
