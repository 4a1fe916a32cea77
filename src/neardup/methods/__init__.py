"""Methods: one room each, with all that is particular to it.

METHODS is the list: a method is found by its name, and loaded when it is asked for. To add one, write
its room and add a line here; those of other packages follow.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from neardup import __all__ as public
from neardup import plugins
from neardup.methods.method import Method

METHODS = {
    "documents": "neardup.methods.documents:Documents",
    "passages": "neardup.methods.passages:Passages",
    "sentences": "neardup.methods.sentences:Sentences",
    "threads": "neardup.methods.threads:Threads",
    "pages": "neardup.methods.pages:Pages",
    "decontaminate": "neardup.methods.decontaminate:Decontaminate",
}
# Results that no method made: of a corpus looked up in an index, of what duplicates do to measures, and
# of a corpus that was cleaned.
OTHERS = {
    "query": "neardup.index.corpus:Query",
    "trec": "neardup.retrieval.kind:Trec",
    "clean": "neardup.cleaning.kind:Clean",
}
ADDED = plugins.added(plugins.METHODS, {*METHODS, *OTHERS, *public})
METHODS |= {name: point.value for name, point in ADDED.items()}


def method_named(name: str) -> Method:
    """Return the method of this name; of a name that nobody knows, one with all defaults."""
    path = {**METHODS, **OTHERS}.get(name)
    return (loaded(name, path) if path else None) or Method()


@cache
def loaded(name: str, path: str) -> Method | None:
    """Make the method that is found at a path, None if it is another package's and cannot be had."""
    if point := ADDED.get(name):
        found = plugins.loaded(point, type)
        if found and issubclass(found, Method):
            return found()
        if found:
            plugins.warn(point, "this is not a subclass of Method")
        return None
    module, _, inside = path.partition(":")
    kind: type[Method] = getattr(import_module(module), inside)
    return kind()


def all_methods() -> Iterator[Method]:
    """Return all methods that can be had, in the order of the list."""
    return filter(None, (loaded(name, path) for name, path in METHODS.items()))
