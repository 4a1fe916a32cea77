"""What packages that add a method, a reader or a signature import: these names are public.

Each is loaded when it is asked for, as modules of methods and signatures are imported for `--help`.
"""

# ruff: noqa: I001  (names that are passed on stand together)

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neardup.kernels.hashing import mix as mix
    from neardup.methods.method import Method as Method, lazy as lazy
    from neardup.plan import Cluster as Cluster, Fold as Fold, Map as Map, Plan as Plan, Sql as Sql
    from neardup.readers.columns import Columns as Columns
    from neardup.readers.file import File as File
    from neardup.readers.numbers import Source as Source
    from neardup.readers.reader import (
        Reader as Reader,
        always as always,
        markup as markup,
        ranges as ranges,
    )
    from neardup.readers.records import (
        Decisions as Decisions,
        ReaderSettings as ReaderSettings,
        Record as Record,
        batches as batches,
        failed as failed,
        guarded as guarded,
    )
    from neardup.readers.streams import written as written
    from neardup.results.running import Job as Job
    from neardup.settings.base import About as About, Expert as Expert, Settings as Settings
    from neardup.settings.run import RunSettings as RunSettings
    from neardup.signatures.signature import Argument as Argument, Notation as Notation
    from neardup.signatures.signature import Sets as Sets, Signature as Signature
    from neardup.steps import (
        clusters as clusters,
        copies as copies,
        declared as declared,
        facts as facts,
        naming as naming,
    )
    from neardup.steps.columns import (
        carrying as carrying,
        schema_of as schema_of,
        with_carried as with_carried,
    )
    from neardup.tables import Column as Column, Count as Count, Table as Table, column as column

_HOMES = {
    "kernels.hashing": "mix",
    "methods.method": "Method lazy",
    "plan": "Cluster Fold Map Plan Sql",
    "readers.columns": "Columns",
    "readers.file": "File",
    "readers.numbers": "Source",
    "readers.reader": "Reader always markup ranges",
    "readers.records": "Decisions ReaderSettings Record batches failed guarded",
    "readers.streams": "written",
    "results.running": "Job",
    "settings.base": "About Expert Settings",
    "settings.run": "RunSettings",
    "signatures.signature": "Argument Notation Sets Signature",
    "steps": "clusters copies declared facts naming",
    "steps.columns": "carrying schema_of with_carried",
    "tables": "Column Count Table column",
}
__all__ = sorted(name for names in _HOMES.values() for name in names.split())


def __getattr__(name: str) -> Any:
    """Load a name from its home, which may change."""
    for home, names in _HOMES.items():
        if name in names.split():
            where = f"neardup.{home}"
            whole = importlib.import_module(f"{where}.{name}" if home == "steps" else where)
            return whole if home == "steps" else getattr(whole, name)
    raise AttributeError(f"module 'neardup.extending' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Show what is public, to people and to TAB."""
    return __all__
