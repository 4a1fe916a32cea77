"""A reader: a box of cards is a line `#cards`, then a line for each, with a shelf and a text."""

from neardup.extending import Columns, Reader, Record, always, batches, guarded, markup, written


def lines(file):
    with file.open_stream() as stream:
        return stream.read(file.size).decode("utf-8", "replace").splitlines()[1:]


@guarded
def record(line):
    shelf, bar, text = line.partition("|")
    return Record(text, None, {"shelf": shelf}) if bar else Record(problem="no text", detail=line)


def read(file, begin, end, settings, schema):
    yield from batches(map(record, lines(file)), schema)


def rewrite(file, target, decided, settings):
    choice = decided.in_turn()
    with written(target, file.packing()) as out:
        out.write(b"#cards\n")
        for line in lines(file):
            if choice.next(record(line).is_bad):
                out.write(f"{line}\n".encode())
    return choice.kept


READER = Reader(
    look=always(Columns("text", None, {"shelf": "shelf"})),
    read=read,
    rewrite=rewrite,
    suffixes=(".cards",),
    begins=markup(rb"#cards\n"),
    holds_gil=True,
    carries=("shelf",),
)
