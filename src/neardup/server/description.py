"""The page that describes the API: what the OpenAPI description says, for people."""

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from neardup.server.pages import Tabs, frame, navigation

ORDER = ("get", "post", "delete")


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
