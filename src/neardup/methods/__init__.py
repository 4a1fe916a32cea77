"""Methods: one room each, with all that is particular to it.

METHODS is the list: a method is found by its name, and loaded when it is asked for. To add one, write
its room and add a line here.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from neardup.methods.method import Method

METHODS = {
    "documents": "neardup.methods.documents:Documents",
    "passages": "neardup.methods.passages:Passages",
    "sentences": "neardup.methods.sentences:Sentences",
    "threads": "neardup.methods.threads:Threads",
    "pages": "neardup.methods.pages:Pages",
    "decontaminate": "neardup.methods.decontaminate:Decontaminate",
}
# Results that no method made: of a corpus looked up in an index, and of what duplicates do to measures.
OTHERS = {"query": "neardup.index.corpus:Query", "trec": "neardup.retrieval.kind:Trec"}


def method_named(name: str) -> Method:
    """Return the method of this name; of a name that nobody knows, one with all defaults."""
    path = {**METHODS, **OTHERS}.get(name)
    return Method() if path is None else loaded(path)


@cache
def loaded(path: str) -> Method:
    """Make the method that is found at a path."""
    module, _, name = path.partition(":")
    kind: type[Method] = getattr(import_module(module), name)
    return kind()


def all_methods() -> Iterator[Method]:
    """Return all methods, in the order of the list."""
    return (method_named(name) for name in METHODS)
