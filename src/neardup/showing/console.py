"""What the command line shows: progress, summaries, errors. Nothing else in neardup prints."""

import errno
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rich.console
from rich.markup import escape
from rich.segment import Segment
from rich.text import Text

from neardup.engines.base import Advance
from neardup.errors import NeardupError
from neardup.steps.declared import (
    DOCUMENTS,
    EXCLUDED,
    IDS_GIVEN_TWICE,
    OLD_DOCUMENTS,
    PROBES,
    PROBES_FOUND,
    RECORDS,
    SKIPPED,
    UNREAD_DATES,
)
from neardup.tables import Count
from neardup.web.page import UNSEEN, visible


class Console(rich.console.Console):
    """A console on which no text gives orders to the terminal: what cannot be seen is made visible."""

    _shown: Callable[[str], str] = staticmethod(visible)

    def render(self, *given: Any, **options: Any) -> Iterable[Segment]:
        """Return the parts of what is printed."""
        for part in super().render(*given, **options):
            yield part if part.control else part._replace(text=self._shown(part.text))

    def print_json(self, *given: Any, **options: Any) -> None:
        """Print JSON, which has a way of its own to write any character."""
        self._shown = in_json
        try:
            super().print_json(*given, **options)
        finally:
            del self._shown


def in_json(text: str) -> str:
    r"""Write characters that cannot be seen as JSON may have them.

    >>> print(in_json('["a\u202eb"]'))
    ["a\u202eb"]
    """
    return UNSEEN.sub(lambda found: ESCAPED(r"\\u\g<0>", found[0].encode("utf-16-be").hex()), text)


OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False, soft_wrap=True)
ESCAPED = re.compile("....").sub
SETTING = re.compile(r"\b[a-z]+(_[a-z]+)+(?= must be)")
ARGUMENT = re.compile(
    r"(?<![',])\b([a-z]+(?:_[a-z]+)*)=(?:True\b|\[?\"([^\"]*)\"\]?|(\d+(?:\.\d+)?)|(?=[\s.,;:)]|$))"
)
CALL = re.compile(r"\bneardup\.([A-Za-z.]+)\(([^()]*)\)")
OPTIONS = {"replace_ids": "--replace", "output": "-o"}  # that are not called as in Python
INVALID_UTF8 = "invalid UTF-8"  # a problem of records
ENCODED = "perhaps in an older encoding: name it, such as --encoding cp1252"
GUESSED = 5  # files whose encodings are named
NAMED = 5  # records that are named where some were skipped
FEW = 50  # things that a step takes one after the other, of which some take much longer than others
LOG_SECONDS = 5.0
SILENT_SECONDS = 20.0  # without a sign of life
WORTH_A_LINE = 1.0  # seconds: shorter steps are not worth a line in a log


# What a step does, for those who wait for it; `--stop-after` and `--explain` have its own name.
STEPS = {
    "units": "reading texts",
    "copies": "finding identical texts",
    "named": "naming documents",
    "counts": "counting what is common",
    "word_counts": "counting words",
    "keys": "choosing what to look for",
    "shared": "finding candidates",
    "proposed": "finding candidates",
    "candidates": "choosing candidates",
    "compared": "comparing candidates",
    "verified": "comparing candidates",
    "located": "locating passages",
    "grouped": "making clusters",
    "rejected": "keeping near misses",
    "amount": "counting pairs",
}


def step_words(name: str) -> str:
    """Say what a step does.

    >>> step_words("shared: sort"), step_words("template_pages")
    ('finding candidates: sort', 'template pages')
    """
    own, colon, part = name.partition(":")
    return STEPS.get(own, own.replace("_", " ")) + colon + part


@contextmanager
def beats(say: Callable[[], None], wanted: bool) -> Iterator[None]:
    """Say something now and then as long as a step takes of which nobody knows how much is done."""
    done = threading.Event()

    def beat() -> None:
        while not done.wait(SILENT_SECONDS):
            say()

    if wanted:
        threading.Thread(target=beat, daemon=True).start()
    try:
        yield
    finally:
        done.set()


class Lines:
    """Plain log lines, where there is no terminal: one when a step ends, and some on the way."""

    @contextmanager
    def step(self, name: str, total: int | None, unit: str) -> Iterator[Advance]:
        """Log a step."""
        name = step_words(name)
        begun = shown = time.monotonic()
        done = 0

        def advance(amount: int) -> None:
            nonlocal done, shown
            done += amount
            now = time.monotonic()
            if total and now - shown >= LOG_SECONDS:
                shown = now
                self.note(f"{name}: {so_far(done, total, unit, now - begun)}")

        with beats(lambda: self.note(f"{name}: {time.monotonic() - begun:.0f} s so far"), not total):
            yield advance
        spent = time.monotonic() - begun
        if spent >= WORTH_A_LINE:
            self.note(f"{name}: done, {done:,} {unit} in {spent:.1f} s")

    def note(self, message: str) -> None:
        """Write one line."""
        sys.stderr.write(f"{time.strftime('%H:%M:%S')} {visible(message)}\n")
        sys.stderr.flush()


