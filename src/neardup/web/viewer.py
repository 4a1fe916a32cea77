"""The viewer: scripts and styles that show tables and pairs, in a report or from a server."""

import json
import re
from importlib.resources import files

from neardup.web.words import all_words

STYLES = ("base.css", "viewer.css")
WORDS = "words.json"
# What modules may say: `import { a, b } from "./x.js"`, and `export` before a declaration of one name.
IMPORT = re.compile(r'(?m)^import (\w+|\{\s*\w+(?:,\s*\w+)*,?\s*\}) from "\./([\w.]+)"[^;]*;\n')
EXPORT = re.compile(r"(?m)^export (?=(?:async )?(?:function|class|const) (\w+))")
COMMENT = re.compile(r"(?ms)^ *(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)?\n")  # or an empty line


def static(name: str) -> str:
    """Return one of the viewer's files."""
    return (files("neardup.web") / "static" / name).read_text(encoding="utf-8")


def script(name: str) -> str:
    """Return a module with all that it imports as one script, which needs no other file.

    Each module becomes a function that returns what the module exports. Comments are left out.
    """
    parts: dict[str, str] = {}
    add_module(name, parts)
    return "".join(['"use strict";\n', *parts.values()])


def add_module(name: str, parts: dict[str, str]) -> None:
    """Add a module to those that a script has, behind those that it imports."""
    if name in parts:
        return
    if name == WORDS:
        parts[name] = f"const {variable(name)} = {words_script()};\n"
        return
    text = static(name)
    for imported in IMPORT.finditer(text):
        add_module(imported[2], parts)
    text = IMPORT.sub(lambda found: f"const {found[1]} = {variable(found[2])};\n", text)
    exported = ", ".join(EXPORT.findall(text))
    text = COMMENT.sub("", EXPORT.sub("", text))
    parts[name] = f"const {variable(name)} = (() => {{\n{text}return {{ {exported} }};\n}})();\n"


def variable(name: str) -> str:
    """Return what a script calls what a file exports.

    >>> variable("dom.js")
    '$dom_js'
    """
    return f"${name.replace('.', '_')}"


def words_script() -> str:
    """Return all words as a script has them: nothing in them ends it."""
    return json.dumps(all_words(), ensure_ascii=False).replace("</", "<\\/")


def style() -> str:
    """Return the style of the viewer."""
    return "".join(map(static, STYLES))
