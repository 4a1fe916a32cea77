"""Scripts of modules, as reports and the server's pages have them."""

import re
from pathlib import Path

import pytest

from neardup.web import viewer
from neardup.web.viewer import script

STATIC = Path(viewer.__file__).parent / "static"
PAGES = ("report.js", "search.js", "asked.js")


@pytest.mark.parametrize("name", PAGES)
def test_a_script_needs_no_other_file_and_cannot_end_early(name: str) -> None:
    text = script(name)
    assert not re.search(r"^\s*(import|export)\b", text, re.MULTILINE)
    assert "</" not in text and "<!--" not in text  # nothing that HTML takes for its own


@pytest.mark.parametrize("name", PAGES)
def test_all_that_a_script_uses_is_declared_before(name: str) -> None:
    known: set[str] = set()
    for line in script(name).splitlines():
        used = re.match(r"^const (?:\w+|\{[^}]*\}) = (\$\w+);$", line)
        assert not used or used[1] in known, line
        if declared := re.match(r"^const (\$\w+) = ", line):
            assert declared[1] not in known
            known.add(declared[1])
    assert f"${name.replace('.', '_')}" in known


def test_every_module_is_part_of_some_page() -> None:
    declared = r"(?m)^const \$(\w+)_js ="
    used = {f"{name}.js" for page in PAGES for name in re.findall(declared, script(page))}
    assert used == {path.name for path in STATIC.glob("*.js")}


ONE = """// about

import {
  f, g,
} from "./two.js";
/** Call it.
 * @param {X} x */
function h(x) {
  /** @type {X} */ (x).y = f(x); // why
  return g / 2;
}
"""
TWO = """export function f(x) {
  return "// x";
}
export const g = 6;
export async function h() {}
"""
BOTH = """"use strict";
const $two_js = (() => {
function f(x) {
  return "// x";
}
const g = 6;
async function h() {}
return { f, g, h };
})();
const $one_js = (() => {
const {
  f, g,
} = $two_js;
function h(x) {
  /** @type {X} */ (x).y = f(x); // why
  return g / 2;
}
return {  };
})();
"""


def test_modules_become_functions_and_only_comments_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(viewer, "static", {"one.js": ONE, "two.js": TWO}.__getitem__)
    assert script("one.js") == BOTH
