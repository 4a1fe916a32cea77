"""What Prometheus reads is what was answered."""

import re
from pathlib import Path

import pytest
from tests.corpora import prose
from tests.server.client import Client, started

from neardup import __version__
from neardup.index.online import Index

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)*)\})? (\S+)')


def figures(client: Client, token: str | None = None) -> dict[str, float]:
    """Read the format as it is described: comments, and a name, labels and a number a line."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    status, told, content = client.send("GET", "/metrics", headers=headers)
    assert status == 200 and told["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found, typed = {}, set()
    for line in content.decode().splitlines():
        if line.startswith("# TYPE "):
            assert line.split()[2] not in typed and line.split()[3] in ("counter", "gauge", "histogram")
            typed.add(line.split()[2])
        elif not line.startswith("# HELP "):
            name, labels, value = LINE.fullmatch(line).groups()  # type: ignore[union-attr]
            assert re.sub("_(bucket|sum|count)$", "", name) in typed or name in typed
            key = f"{name}{{{labels}}}" if labels else name
            assert key not in found
            found[key] = float(value)
    return found


@pytest.fixture
def index(tmp_path: Path) -> Path:
    with Index.build(tmp_path / "i.neardup", [{"id": "old", "text": prose(20, 1)}]):
        return tmp_path / "i.neardup"


def test_answers_are_counted_by_the_first_part_of_their_address(index: Path) -> None:
    client = started(index)
    try:
        for path in ("/documents/old", "/documents/nobody", "/documents/a%2Fb", "/made/up", "/etc"):
            client.send("GET", path)
        client.send("PATCH", "/documents/old")
        client.json("POST", "/query", {"text": prose(20, 1)})
        found = figures(client)
        again = figures(client)
    finally:
        client.stop()
    count = 'neardup_requests_total{path="%s",method="%s",status="%d"}'
    assert found[count % ("/documents", "GET", 200)] == 1
    assert found[count % ("/documents", "GET", 404)] == 2
    assert found[count % ("/documents", "other", 405)] == 1
    assert found[count % ("/query", "POST", 200)] == 1
    assert found[count % ("other", "GET", 404)] == 2
    assert not any("made" in name or "nobody" in name for name in found)
    assert again[count % ("/metrics", "GET", 200)] == 1
    assert found[f'neardup_info{{version="{__version__}"}}'] == 1
    assert found["neardup_index_documents"] == found["neardup_index_writable"] == 1
    size = sum(path.stat().st_size for path in index.iterdir())
    assert found["neardup_index_bytes"] >= size > 0
    assert found["neardup_requests_running"] == 1
    assert again["process_cpu_seconds_total"] >= found["process_cpu_seconds_total"] > 0
    assert found["process_resident_memory_bytes"] > 10_000_000


def test_seconds_are_a_histogram_that_only_grows(index: Path) -> None:
    client = started(index)
    try:
        for n in range(5):
            client.json("POST", "/query", {"text": prose(20, n)})
        found = figures(client)
    finally:
        client.stop()
    buckets = [
        v for k, v in found.items() if k.startswith('neardup_request_seconds_bucket{path="/query"')
    ]
    assert len(buckets) == 12 and buckets == sorted(buckets) and buckets[-1] == 5
    assert found['neardup_request_seconds_count{path="/query"}'] == 5
    assert 0 < found['neardup_request_seconds_sum{path="/query"}'] < 60


def test_without_the_token_nothing_is_told_but_that_the_server_is_there(index: Path) -> None:
    client = started(index, token="sesame")
    try:
        assert client.send("GET", "/metrics")[0] == 401
        assert client.json("GET", "/healthz") == (200, {"status": "ok"})
        wrong = {"Authorization": "Bearer sesamo"}
        assert client.json("GET", "/healthz", headers=wrong) == (200, {"status": "ok"})
        known = {"Authorization": "Bearer sesame"}
        told = client.json("GET", "/healthz", headers=known)[1]
        assert told["index"]["documents"] == 1 and told["version"] == __version__
        found = figures(client, "sesame")
    finally:
        client.stop()
    assert found['neardup_requests_total{path="/metrics",method="GET",status="401"}'] == 1
