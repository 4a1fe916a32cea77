"""Reading the input: the list of readers, and all that they share.

A reader is a module whose `READER` says all that neardup knows of a format. The list has its path and
what people call the format, so that both can be had without loading a reader. A file whose suffix nobody
knows is read by the first reader of the list that recognises its content, or else by the last. Those of
other packages stand before the last, by paths such as module:name.
"""

from neardup import plugins

READERS = {
    "neardup.readers.jsonl": "JSONL",
    "neardup.readers.jsonarray": "JSON",
    "neardup.readers.parquet": "Parquet",
    "neardup.readers.arrow": "Arrow",
    "neardup.readers.csv": "CSV",
    "neardup.readers.warc": "WARC",
    "neardup.readers.trec": "TREC",
    "neardup.readers.wikipedia": "dumps of Wikipedia",
    "neardup.readers.stackexchange": "dumps of Stack Exchange",
    "neardup.readers.indexes": "indexes of neardup",
    "neardup.readers.pdf": "PDF",
    "neardup.readers.packages": "DOCX, ODT, EPUB",
    "neardup.readers.rtf": "RTF",
    "neardup.readers.editions": "TEI, ALTO, PAGE",
    "neardup.readers.html": "HTML",
    "neardup.readers.plain": "text",
}
ADDED = {point.value: point for point in plugins.added(plugins.READERS, READERS.values()).values()}
if ADDED:
    *FIRST, LAST = READERS.items()
    READERS = dict([*FIRST, *((path, point.name) for path, point in ADDED.items()), LAST])
