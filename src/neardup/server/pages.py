"""The server's pages: plain frames, filled by scripts, with nothing from a text; and that of the API."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from fastapi import HTTPException
from fastapi.responses import Response

from neardup.web.page import visible
from neardup.web.viewer import STYLES, script, static
from neardup.web.words import language, say

Tabs = Sequence[tuple[str, str]]  # titles and addresses of pages
TITLED = (401, 404, 503)  # errors with titles of their own
SCRIPTS = ("search.js", "asked.js")
PAGE_STYLES = (*STYLES, "search.css")
ORDER = ("get", "post", "delete")


def static_file(name: str) -> Response:
    """Return one of the files that pages need."""
    if name not in (*SCRIPTS, *PAGE_STYLES):
        raise HTTPException(404)
    text, kind = (script(name), "text/javascript") if name in SCRIPTS else (static(name), "text/css")
    return Response(text, media_type=kind, headers={"Cache-Control": "max-age=300"})


def frame(title: str, body: str, name: str = "") -> str:
    """Return a page around a body, which is trusted, and the script of that name."""
    source = f'<script defer src="/static/{name}"></script>' if name else ""
    styles = "".join(f'<link rel="stylesheet" href="/static/{sheet}">' for sheet in PAGE_STYLES)
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        '<link rel="icon" href="data:,">'
        f"{styles}{source}</head><body>{body}</body></html>\n"
    )


def said(key: str) -> str:
    """Return words as a page has them."""
    return escape(say(key))


def filled(page: str) -> str:
    """Put words into a page, where their keys stand in braces."""
    return re.sub(r"\{([a-z.]+)\}", lambda found: said(found[1]), page)


def search_page(tabs: Tabs) -> str:
    """Return the page on which a text is looked up."""
    return frame(said("search.title"), navigation(tabs, "/") + filled(SEARCH), "search.js")


def asked_page(tabs: Tabs) -> str:
    """Return the page on which a new thread is looked up."""
    return frame(said("asked.title"), navigation(tabs, "/asked") + filled(ASKED), "asked.js")


def navigation(tabs: Tabs, current: str) -> str:
    """Return links to the other pages, if there are any."""
    if len(tabs) < 2:
        return ""
    links = "".join(
        f'<a href="{escape(address)}"{" aria-current=page" if address == current else ""}>'
        f"{escape(title)}</a>"
        for title, address in tabs
    )
    return f'<nav class="tabs" aria-label="{said("report.pages")}">{links}</nav>'


def error_page(status: int, what: str, hint: str | None = None) -> str:
    """Return an error as a page; what it says may come from a request."""
    title = said(f"error.{status if status in TITLED else 'other'}")
    words = [f"{what[:1].upper()}{what[1:]}", hint or ""]
    if status == 401:
        words = [say("error.token")]
    body = "".join(f"<p>{escape(visible(one))}</p>" for one in words if one)
    back = f'<p><a href="/">{said("error.back")}</a></p>' if status != 401 else ""
    return frame(title, f"<main><h1>{title}</h1>{body}{back}</main>")


SEARCH = """
<main>
<header class="top"><h1>{search.heading}</h1><p class="hint" id="about"></p></header>
<p id="notice" class="note" role="status" hidden></p>
<div id="home">
<form id="ask" class="ask">
<label for="text">{search.about}</label>
<textarea id="text" name="text" rows="9" autofocus dir="auto" spellcheck="false"
  placeholder="{search.placeholder}"></textarea>
<div class="tools">
<button type="submit">{search.submit}</button>
<label>{search.least}
<input id="threshold" type="number" min="0.05" max="1" step="0.05" value="0.7"></label>
<label><input id="live" type="checkbox" checked> {search.live}</label>
</div>
</form>
<p id="status" class="status" role="status" aria-live="polite"></p>
<div id="covered"></div>
<ol id="matches" class="matches"></ol>
</div>
<div id="page" hidden></div>
</main>
<noscript><p class="note">{needs.scripts}</p></noscript>
"""
ASKED = """
<main>
<header class="top"><h1>{asked.title}</h1><p class="hint" id="about"></p></header>
<p id="notice" class="note" role="status" hidden></p>
<div id="home">
<form id="ask" class="ask">
<p class="hint">{asked.about}</p>
<div id="fields"></div>
<div class="tools">
<button type="submit">{search.submit}</button>
<label>{asked.least}
<input id="least" type="number" min="0.05" max="1" step="0.05" value="0.3"></label>
<label><input id="live" type="checkbox" checked> {search.live}</label>
</div>
</form>
<p id="status" class="status" role="status" aria-live="polite"></p>
<ol id="matches" class="matches"></ol>
<section id="near" hidden><h2>{asked.near}</h2><p class="hint">{asked.near.about}</p>
<ol id="nearest" class="matches"></ol></section>
</div>
<div id="page" hidden></div>
</main>
<noscript><p class="note">{needs.scripts}</p></noscript>
"""


def description_page(openapi: Mapping[str, Any], tabs: Tabs) -> str:
    """Return the page of all requests that the server answers."""
    parts = "".join(
        request_part(path, method, own)
        for path, methods in openapi["paths"].items()
        for method, own in sorted(methods.items(), key=lambda item: ORDER.index(item[0]))
    )
    about = (
        "<p>Bodies and answers are JSON. Where a token is needed, send it as "
        "<code>Authorization: Bearer TOKEN</code>. For programs, the same is at "
        '<a href="/openapi.json">/openapi.json</a>.</p>'
    )
    said = escape(str(openapi["info"].get("description", "")).strip())
    body = f'<main class="api"><h1>The API</h1><p>{said}</p>{about}{parts}</main>'
    return frame("The API of neardup", navigation(tabs, "/api") + body)


def request_part(path: str, method: str, own: Mapping[str, Any]) -> str:
    """Describe one request."""
    head = f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
    said = f"<p>{escape(str(own.get('description', '')))}</p>"
    rows = "".join(field_rows(own))
    table = "<thead><tr><th>field</th><th>type</th><th>default</th><th>what it is</th></tr></thead>"
    fields = f'<div class="wide"><table>{table}<tbody>{rows}</tbody></table></div>' if rows else ""
    return f"<section>{head}{said}{fields}</section>"


def field_rows(own: Mapping[str, Any]) -> Iterator[str]:
    """Yield a row for each parameter and each field of the body."""
    for parameter in own.get("parameters", []):
        yield row(parameter["name"], parameter["schema"], parameter.get("required", False))
    content = own.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = content.get("schema", {})
    for name, field in schema.get("properties", {}).items():
        yield row(name, field, name in schema.get("required", []))
        for inner, more in field.get("items", {}).get("properties", {}).items():
            yield row(f"{name}[].{inner}", more, inner in field["items"].get("required", []))


def row(name: str, field: Mapping[str, Any], required: bool) -> str:
    """Describe one field."""
    default = "needed" if required else json.dumps(field.get("default"))
    cells = (type_of(field), default, str(field.get("description", "")))
    shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><td><code>{escape(name)}</code></td>{shown}</tr>"


def type_of(field: Mapping[str, Any]) -> str:
    """Say what a field may hold.

    >>> type_of({"anyOf": [{"type": "string"}, {"type": "null"}]}), type_of({"enum": ["a", "b"]})
    ('string or null', '"a", "b"')
    """
    if "anyOf" in field:
        return " or ".join(type_of(one) for one in field["anyOf"])
    if "enum" in field:
        return ", ".join(json.dumps(one) for one in field["enum"])
    return str(field.get("type", "any"))
