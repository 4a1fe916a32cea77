"""Bodies of requests: read and checked beside the event loop, described for programs."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)
BULK = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")
HALF = ("surrogate", "unexpected end of hex escape")  # how it is said that a character is half there


def parsed(model: type[Model], body: bytes) -> Model:
    """Read a body; what is wrong first is said."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first: dict[str, Any] = {**error.errors(include_url=False, include_input=False)[0]}
        if first["type"] == "json_invalid" and any(sign in first["ctx"]["error"] for sign in HALF):
            first = {"type": "value_error", "loc": (), "msg": "this is not valid Unicode"}
        raise RequestValidationError([first]) from None


def is_bulk(kind: str) -> bool:
    """Return whether a body is one of lines, by its Content-Type."""
    return kind.partition(";")[0].strip().lower() in BULK


def described(model: type[BaseModel], line: type[BaseModel] | None = None) -> dict[str, Any]:
    """Return how the API's description shows a body; FastAPI reads only what it parses itself.

    A body may also have a `line` of another kind each.
    """
    content = {"application/json": {"schema": inlined(model.model_json_schema())}}
    if line is not None:
        content[BULK[0]] = {"schema": inlined(line.model_json_schema())}
    return {"requestBody": {"required": True, "content": content}}


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Put the parts of a schema where they are named."""
    parts = schema.pop("$defs", {})

    def put(value: object) -> Any:
        if isinstance(value, Mapping):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            return put(parts[name]) if name else {key: put(own) for key, own in value.items()}
        return [put(own) for own in value] if isinstance(value, list) else value

    found: dict[str, Any] = put(schema)
    return found


def gone(request: Request) -> Callable[[], Awaitable[None]]:
    """Return what waits until the client of a request, whose body was read, has left."""

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    return left


def wants_html(accept: str) -> bool:
    """Return whether a browser asks for a page, and not a program for JSON.

    >>> wants_html("text/html,application/xhtml+xml"), wants_html("*/*")
    (True, False)
    """
    return "text/html" in accept
