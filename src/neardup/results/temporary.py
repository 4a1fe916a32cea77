"""Results that nobody named a folder for."""

import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def result_folder(output: str | Path | None) -> Iterator[Path]:
    """Give the folder for a result: the one named, or one in a new temporary folder."""
    if output is not None:
        yield Path(output)
        return
    temporary = Path(tempfile.mkdtemp(prefix="neardup-"))
    try:
        yield temporary / "result"
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def delete_with(result: Any, folder: Path) -> None:
    """Delete a temporary folder when the result that lives in it is gone."""
    weakref.finalize(result, shutil.rmtree, str(folder), ignore_errors=True)
