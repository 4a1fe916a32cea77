"""The engine on this machine: DuckDB for SQL, kernels on all cores beside it."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from neardup.engines.base import Engine, Progress
from neardup.settings.run import RunSettings

if TYPE_CHECKING:
    from neardup.engines.disk import DiskFolder
    from neardup.engines.local.engine import LocalEngine


class Local(Engine):
    """Runs plans in this process."""

    name = "local"

    def limits(self, run: RunSettings) -> AbstractContextManager[None]:
        """Save memory if a run may use little of it."""
        from neardup.engines.local.frugality import within

        return within(run.memory)

    def runner(self, work: "DiskFolder", run: RunSettings, progress: Progress) -> "LocalEngine":
        """Return what runs plans in a folder on disk."""
        from neardup.engines.local.engine import LocalEngine

        return LocalEngine(work.path, run, progress)
