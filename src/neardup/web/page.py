"""Pages that need nothing else: no network, nothing of the text taken for markup.

Text is escaped wherever it is put in; only `Html` goes in as it is.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from neardup.web.words import language

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

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)


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
    whole = element("table", element("thead", heads), element("tbody", *lines))
    label = escape(str(next(filter(None, head), "")))  # of one that is so wide that keys scroll it
    return Html(f'<div class="wide" tabindex="0" role="group" aria-label="{label}">{whole}</div>')


def figure(svg: str, caption: str = "") -> Html:
    """Show a drawing, which is trusted, with some words below it."""
    return element("figure", Html(svg), element("figcaption", caption) if caption else "")


def small_figures(drawings: Iterable[str]) -> Html:
    """Show many drawings side by side."""
    return element("div", *(Html(svg) for svg in drawings), kind="small")


def section(title: str, *content: object) -> Html:
    """Put content under a heading."""
    return element("section", element("h2", title), *content)


def page(
    title: str,
    *content: object,
    style: str = STYLE,
    script: str = "",
    data: Mapping[str, str] | None = None,
    headed: bool = True,
    served: bool = False,
) -> str:
    """Return a whole page, whose policy forbids all but its own style and script.

    `data` are texts of letters and digits only, such as base64, that the script finds by their names.
    `headed` puts the title above the content. A page that is `served` may ask its own server.
    """
    code = f"script-src {digest(script)}; " if script else ""
    code += "connect-src 'self'; img-src data:; " if served else ""
    policy = f"default-src 'none'; style-src {digest(style)}; {code}base-uri 'none'; form-action 'none'"
    icon = '<link rel="icon" href="data:,">' if served else ""  # no other is asked for
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><meta name="generator" content="neardup">'
        f"{icon}{element('title', title)}<style>{style}</style>"
    )
    held = "".join(
        f'<script type="text/plain" id="{escape(name)}">{html(text)}</script>'
        for name, text in (data or {}).items()
    )
    code = f"<script>{script}</script>" if script else ""
    head_line = [element("h1", title)] if headed else []
    body = element("body", *head_line, *content, Html(held), Html(code))
    return f'<!DOCTYPE html>\n<html lang="{language()}"><head>{head}</head>{body}</html>\n'


def digest(text: str) -> str:
    """Return how a policy names a script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def visible(text: str) -> str:
    """Show characters that cannot be seen, or that change the direction of others, by their numbers.

    Lines may end as those of Windows do.

    >>> visible("a\\u202eb"), visible("one\\r\\ntwo\\rthree")
    ('a⟦U+202E⟧b', 'one\\ntwo⟦U+000D⟧three')
    """
    return UNSEEN.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", text.replace("\r\n", "\n"))
