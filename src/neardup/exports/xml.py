"""XML, written part by part: whole or not there, and well-formed whatever the texts hold."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from neardup.durable import written

MARK = "<!-- exported by neardup -->"
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def safe(text: object) -> str:
    r"""Return a text as XML may hold it, of the same length when it is read again.

    Characters that XML does not have become U+FFFD; a carriage return is a reference, or it would be
    read as a line feed.

    >>> safe("a < b\r\n\x00")
    'a &lt; b&#13;\n\ufffd'
    """
    return escape(FORBIDDEN.sub("\ufffd", str(text)), quote=False).replace("\r", "&#13;")


def attribute(value: object) -> str:
    r"""Return a value with quotes, as an attribute.

    >>> attribute('"a"\n')
    '"&quot;a&quot;&#10;"'
    """
    plain = safe(value).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return f'"{plain}"'


def write_xml(path: Path, parts: Iterable[str]) -> None:
    """Write an XML file of its parts, behind the line that says that neardup wrote it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as out:
        out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{MARK}\n')
        out.writelines(parts)
