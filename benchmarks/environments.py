"""A virtual environment for each rival, made once and kept in the cache folder."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path


class UnavailableError(Exception):
    """A rival cannot be installed here."""


@dataclass(frozen=True)
class Rival:
    """What a rival needs: its pinned packages and the oldest Python that they accept."""

    requirements: tuple[str, ...]
    python: tuple[int, int] = (3, 10)

    @property
    def version(self) -> str:
        """The version of the tool itself, which comes first."""
        return self.requirements[0].rpartition("=")[2]


RIVALS = {
    "text-dedup": Rival(("text-dedup==0.4.1",), python=(3, 12)),
    "datasketch": Rival(("datasketch==2.0.0", "xxhash==4.1.0")),
    "rensa": Rival(("rensa==0.5.0",)),
    "gaoya": Rival(("gaoya==0.2.2",)),
}
STORES = {"lance": Rival(("pylance==14.0.2",))}  # which `store` is measured beside


def interpreter(cache: Path, name: str) -> Path:
    """Return the Python of a rival's environment, which is made on first use."""
    rival = {**RIVALS, **STORES}[name]
    folder = cache / "environments" / name
    python = folder / "bin" / "python"
    done = folder / "installed.txt"
    wanted = "\n".join(rival.requirements)
    if done.exists() and done.read_text() == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    base = next((path for path in _pythons() if _version(path) >= rival.python), None)
    if base is None:
        needed = ".".join(map(str, rival.python))
        raise UnavailableError(f"{name} needs Python {needed} or newer, and none was found")
    quietly = partial(subprocess.run, check=True, capture_output=True, text=True)
    try:
        quietly([base, "-m", "venv", str(folder)])
        quietly([str(python), "-m", "pip", "install", "--quiet", *rival.requirements])
    except subprocess.CalledProcessError as error:
        raise UnavailableError(f"{name} did not install: {error.stderr.strip()[-300:]}") from error
    done.write_text(wanted)
    return python


def _pythons() -> Iterator[str]:
    """Name this Python first, then the newer ones on the path."""
    yield sys.executable
    yield from filter(None, (shutil.which(f"python3.{minor}") for minor in (12, 13, 14)))


def _version(python: str) -> tuple[int, int]:
    """Ask an interpreter for its version; a name that only pretends to be one has version 0.0."""
    code = "import sys; print(*sys.version_info[:2])"
    answer = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    major, minor = answer.stdout.split() if answer.returncode == 0 else ("0", "0")
    return int(major), int(minor)
