"""What a report shows of each kind of result: one class a method.

A method that is added later is shown as pairs of documents with all its columns; to say more of it, add
a class to KINDS.
"""

from neardup.methods.documents.report import Documents
from neardup.methods.pages.report import Pages
from neardup.methods.passages.report import Passages
from neardup.methods.sentences.report import Sentences
from neardup.methods.threads.report import Threads
from neardup.results.folder import Result
from neardup.showing.kind import (
    Kind,
)

KINDS: dict[str, type[Kind]] = {
    "documents": Documents,
    "pages": Pages,
    "passages": Passages,
    "sentences": Sentences,
    "threads": Threads,
}


def kind_of(result: Result) -> Kind:
    """Return what is shown of a result."""
    return KINDS.get(result.method, Kind)(result)
