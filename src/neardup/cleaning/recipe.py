"""A recipe: which stages a corpus goes through, in which order, and which copy of each thing stays."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from neardup.errors import InputError, SettingsError
from neardup.methods.decontaminate.settings import DecontaminateSettings
from neardup.methods.documents.settings import DocumentSettings
from neardup.methods.sentences.settings import SentenceSettings
from neardup.settings.arguments import checked
from neardup.settings.base import About, Settings, settings_of

CutBy = Literal["words", "sentences"]
ADDED = ("cluster_size", "commonness")  # columns that can be added to what is written
HINT = "neardup clean --show-recipe prints one to begin with."
DEFAULT = """\
# Which copy stays: longest, first, newest, a column (score:desc) or a source (source:wiki>crawl).
keep = "longest"

# Stages run in this order. Each sees what those before it left.
[[stage]]
name = "keys"       # records with the same key: a URL, however it is written, or any column
column = "url"

[[stage]]
name = "exact"      # records with the same words, whatever their case and punctuation
match = "words"

[[stage]]
name = "documents"  # near-duplicates, verified; takes all settings of neardup documents
threshold = 0.7

[[stage]]
name = "spans"      # text of so many words that stands anywhere else is cut out
words = 50
cut = "words"

[[stage]]
name = "paragraphs" # repeated paragraphs of so many characters are cut out; lines: the same of lines
min_length = 100
"""


@dataclass(frozen=True)
class CleanSettings(Settings):
    """What a run is asked for: its recipe, and what differs from that."""

    recipe: Annotated[
        str | Path | Mapping[str, Any] | None,
        About("The stages of the run: a file in TOML or JSON.", otherwise="ours"),
    ] = None
    keep: Annotated[
        str | None,
        About(
            "Which copy stays: longest, first, newest, a column (score or score:asc) or a source "
            "(source:wikipedia>crawl); several with commas.",
            otherwise="as in the recipe",
        ),
    ] = None
    keep_per: Annotated[
        str | None,
        About(
            "Keep a copy for each value of this column, such as language; source: for each file.",
            otherwise="as in the recipe",
        ),
    ] = None
    group: Annotated[
        str | None,
        About(
            "Drop records with the same value in this column, such as repo, together or not at all.",
            otherwise="as in the recipe",
        ),
    ] = None
    add: Annotated[
        str | None,
        About(
            "Columns to add to the records: cluster_size, how many records one stands for; "
            "commonness, how common its words are in the corpus.",
            otherwise="none",
        ),
    ] = None
    span_words: Annotated[
        int | None,
        About("The fewest words of a repeated span.", 4, 10_000, otherwise="as in the recipe"),
    ] = None
    cut: Annotated[
        CutBy | None,
        About("Cut repeated spans word by word, or whole sentences only.", otherwise="as in the recipe"),
    ] = None
    dry_run: Annotated[
        bool, About("Write the ledger only; run again without it to write the files.", flags="--dry-run")
    ] = False
    sample: Annotated[
        float,
        About("Try the recipe on this share of the records; write the ledger only.", above=0, most=1),
    ] = 1.0

    @property
    def writes(self) -> bool:
        """Return whether files are written, and not the ledger alone."""
        return not self.dry_run and self.sample == 1

    @property
    def chosen(self) -> "Recipe":
        """Return the recipe, with what differs."""
        own = {name: getattr(self, name) for name in ("keep", "keep_per", "group", "add")}
        return Recipe.read(self.recipe).changed(span_words=self.span_words, cut=self.cut, **own)


@dataclass(frozen=True)
class KeysSettings(Settings):
    """Which records have the same key."""

    column: Annotated[str, About("The column of the key.")] = "url"
    normalise: Annotated[
        Literal["url", "none"] | None,
        About("url: addresses that lead to the same page are the same.", otherwise="url for a url"),
    ] = None

    @property
    def is_url(self) -> bool:
        """Return whether keys are addresses of pages."""
        from neardup.text.addresses import COLUMN

        return (self.normalise or ("url" if self.column == COLUMN else "none")) == "url"


@dataclass(frozen=True)
class ExactSettings(Settings):
    """Which records are the same."""

    match: Annotated[
        Literal["words", "text"], About("The same words, or the same text to the last character.")
    ] = "words"


@dataclass(frozen=True)
class SpanSettings(Settings):
    """Which repeated text is cut out."""

    words: Annotated[int, About("Words of the shortest span that is repeated.", 4, 10_000)] = 50
    cut: Annotated[CutBy, About("Cut the words that are repeated, or whole sentences.")] = "words"

    @property
    def width(self) -> int:
        """The words of the run that stands for a window."""
        return max(self.words // 3, 1)


@dataclass(frozen=True)
class PieceSettings(Settings):
    """Which repeated paragraphs or lines are cut out."""

    min_length: Annotated[int, About("Characters of the shortest one.", 1, 2**31)] = 100

    def of(self, split: Literal["paragraphs", "lines"]) -> SentenceSettings:
        """Return how these are split."""
        return SentenceSettings(split=split, min_length=self.min_length, max_length=2**31)


@dataclass(frozen=True)
class ItemSettings(DecontaminateSettings):
    """Which test items go, and how."""

    benchmarks: Annotated[str, About("Files of test items, with commas between them.")] = ""
    action: Annotated[
        Literal["cut", "drop"], About("Cut items out of records, or drop records that have any.")
    ] = "cut"

    def problems(self) -> list[str | None]:
        """Return what is wrong with several settings together."""
        return [*super().problems(), None if self.benchmarks else "decontaminate has no benchmarks"]

    @property
    def own(self) -> DecontaminateSettings:
        """Return how items are found."""
        named = {s.name: getattr(self, s.name) for s in settings_of(DecontaminateSettings)}
        return DecontaminateSettings(**named)


KINDS: dict[str, type[Settings]] = {
    "keys": KeysSettings,
    "exact": ExactSettings,
    "documents": DocumentSettings,
    "spans": SpanSettings,
    "paragraphs": PieceSettings,
    "lines": PieceSettings,
    "decontaminate": ItemSettings,
}
CUTTING = ("spans", "paragraphs", "lines")


@dataclass(frozen=True)
class Stage:
    """One stage: its name, its settings, and how its tables and rows of the ledger are called."""

    name: str
    settings: Any
    label: str


@dataclass(frozen=True)
class Recipe:
    """The stages of a corpus and what holds for all of them."""

    stages: tuple[Stage, ...]
    keep: str = "longest"
    keep_at_most: int = 1
    keep_per: str | None = None
    group: str | None = None
    add: str | None = None

    OWN: ClassVar[tuple[str, ...]] = ("keep", "keep_at_most", "keep_per", "group", "add")

    def __post_init__(self) -> None:
        if unknown := [name for name in self.added if name not in ADDED]:
            raise SettingsError(f"cannot add {unknown[0]!r}", hint=f"Choose from: {', '.join(ADDED)}.")
        if self.group and any(one.name in CUTTING for one in self.stages):
            hint = f"Take a recipe without {', '.join(CUTTING)}: cut texts would leave parts of a group."
            raise SettingsError("records of a group cannot be cut", hint=hint)

    @classmethod
    def of(cls, content: Mapping[str, Any], where: str | None = None) -> "Recipe":
        """Make a recipe of what a file says; all that is wrong with it is told at once."""
        stages = content.get("stage")
        if (
            not isinstance(stages, list)
            or not all(isinstance(one, dict) for one in stages)
            or not stages
        ):
            raise SettingsError("a recipe has stages: [[stage]] name = …", where=where, hint=HINT)
        problems = [f"there is no {name!r}" for name in content if name not in ("stage", *cls.OWN)]
        made: list[Stage] = []
        for number, given in enumerate(stages, 1):
            try:
                made.append(stage_of(given, [one.name for one in made]))
            except SettingsError as error:
                problems.append(f"stage {number}: {error.what}")
        own = {name: content[name] for name in cls.OWN if content.get(name) is not None}
        for name, value in own.items():
            try:
                checked(name, value, int if name == "keep_at_most" else str)
                if name == "keep_at_most" and value < 1:
                    problems.append(f"keep_at_most must be at least 1: got {value}")
            except SettingsError as error:
                problems.append(error.what)
        if problems:
            raise SettingsError("; ".join(problems), where=where, hint=HINT)
        return cls(tuple(made), **own)

    @classmethod
    def read(cls, path: str | Path | Mapping[str, Any] | None) -> "Recipe":
        """Read the recipe in a file, TOML or JSON; without one, the default."""
        if path is None or isinstance(path, Mapping):
            return cls.of(tomllib.loads(DEFAULT) if path is None else path)
        try:
            text = Path(path).read_text(encoding="utf-8")
            is_json = Path(path).suffix.lower() == ".json"
            content = json.loads(text) if is_json else tomllib.loads(text)
        except FileNotFoundError:
            raise InputError("no such file", where=str(path)) from None
        except (OSError, ValueError) as error:
            what = f"this is not a recipe in TOML or JSON: {error}"
            raise InputError(what, where=str(path), hint=HINT) from None
        return cls.of(content if isinstance(content, dict) else {}, str(path))

    def changed(self, **given: Any) -> "Recipe":
        """Return the recipe with what is given (not None); `span_words` and `cut` are of its spans."""
        spans = {"words": given.pop("span_words", None), "cut": given.pop("cut", None)}
        chosen = {name: value for name, value in spans.items() if value is not None}
        if chosen and not any(stage.name == "spans" for stage in self.stages):
            raise SettingsError("this recipe has no stage spans", hint=HINT)
        stages = tuple(
            replace(one, settings=replace(one.settings, **chosen)) if one.name == "spans" else one
            for one in self.stages
        )
        own = {name: value for name, value in given.items() if value is not None}
        return replace(self, stages=stages, **own)

    @property
    def added(self) -> tuple[str, ...]:
        """Return the columns that are added to what is written."""
        return names_in(self.add)

    @property
    def columns(self) -> dict[str, str]:
        """Return the columns of the input that the stages need, and what names each."""
        from neardup.steps.clusters import columns_in

        found = dict.fromkeys(columns_in(self.keep), "keep=")
        found |= {name: f"{which}=" for which in ("group", "keep_per") if (name := getattr(self, which))}
        keys = (one.settings.column for one in self.stages if one.name == "keys")
        return found | dict.fromkeys(keys, "the stage keys")

    @property
    def cuts(self) -> bool:
        """Return whether parts of texts go."""
        return any(getattr(one.settings, "action", one.name) in (*CUTTING, "cut") for one in self.stages)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, as a file would say it."""
        own = {name: getattr(self, name) for name in self.OWN}
        settings = ({"name": one.name} | one.settings.as_dict() for one in self.stages)
        stages = [{key: value for key, value in one.items() if key not in own} for one in settings]
        return own | {"stage": stages}


def names_in(given: str | None) -> tuple[str, ...]:
    """Return names that are given with commas between them.

    >>> names_in("cluster_size, commonness")
    ('cluster_size', 'commonness')
    """
    return tuple(name.strip() for name in (given or "").split(",") if name.strip())


def stage_of(given: Mapping[str, Any], before: Iterable[str]) -> Stage:
    """Make a stage; the second one of a name is called by its number, too."""
    name = given.get("name")
    if name is None:
        raise SettingsError(f"it has no name: choose from {', '.join(KINDS)}")
    if not isinstance(name, str) or name not in KINDS:
        raise SettingsError(f"there is no stage {name!r}: choose from {', '.join(KINDS)}")
    kind, chosen = KINDS[name], {key: value for key, value in given.items() if key != "name"}
    known = {setting.name: setting for setting in settings_of(kind)}
    if unknown := [key for key in chosen if key not in known or key in Recipe.OWN]:
        raise SettingsError(f"{name} has no setting {', '.join(unknown)}")
    for key, value in chosen.items():
        if value is not None:
            checked(key, value, known[key].type)
    again = sum(one == name for one in before)
    return Stage(name, kind(**kind.filled(chosen)), f"{name}_{again + 1}" if again else name)
