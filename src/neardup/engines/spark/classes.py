"""Spark's Java classes, kept ready between runs on one machine.

Spark loads some 20,000 classes from 280 files, which takes a third of a short run's processor time. Java
can write those that a run has loaded into an archive and map that into memory next time.
"""

import hashlib
import os
from pathlib import Path

CACHE = "XDG_CACHE_HOME"
SILENT = "-XX:+IgnoreUnrecognizedVMOptions -Xshare:auto -Xlog:disable"
READ = "-XX:SharedArchiveFile="


def archive_options(java: str, spark: Path, tasks: bool) -> str:
    """Return the options with which Java takes classes from an archive, or writes one when it ends.

    An archive is of one Java and one Spark: `java` says its version, `spark` is the package's folder.
    Best is one of a run with `tasks` in the same process, which has what executors need, too; a driver
    without them writes one of its own where there is none.
    """
    name = f"spark-classes-{digest(java, spark)}"
    whole, driver = (cache_folder() / f"{name}{kind}.jsa" for kind in ("", "-driver"))
    found = [path for path in ((whole,) if tasks else (whole, driver)) if is_whole(path)]
    if found:
        return f"{SILENT} {READ}{found[0]}"
    archive = whole if tasks else driver
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    if not os.access(archive.parent, os.W_OK) or " " in str(archive):  # options end at blanks
        return ""
    return f"{SILENT} -XX:ArchiveClassesAtExit={archive}"


def is_read(options: str) -> bool:
    """Return whether Java takes classes from an archive with these options, where it finds one."""
    return READ in options


def cache_folder() -> Path:
    """Return where this user's programs keep what they can make again."""
    return Path(os.environ.get(CACHE) or Path.home() / ".cache") / "neardup"


def digest(java: str, spark: Path) -> str:
    """Return a name for a Java and all files of a Spark."""
    files = [(path.name, path.stat().st_mtime_ns) for path in sorted((spark / "jars").glob("*.jar"))]
    return hashlib.sha256(repr((java, str(spark), files)).encode()).hexdigest()[:16]


def is_whole(archive: Path) -> bool:
    """Return whether Java has written all of an archive: the bytes at its beginning come last."""
    try:
        with archive.open("rb") as file:
            return any(file.read(4))
    except OSError:
        return False
