"""Reading benchmarks: passage, question, options and answer of each test item, from whatever columns."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pyarrow as pa

from neardup.errors import InputError
from neardup.methods.decontaminate.settings import FIELDS
from neardup.readers.columns import usual
from neardup.readers.fields import column_of, with_fields
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source, names_in, open_source, paths_in
from neardup.steps.columns import schema_of

USUAL: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "passage": tuple((name,) for name in ("passage", "context", "article", "story", "support")),
    "question": tuple(
        (name,)
        for name in (
            *("question", "prompt", "problem", "query", "goal", "ctx", "stem", "sentence"),
            *("instruction", "input", "text", "content", "body"),
        )
    ),
    "options": (
        *(("choices",), ("options",), ("endings",), ("candidates",), ("mc1_targets",)),
        ("A", "B", "C", "D", "E"),
        ("A", "B", "C", "D"),
        *(("opa", "opb", "opc", "opd"), ("option1", "option2"), ("sol1", "sol2")),
        *(("ending0", "ending1", "ending2", "ending3"), ("choice1", "choice2")),
    ),
    "answer": tuple(
        (name,)
        for name in (
            *("answer", "answers", "answerKey", "answer_key", "correct_answer", "best_answer"),
            *("solution", "canonical_solution", "target", "output", "response", "completion"),
            *("gold", "label", "cop", "code"),
        )
    ),
}
ITEMS = schema_of("item int64, id benchmark passage question options answer string, parts int64")
PARTS = schema_of("part item field number int64, text string")
LETTERS = "ABCDEFGHIJ"


class Items(NamedTuple):
    """The test items of some benchmarks, one row each, and their parts: a row a text."""

    items: pa.Table
    parts: pa.Table


class Item(NamedTuple):
    """One test item."""

    id: str
    benchmark: str
    passage: str
    question: str
    options: tuple[str, ...]
    answer: str


NO_ITEMS = Items(ITEMS.empty_table(), PARTS.empty_table())


def read_items(benchmarks: object, columns: Mapping[str, tuple[str, ...]], encoding: str) -> Items:
    """Read benchmarks: paths, each file one of the suite, or data in memory."""
    reader = ReaderSettings(encoding=encoding)
    found: list[Item] = []
    if paths := paths_in(benchmarks):
        opened = FileSource.open(paths, reader)
        for file, name in zip(opened.files, short_names(opened.names), strict=True):
            chosen = chosen_columns(names_in(file, reader), columns, file.name)
            source = FileSource((file,), with_columns(reader, chosen))
            found += items_of(source, chosen, name)
    else:
        chosen = chosen_columns(names_in(benchmarks, reader), columns, "the benchmarks")
        found += items_of(open_source(benchmarks, with_columns(reader, chosen)), chosen, "memory")
    if not found:
        raise InputError("the benchmarks hold no test items", hint="Are these the right files?")
    return tables_of(found)


def short_names(names: Sequence[str]) -> list[str]:
    """Return what benchmarks are called: their files without suffixes, if that names each one.

    >>> short_names(["mmlu/test.jsonl", "arc/test.jsonl"]), short_names(["arc.jsonl.gz", "mmlu.csv"])
    (['mmlu/test', 'arc/test'], ['arc', 'mmlu'])
    """
    bases = [name.removesuffix("".join(PurePosixPath(name).suffixes)) for name in names]
    return bases if len(set(bases)) == len(bases) else list(names)


def chosen_columns(
    names: Sequence[str], given: Mapping[str, tuple[str, ...]], where: str
) -> dict[str, tuple[str, ...]]:
    """Return the columns of each field that a benchmark has: those given, or the usual ones."""
    if not names:
        return {"question": ("text",)}
    listed = ", ".join(names[:20])
    missing = [column for columns in given.values() for column in columns if column not in names]
    if missing:
        raise InputError(f"no column {missing[0]!r}", where=where, hint=f"Its columns are: {listed}.")
    found = dict(given)
    taken = {column for columns in given.values() for column in columns}
    for field in FIELDS:
        if given and field != "question":
            continue
        for wished in USUAL[field] if field not in found else ():
            own = [usual((name,), list(names)) if len(name) > 1 else name for name in wished]
            if all(name in names and name not in taken for name in own):
                found[field] = tuple(str(name) for name in own)
                taken |= set(found[field])
                break
    if not found:
        hint = f'Its columns are: {listed}. Say which is what: fields="question=COLUMN,answer=COLUMN"'
        raise InputError("no column that looks like a question", where=where, hint=hint)
    return {field: found[field] for field in FIELDS if field in found}


def with_columns(reader: ReaderSettings, chosen: Mapping[str, tuple[str, ...]]) -> ReaderSettings:
    """Return settings to read all of these columns."""
    columns = list(dict.fromkeys(column for own in chosen.values() for column in own))
    return reader if columns == ["text"] else with_fields(reader, columns)


def items_of(source: Source, chosen: Mapping[str, tuple[str, ...]], benchmark: str) -> Iterator[Item]:
    """Yield the items of one benchmark."""
    columns = [column for own in chosen.values() for column in own]
    place = 0
    for batch in (batch for split in source.splits() for batch in source.read(split)):
        read = {column: batch[column_of(column, columns)].to_pylist() for column in columns}
        for row, given in enumerate(batch["id"].to_pylist()):
            place += 1
            own = {f: [read[c][row] for c in chosen.get(f, ()) if read[c][row]] for f in FIELDS}
            options = tuple(text for value in own["options"] for text in texts_in(value))
            answers = [text for value in own["answer"] for text in texts_in(value)]
            answer = resolved(answers[0] if answers else "", options)
            passage, question = (
                " ".join(text for value in own[field] for text in texts_in(value))
                for field in ("passage", "question")
            )
            if passage or question or options or answer:
                name = f"{benchmark}#{given or place}"
                yield Item(name, benchmark, passage, question, options, answer)


def texts_in(value: str) -> list[str]:
    """Return the texts of a value that may be a list, or a dict with one, as JSON or Python writes it.

    >>> texts_in('{"text": ["one", "two"], "label": ["A", "B"]}'), texts_in("[1] is a number")
    (['one', 'two'], ['[1] is a number'])
    """
    if value[:1] not in "[{":
        return [value]
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, dict):
            found = found.get("text") or found.get("choices") or found.get("value") or []
        listed = found if isinstance(found, list | tuple) else [found]
        return [one_text(one) for one in listed if one_text(one)]
    return [value]


def one_text(value: object) -> str:
    """Return the text of one value of a list."""
    if isinstance(value, dict):
        value = value.get("text") or value.get("content") or value.get("value") or ""
    return "" if value is None else str(value)


def resolved(answer: str, options: Sequence[str]) -> str:
    """Return the text of an answer that is given by the number or the letter of an option.

    >>> resolved("1", ("red", "blue")), resolved("A", ("red", "blue")), resolved("C", ())
    ('blue', 'red', '')
    """
    letter = answer.strip().strip("().").upper()
    if answer not in options and len(letter) == 1 and letter in LETTERS:
        at = LETTERS.index(letter)
        return options[at] if at < len(options) else ""
    if options and answer not in options and letter.isdigit() and int(letter) < len(options):
        return options[int(letter)]
    return answer


def tables_of(found: Iterable[Item]) -> Items:
    """Return items as tables; of those with the same id, later ones get another."""
    items: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] = []
    known: set[str] = set()
    for number, one in enumerate(found):
        given = one.id if one.id not in known else f"{one.id}##{number}"
        known.add(given)
        options = ((2, option) for option in one.options)
        texts = [(0, one.passage), (1, one.question), *options, (3, one.answer)]
        own = [(field, text) for field, text in texts if text.strip()]
        for at, (field, text) in enumerate(own):
            parts.append(
                {"part": len(parts), "item": number, "field": field, "number": at, "text": text}
            )
        items.append(
            {
                **one._asdict(),
                "item": number,
                "id": given,
                "options": "\n".join(one.options),
                "parts": len(own),
            }
        )
    return Items(pa.Table.from_pylist(items, ITEMS), pa.Table.from_pylist(parts, PARTS))