def so_far(done: int, total: int, unit: str, seconds: float) -> str:
    """Say how far a step is, and how long it will take; of a few large things nobody knows that.

    >>> so_far(500, 2000, "bytes", 10), so_far(3, 12, "parts", 40)
    ('25 %, about 30 s left', '3 of 12 parts')
    """
    if total < FEW:
        return f"{done:,} of {total:,} {unit}"
    left = seconds * (total - done) / max(done, 1)
    rest = f"about {left:.0f} s left" if left >= 1 else "nearly done"
    return f"{100 * done / total:.0f} %, {rest}"


def show_error(error: Exception) -> None:
    """Print an error without a traceback; settings as options are written, but for those of a file."""
    if isinstance(error, NeardupError) and error.hint:
        error.hint = with_options(error.hint)
    said = in_words(error)
    if getattr(error, "where", None) is None:
        said = SETTING.sub(lambda name: option(name[0]), said)
    ERR.print(Text.assemble(("error: ", "bold red"), said))


def in_words(error: Exception) -> str:
    """Return what an error says; of the system's own ones, without its numbers.

    >>> in_words(OSError(30, "Read-only file system", "out"))
    'out: Read-only file system'
    """
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "the disk is full\nFree some space, and run the same command again."
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, FileNotFoundError) and is_nowhere():
        return "the folder that this was started in is gone\nGo to another folder, and run it again."
    return str(error)


