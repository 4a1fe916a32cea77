"""Starting the server: what is served, on which address, until it is stopped."""

import logging
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from neardup.errors import InputError, OutputError, SettingsError
from neardup.result import RUN
from neardup.settings import ServerSettings

BACKLOG = 256
KEEP_ALIVE = 30  # seconds
WAIT_AT_END = 5


def check_installed() -> None:
    """Say what to install if the server's libraries are not there."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        hint = "Install them with: pip install 'neardup[server]'"
        raise SettingsError("the server needs FastAPI and uvicorn", hint=hint) from None


def serve(
    targets: Sequence[Path],
    settings: ServerSettings,
    *,
    read_only: bool = False,
    ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve indexes and results until the process is told to stop; `ready` gets the address."""
    check_installed()
    import uvicorn

    from neardup.server.app import create_app

    parts = [part_of(target, settings, read_only) for target in targets]
    if len({part.name for part in parts}) < len(parts):
        raise SettingsError("one index and one result can be served at a time")
    with listening(settings) as listener:
        host, port = listener.getsockname()[:2]
        config = uvicorn.Config(
            create_app(parts, settings),
            log_level=logging.WARNING,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=WAIT_AT_END,
            limit_concurrency=4 * settings.concurrency + 64,
        )
        shown = f"[{host}]" if ":" in host else host
        ready(f"http://{shown}:{port}/")
        uvicorn.Server(config).run(sockets=[listener])


def part_of(target: Path, settings: ServerSettings, read_only: bool) -> "Part":  # type: ignore[name-defined]  # noqa: F821
    """Open something to be served: a folder is a result, a file an index."""
    if target.is_dir():
        from neardup.result import Result
        from neardup.server.result_part import ResultPart

        return ResultPart(Result(target))
    if not target.exists():
        hint = f"Give the file of an index, or a folder with {RUN}."
        raise InputError("there is no such index or result", where=str(target), hint=hint)
    from neardup.index import Index
    from neardup.server.index_part import IndexPart

    return IndexPart(Index(target, writable=not read_only), settings.max_text)


def listening(settings: ServerSettings) -> socket.socket:
    """Return a socket that listens on the server's address."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        hint = "Choose another one with --port or --host."
        where = f"{settings.host}:{settings.port}"
        raise OutputError(f"cannot listen there: {error.strerror}", where=where, hint=hint) from None
    return listener
