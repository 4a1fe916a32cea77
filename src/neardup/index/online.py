"""The index itself: it is built, opened, added to and asked."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neardup.engines.base import Progress
from neardup.errors import InputError
from neardup.index.adding import Added
from neardup.index.analysis import Analysis
from neardup.index.answers import Answer
from neardup.index.asking import Between, answer, between, nothing
from neardup.index.kept import TEXTS, Kept, check_free, checked, facts_for, making, recover, with_columns
from neardup.index.search import Search
from neardup.index.settings import IndexSettings, Likeness, QuerySettings
from neardup.methods.passages.plan import resolved
from neardup.methods.passages.settings import AUTO
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, open_source
from neardup.store.database import Sync

if TYPE_CHECKING:
    from neardup.index.filtering import Item, Seen

COMPACT = "winnowing:5,24"  # the runs of words of a compact index, unless others are named
GROWING = 1 << 30  # bytes of text: what an index that begins empty is made for


class Index(Kept):
    """An index: a folder of documents in which texts are looked up.

    Any number of threads and processes may query while one adds or removes; one process at a time
    writes. A query sees all of an addition or nothing of it.

    What was added is there after a crash of the process. With `sync="each"`, it is also there after a
    power cut as soon as `add` returns. With `sync="soon"`, up to a hundred documents at a time are
    synced to the disk a tenth of a second later, or when `flush` returns. A power cut may undo the last
    of them, never one without those after it, nor half of one. If they cannot be synced, the next `add`
    or `flush` writes them once more, and fails if it cannot.

    >>> from tempfile import mkdtemp
    >>> poems = [{"id": "ode", "text": "My heart aches, and a drowsy numbness pains"}]
    >>> index = Index.build(Path(mkdtemp(), "poems.neardup"), poems)
    >>> [match.id for match in index.query("my heart aches and a drowsy").matches]
    ['ode']
    """

    def __init__(self, path: str | Path, writable: bool = True, *, sync: Sync = "soon") -> None:
        super().__init__(path, writable, sync=sync)
        self.search = Search(self.contents, self.settings)  # what look-ups need

    @classmethod
    def remembers(cls, facts: dict[str, Any], path: Path) -> tuple[IndexSettings, Analysis, bool]:
        """Return the settings, what takes texts apart by them, and whether words are counted."""
        try:
            settings = IndexSettings(**checked(facts, path, TEXTS))
        except TypeError as error:
            what, hint = "a later version of neardup made this index", "Open it with that version."
            raise InputError(what, where=str(path), hint=hint) from error
        return settings, Analysis.of(settings), settings.soft

    @classmethod
    def to_ask(cls, path: str | Path) -> "Index":
        """Open an index to look texts up, whoever writes it."""
        return cls(path, writable=False)

    @classmethod
    def build(
        cls,
        path: str | Path,
        source: Any = None,
        settings: IndexSettings | None = None,
        *,
        reader: ReaderSettings | None = None,
        text_column: str | None = None,
        id_column: str | None = None,
        overwrite: bool = False,
        progress: Progress | bool | None = None,
        sync: Sync = "soon",
    ) -> "Index":
        """Make an index of documents, or an empty one; there is no folder until it is complete.

        `source` is what `neardup.documents` takes, and so are the names of columns.
        """
        target = Path(path)
        recover(target)
        check_free(target, overwrite)
        columns = with_columns(reader, text_column, id_column)
        opened = None if source is None else open_source(source, columns)
        with making(cls, target, facts_of(fixed(settings or IndexSettings(), opened))) as new:
            added = None if opened is None else new.add_source(opened, progress=progress)
        index = cls(target, sync=sync)
        index.built = added
        return index

    built: Added | None = None

    def query(
        self,
        text: str,
        settings: QuerySettings | None = None,
        going_on: Callable[[], None] | None = None,
    ) -> Answer:
        """Find the documents that are similar to a text, and the passages that they share with it.

        Between its steps, `going_on` is called, and may raise an error to end the work.
        """
        return answer(self.search, text, settings or QuerySettings(), going_on or nothing)

    def seen(
        self, text: str, threshold: float = 0.7, *, measure: Likeness = "resemblance"
    ) -> "Seen | None":
        """Return the document most similar to a text, and their similarity; None if the text is new."""
        from neardup.index.filtering import Filter

        return Filter(self, threshold, measure).seen(text)

    def filter(
        self,
        items: "Iterable[Item]",
        threshold: float = 0.7,
        *,
        measure: Likeness = "resemblance",
        key: str | None = None,
        text_column: str | None = None,
    ) -> "Iterator[Item]":
        """Yield those texts or records that are new, and add them; what came before counts, too.

        With a `key`, the name of a field, records are known by its value as well as by their text; those
        of a field `url` are the same if they lead to the same page.
        """
        from neardup.index.filtering import Filter, new_of

        reader = ReaderSettings(text_column=text_column, id_column=key)
        return new_of(Filter(self, threshold, measure, key), items, reader)

    def warm_up(self) -> None:
        """Load the index and look up one of its texts, so that the first query need not wait.

        Kernels are compiled when first used, which may take longer than an answer is waited for.
        """
        first = self._manifest.some_ids(1)
        text = self.document(first[0])[1] if first else "one text of just a few words"
        self.query(text)
        self.between(text, text)

    def between(self, text_a: str, text_b: str) -> Between:
        """Compare two texts with the settings of the index."""
        return between(self.search, text_a, text_b)


def fixed(settings: IndexSettings, source: Source | None) -> IndexSettings:
    """Return the settings with nothing left open, as `passages` would choose for such an input."""
    if settings.compact and settings.signature == AUTO.name:
        settings = replace(settings, signature=COMPACT)
    size = GROWING if source is None else sum(split.size for split in source.splits())
    chosen = resolved(settings.passages, size)
    return replace(settings, signature=chosen.signature, max_gap=chosen.max_gap)


def facts_of(settings: IndexSettings) -> dict[str, Any]:
    """Return what an index says of itself."""
    return facts_for(TEXTS, settings.as_dict())
