"""A server that speaks S3, on loopback."""

import logging
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

BUCKET = "corpora"


@contextmanager
def served() -> Iterator[str]:
    """Start a server with a bucket, known to Arrow by the usual variables; yield its address."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    known = {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": "name",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    before = {name: os.environ.get(name) for name in known}
    os.environ.update(known)
    urllib.request.urlopen(urllib.request.Request(f"{url}/{BUCKET}", method="PUT"))
    try:
        yield f"s3://{BUCKET}"
    finally:
        server.stop()
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