def is_nowhere() -> bool:
    """Return whether the folder that this process was started in has been deleted."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def with_options(hint: str) -> str:
    """Write a hint for Python for the command line.

    >>> with_options('Take overwrite=True, mode="list", columns=["score"], or name one with id_column=.')
    'Take --overwrite, --mode list, --columns score, or name one with --id-column.'
    >>> with_options('Try threshold=0.5, or neardup.Index.build("INDEX", …, overwrite=True).')
    'Try --threshold 0.5, or neardup index build INDEX … --overwrite.'
    """
    hint = CALL.sub(command, hint)
    return ARGUMENT.sub(
        lambda found: " ".join(filter(None, (option(found[1]), found[2] or found[3]))), hint
    )


def command(call: re.Match[str]) -> str:
    """Return the command that is the twin of a call in Python; its arguments stay to be translated."""
    words = [part if "=" in part else part.strip('"') for part in call[2].split(", ")]
    return " ".join(["neardup", call[1].lower().replace(".", " "), *words])


def option(argument: str) -> str:
    """Return the option that is the twin of an argument in Python."""
    return OPTIONS.get(argument, f"--{argument.replace('_', '-')}")


def show_read(counts: Mapping[str, int], sides: str = "{new:,} new against {old:,} old") -> None:
    """Print what a run read and skipped, and how many documents are of which side."""
    read, records = number(counts[DOCUMENTS], "document"), number(counts[RECORDS], "record")
    OUT.print(f"[bold]{read}[/bold] of {records}")
    if (old := counts.get(OLD_DOCUMENTS)) is not None:
        OUT.print(f"  {sides.format(new=new_in(counts), old=old)}")
    skipped = SKIPPED.each(counts)
    for problem, value in skipped.items():
        OUT.print(f"  skipped {value:,}: {escape(problem)}", style="yellow")
    if INVALID_UTF8 in skipped:
        OUT.print(f"  {ENCODED}", style="yellow", markup=False)
    if twice := counts.get(IDS_GIVEN_TWICE):
        OUT.print(f"  {IDS_GIVEN_TWICE.sentence}: {twice:,}", style="yellow")
    if unread := UNREAD_DATES.each(counts):
        such = ", ".join(repr(text) for text in unread if text)
        dates = number(sum(unread.values()), "date")
        OUT.print(f"  {dates} could not be read, such as {such}", style="yellow", markup=False)
    if (excluded := counts.get(EXCLUDED)) is not None:
        OUT.print(f"  {EXCLUDED.sentence}: {excluded:,}")


def show_cuts(counts: Mapping[str, int], declared: Iterable[Count]) -> None:
    """Print what limits cut off, and which limits."""
    for count in declared:
        if count.limit and (cut := counts.get(count)):
            limit = with_options(count.limit)
            OUT.print(f"  {count.sentence}: {cut:,} ({limit})", style="yellow", markup=False)


def expected_recall(counts: Mapping[str, int]) -> float | None:
    """Return the share of edited units that a run would have found; None where none was tried."""
    return counts[PROBES_FOUND] / counts[PROBES] if counts.get(PROBES) else None


def show_recall(counts: Mapping[str, int], limit: str, probes: str) -> None:
    """Print how many of all that differ as far as a limit allows a run finds, and what was tried."""
    if (recall := expected_recall(counts)) is not None:
        found = f"measured on {counts[PROBES]:,} {probes}"
        OUT.print(f"  expected recall {limit}: {recall:.2f} ({found})", markup=False)


def new_in(counts: Mapping[str, int]) -> int:
    """Return how many documents are not old: all, unless some are."""
    return counts[DOCUMENTS] - counts.get(OLD_DOCUMENTS, 0)


def show_guessed(encodings: Mapping[str, str]) -> None:
    """Name the files whose encoding was guessed, and the guess."""
    if not encodings:
        return
    what = f"{number(len(encodings), 'file')} in an encoding that was guessed: {first_of(encodings)}"
    same = len(set(encodings.values())) == 1  # an option is for all of them
    advice = "; set it with --encoding" if same else ""
    OUT.print(f"{what}{advice}", style="yellow", markup=False)


def show_unseen(characters: Mapping[str, int]) -> None:
    """Name the files with letters that no reader sees, which were left out."""
    if not characters:
        return
    what = f"{number(len(characters), 'file')} with hidden, white or tiny letters, which were left out"
    named = first_of({name: number(count, "character") for name, count in characters.items()})
    OUT.print(f"{what}: {named}", style="yellow", markup=False)


def first_of(told: Mapping[str, str]) -> str:
    """Name the first files, and what is told of each."""
    named = ", ".join(f"{name} ({what})" for name, what in list(told.items())[:GUESSED])
    return named + (f" and {len(told) - GUESSED:,} more" if len(told) > GUESSED else "")


def show_whole(names: Sequence[str]) -> None:
    """Say of texts that may be meant line by line that they are one document each."""
    if names:
        rest = f" and {len(names) - 1:,} more are one document each"
        who = f"{names[0]}{rest if len(names) > 1 else ' is one document'}"
        OUT.print(f"{who}; with --lines, each line is one", style="yellow", markup=False)


def show_skipped(skipped: Iterable[Mapping[str, Any]], total: int, table: str) -> None:
    """Name the first records that were skipped, and where all of them are listed."""
    if total:
        OUT.print("Skipped:", style="yellow")
    for row in skipped:
        detail = f" ({with_options(row['detail'])})" if row["detail"] else ""
        where = f"{row['source']}, record {row['position']}"
        OUT.print(f"  {where}: {row['problem']}{detail}", style="yellow", markup=False)
    if total > NAMED:
        OUT.print(f"  … and {total - NAMED:,} more: {table}", style="yellow", markup=False)


def number(count: int, what: str) -> str:
    """Say how many there are of something.

    >>> number(1, "pair"), number(2000, "pair"), number(2, "pair of texts"), number(2, "family")
    ('1 pair', '2,000 pairs', '2 pairs of texts', '2 families')
    """
    noun, of, rest = what.partition(" of ")
    if count != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("ly") else f"{noun}{'es' if noun[-1] == 's' else 's'}"
    return f"{count:,} {noun}{of}{rest}"


def titled(title: str | None, own_id: str) -> str:
    """Name a document as people know it, with its id, by which commands do.

    >>> titled("The lighthouse", "doc-7"), titled(None, "doc-7"), titled("doc-7", "doc-7")
    ('The lighthouse (doc-7)', 'doc-7', 'doc-7')
    """
    return f"{title} ({own_id})" if title and title != own_id else own_id


def similarity_text(similarity: float | None) -> str:
    """Show a similarity, or that there is none; what is below 1 is shown below 1.

    >>> similarity_text(0.99999), similarity_text(1.0)
    ('0.999', '1.000')
    """
    if similarity is None:
        return "connected"
    return f"{similarity if similarity >= 1 else min(similarity, 0.999):.3f}"


def share_text(share: float) -> str:
    """Show a share; what is not all is not shown as all.

    >>> share_text(0.99999), share_text(1.0)
    ('99.9 %', '100.0 %')
    """
    return f"{100 * (share if share >= 1 else min(share, 0.999)):.1f} %"


def size_text(size: float) -> str:
    """Say a number of bytes with a unit.

    >>> size_text(31_000), size_text(2_500_000_000)
    ('31 kB', '2.5 GB')
    """
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def duration(seconds: float) -> str:
    """Say a time in words.

    >>> duration(75)
    '1 min 15 s'
    """
    if seconds < 60:
        return f"{max(seconds, 1):.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
