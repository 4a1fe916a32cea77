"""Starting the server: what is served, on which address, until it is stopped."""

import logging
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from neardup.errors import InputError, OutputError, SettingsError
from neardup.result import Result
from neardup.results.files import RUN
from neardup.server.settings import ServerSettings
from neardup.store.files import is_index

if TYPE_CHECKING:
    from uvicorn import Server

    from neardup.server.app import Part

BACKLOG = 256
KEEP_ALIVE = 30  # seconds
WAIT_AT_END = 5
UNSENT = 64 << 10  # bytes of an answer that wait in the system to be sent


class Prepared(NamedTuple):
    """A server that is ready to run, and its address."""

    server: "Server"
    listener: socket.socket
    address: str

    def run(self) -> None:
        """Answer until the server is told to stop."""
        with self.listener:
            self.server.run(sockets=[self.listener])


def check_installed() -> None:
    """Say what to install if the server's libraries are not there."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        hint = "Install them in neardup's folder with: pip install '.[server]'"
        raise SettingsError("the server needs FastAPI and uvicorn", hint=hint) from None


def prepare(
    targets: Sequence[Path],
    settings: ServerSettings,
    read_only: bool = False,
    moved: Sequence[str] | None = None,
) -> Prepared:
    """Open indexes and results, and listen: clients wait until the server runs.

    `moved` is where the files of a result's input are now.
    """
    check_installed()
    import uvicorn

    from neardup.server.app import create_app
    from neardup.server.connections import bounded

    # a result first: it knows what was found in its pairs, an index compares any two
    ordered = sorted(targets, key=is_index)
    parts: list[Part] = []
    try:
        for target in ordered:
            parts += parts_of(target, settings, read_only, moved)
        if len({part.name for part in parts}) < len(parts):
            raise SettingsError("one index and one result can be served at a time")
        listener = listening(settings)
    except BaseException:
        for part in parts:
            part.close()
        raise
    config = uvicorn.Config(
        create_app(parts, settings),
        http=bounded(settings.timeout, 4 * settings.concurrency + 64),
        ws="none",
        log_level=logging.WARNING,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=WAIT_AT_END,
    )
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return Prepared(uvicorn.Server(config), listener, f"http://{shown}:{port}/")


def parts_of(
    target: Path, settings: ServerSettings, read_only: bool, moved: Sequence[str] | None = None
) -> list["Part"]:
    """Open something to be served, a result or an index; threads can be asked, too."""
    if target.is_dir() and not is_index(target):
        from neardup.server.result_part import ResultPart

        result = Result(target, input=moved)
        parts: list[Part] = [ResultPart(result, read_only)]
        if result.own_method.can_be_asked:
            from neardup.server.asked_part import AskedPart

            parts.append(AskedPart(result, settings.max_text, read_only, settings.sync))
        return parts
    if not target.exists():
        hint = f"Give the folder of an index, or one with {RUN}."
        raise InputError("there is no such index or result", where=str(target), hint=hint)
    from neardup.index.online import Index
    from neardup.server.index_part import IndexPart

    return [IndexPart(Index(target, not read_only, sync=settings.sync), settings.max_text)]


def listening(settings: ServerSettings) -> socket.socket:
    """Return a socket that listens on the server's address."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # else the system takes megabytes, and nobody sees them go
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        hint = "Choose another one with port= or host=."
        where = f"{settings.host}:{settings.port}"
        raise OutputError(f"cannot listen there: {error.strerror}", where=where, hint=hint) from None
    return listener
