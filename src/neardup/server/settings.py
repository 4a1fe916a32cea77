"""Where a server listens, who may ask, and how much."""

import re
from dataclasses import dataclass
from typing import get_args

from neardup.errors import SettingsError
from neardup.settings.base import in_range, one_of, raise_all
from neardup.store.database import Sync

TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,200}")


@dataclass(frozen=True)
class ServerSettings:
    """Where a server listens, who may ask, and how much.

    `max_body` are the bytes of a request, `max_text` the characters of a text to look up; `timeout` the
    seconds that an answer may take, `concurrency` how many are worked on or wait at a time. `sync` says
    when added documents are on the disk: with each request, or a tenth of a second later.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    max_body: int = 16 << 20
    max_text: int = 1_000_000
    timeout: float = 10.0
    concurrency: int = 64
    sync: Sync = "soon"

    def __post_init__(self) -> None:
        raise_all(
            [
                in_range("port", self.port, 0, 65_535),
                in_range("max_body", self.max_body, 1, 2**40),
                in_range("max_text", self.max_text, 1, 2**40),
                in_range("timeout", self.timeout, 0, 86_400, above=True),
                in_range("concurrency", self.concurrency, 1, 10_000),
                one_of("sync", self.sync, get_args(Sync)),
            ]
        )
        if self.token is not None and not TOKEN.fullmatch(self.token):
            hint = "Take 1 to 200 letters of a to z, digits, and any of . _ ~ + / = -"
            raise SettingsError("such a token cannot be sent in headers and addresses", hint=hint)
        if not self.is_local and not self.token:
            hint = "Give one with token=."
            raise SettingsError("a server that others can reach needs a token", hint=hint)

    @property
    def is_local(self) -> bool:
        """Return whether only this machine can reach the server."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Return whether an address is that of this machine, as it knows itself.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, False)
    """
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.\d+){3}", host) is not None
