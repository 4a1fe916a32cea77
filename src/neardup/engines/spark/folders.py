"""Folders on any filesystem that Spark reaches: local disks, HDFS, S3, and others of Hadoop's."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neardup.engines.disk import DiskFolder
from neardup.engines.spark.failures import explained
from neardup.engines.spark.inside_pyspark import hadoop_configuration, java_of
from neardup.engines.spark.leases import leased

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WHOLE = "_SUCCESS"  # Spark writes it last


class HadoopFolder:
    """A folder, named by a path or an address such as hdfs://host/folder."""

    def __init__(self, spark: "SparkSession", path: str) -> None:
        self.spark = spark
        self._path = path.rstrip("/")

    def __truediv__(self, name: str) -> "HadoopFolder":
        return HadoopFolder(self.spark, f"{self._path}/{name}")

    def __str__(self) -> str:
        return self._path

    def beside(self, suffix: str) -> "HadoopFolder":
        """Return the folder of the same name with something behind it."""
        return HadoopFolder(self.spark, self._path + suffix)

    def qualified(self) -> "HadoopFolder":
        """Return the folder with its whole address."""
        return HadoopFolder(self.spark, str(self._files.makeQualified(self._java_path)))

    def local_path(self) -> Path | None:
        """Return the path on this machine's disk, None if it is elsewhere."""
        scheme, _, path = self._path.partition(":")
        return Path("/" + path.lstrip("/")) if scheme == "file" else None

    @property
    def _java(self) -> Any:
        return java_of(self.spark)

    @property
    def _java_path(self) -> Any:
        return self._java.org.apache.hadoop.fs.Path(self._path)

    @property
    def _configuration(self) -> Any:
        return hadoop_configuration(self.spark)

    @property
    def _files(self) -> Any:
        return self._java_path.getFileSystem(self._configuration)

    @property
    def _plain_files(self) -> Any:
        """Return the filesystem; that of a disk without the sums that Hadoop leaves beside files."""
        if self.local_path() is None:
            return self._files
        plain = self._java.org.apache.hadoop.fs.RawLocalFileSystem()
        plain.initialize(self._java_path.toUri(), self._configuration)
        return plain

    def exists(self) -> bool:
        """Return whether there is something of this name."""
        return bool(self._files.exists(self._java_path))

    def names(self) -> list[str] | None:
        """Return the names of what is in the folder, None if it is none."""
        if not self._files.getFileStatus(self._java_path).isDirectory():
            return None
        return [str(found.getPath().getName()) for found in self._files.listStatus(self._java_path)]

    def is_whole(self) -> bool:
        """Return whether Spark has written all of a table here."""
        return (self / WHOLE).exists()

    def make(self) -> None:
        """Make the folder, and those that it is in."""
        self._files.mkdirs(self._java_path)

    def delete(self) -> None:
        """Delete it and all that is in it, if it is there."""
        self._files.delete(self._java_path, True)

    def rename(self, target: "HadoopFolder") -> None:
        """Give it another name."""
        if not self._files.rename(self._java_path, target._java_path):
            raise OSError(f"cannot rename {self} to {target}")

    def read_text(self) -> str:
        """Return what is in the file of this name."""
        stream = self._plain_files.open(self._java_path)
        try:
            content = self._java.org.apache.commons.io.IOUtils.toByteArray(stream)
        finally:
            stream.close()
        return bytes(content).decode()

    def write_text(self, text: str, over: bool = True) -> None:
        """Write a file of this name; `over` one that is there, else that is an error."""
        stream = self._plain_files.create(self._java_path, over)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def locked(self, output: str) -> AbstractContextManager[None]:
        """Keep other runs out of the folder: by a lock on this machine's disk, or a lease elsewhere."""
        local = self.local_path()
        return (
            leased(self.beside(".lock"), output) if local is None else DiskFolder(local).locked(output)
        )

    @contextmanager
    def failures_told(self) -> Iterator[None]:
        """Turn errors of Spark, Java and this machine's disk into neardup's own."""
        with explained(str(self)), DiskFolder(str(self)).failures_told():
            yield
