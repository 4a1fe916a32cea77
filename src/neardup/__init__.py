"""neardup finds near-duplicate text, proves it, and shows where.

>>> import neardup
>>> result = neardup.documents(["The same text, my dear.", "The same text - my dear!"])
>>> result.pairs["similarity"].to_pylist()
[1.0]
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neardup.api import (
        decontaminate,
        deduplicate,
        documents,
        estimate,
        pages,
        passages,
        sentences,
        threads,
    )
    from neardup.cleaning.clean import clean
    from neardup.cleaning.dedup import dedup
    from neardup.errors import InputError, NeardupError, OutputError, SettingsError, StepError
    from neardup.evaluation.evaluate import evaluate
    from neardup.evaluation.tune import tune
    from neardup.exports.export import export
    from neardup.index.asked import ThreadIndex
    from neardup.index.corpus import query
    from neardup.index.online import Index
    from neardup.index.sieve import unique
    from neardup.reports import report
    from neardup.result import Result
    from neardup.retrieval.folder import trec

__version__ = "0.1.0"

__all__ = [
    "Index",
    "InputError",
    "NeardupError",
    "OutputError",
    "Result",
    "SettingsError",
    "StepError",
    "ThreadIndex",
    "clean",
    "decontaminate",
    "dedup",
    "deduplicate",
    "documents",
    "estimate",
    "evaluate",
    "export",
    "pages",
    "passages",
    "query",
    "report",
    "sentences",
    "threads",
    "trec",
    "tune",
    "unique",
]

_HOMES = {
    **{name: "errors" for name in __all__ if name.endswith("Error")},
    "clean": "cleaning.clean",
    "dedup": "cleaning.dedup",
    "evaluate": "evaluation.evaluate",
    "export": "exports.export",
    "Index": "index.online",
    "query": "index.corpus",
    "Result": "result",
    "ThreadIndex": "index.asked",
    "report": "reports",
    "trec": "retrieval.folder",
    "tune": "evaluation.tune",
    "unique": "index.sieve",
}


def __getattr__(name: str) -> Any:
    """Load what is heavy only when it is asked for."""
    if name in __all__:
        return getattr(importlib.import_module(f"neardup.{_HOMES.get(name, 'api')}"), name)
    if name in _methods():
        return importlib.import_module("neardup.api").function_of(name)
    raise AttributeError(f"module 'neardup' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Show what is public, to people and to TAB."""
    return list(dict.fromkeys([*__all__, *_methods(), "__version__"]))


def _methods() -> Any:
    # those of other packages too; none while the list itself is being loaded
    return getattr(importlib.import_module("neardup.methods"), "METHODS", ())
