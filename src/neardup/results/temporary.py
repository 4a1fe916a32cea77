"""Results that nobody named a folder for."""

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from neardup.durable import delete_temporary, temporary_folder
from neardup.storage import on_disk


@contextmanager
def result_folder(output: str | Path | None) -> Iterator[Path]:
    """Give the folder for a result: the one named, or one in a new temporary folder."""
    if output is not None:
        yield on_disk(output)
        return
    temporary = temporary_folder()
    try:
        yield temporary / "result"
    except BaseException:
        delete_temporary(temporary)
        raise


def delete_with(result: Any, folder: Path) -> None:
    """Delete a temporary folder when the result that lives in it is gone."""
    weakref.finalize(result, delete_temporary, str(folder))
