"""Asks a server that runs in this process."""

import http.client
import json
import threading
from pathlib import Path
from typing import Any

from tests.corpora import DEMO

from neardup.server.run import Prepared, prepare
from neardup.server.settings import ServerSettings

STRANGE = ["a/b", "100%", "ü ?&#;+", "..", "<b>bold</b>", "a%2Fb", "東京", "tab\there"]
FORUM: list[dict[str, Any]] = [
    {
        "id": "egg",
        "title": "How do I boil an egg for breakfast?",
        "body": "I have water, a pot and a stove. How long does it take?",
        "answer": "Six minutes for a soft one.",
        "url": "https://forum.example/egg",
    },
    {
        "id": "<img src=x onerror=alert(1)>",
        "title": "Which tea is best with <b>milk</b> in it?",
        "body": "I have tried three kinds of it and liked none.",
        "answer": None,
        "url": "javascript:alert(2)",
    },
]


class Client:
    """Asks a server that runs in this process."""

    def __init__(self, prepared: Prepared) -> None:
        self.address = prepared.address
        self.port = int(prepared.address.rpartition(":")[2].strip("/"))
        self._prepared = prepared
        self._thread = threading.Thread(target=prepared.run)
        self._thread.start()

    def stop(self) -> None:
        self._prepared.server.should_exit = True
        self._thread.join(20)

    def send(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        kind = {} if data is None else {"Content-Type": "application/json"}
        connection.request(method, path, data, {**kind, **(headers or {})})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): v for name, v in answer.getheaders()}, content

    def json(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, Any]:
        status, _, content = self.send(method, path, body, **more)
        return status, json.loads(content)


def started(*targets: Path, read_only: bool = False, **limits: Any) -> Client:
    return Client(prepare(targets, ServerSettings(port=0, **limits), read_only))


def text_of(given: str) -> str:
    rows = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]
    return str(next(row["text"] for row in rows if row["id"] == given))
