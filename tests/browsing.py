"""A page in a browser that notes what goes wrong, and a text that tries to make it."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

HOSTILE = (
    "<script>window.hacked = 1</script> </script><script>window.hacked = 2</script> "
    "<img src=x onerror='window.hacked = 3'> <svg onload='window.hacked = 4'> &lt;b&gt; "
    "\u202eevil\u202c \u0007 zero\u200bwidth ]]> --> ${window.hacked = 5} {{7*7}} "
    "javascript:alert(1) end of it"
)


class Opened:
    """A page that notes what goes wrong, and whatever it asks for."""

    def __init__(self, browser: Any, path: Path, **context: Any) -> None:
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **context})
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", lambda m: self.wrong.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"a dialog: {dialog.message}"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready]")


INSTALLED = Path(__file__).parent.parent / ".venv" / "axe"  # where make puts it
SCRIPT = Path("node_modules") / "axe-core" / "axe.min.js"


@cache
def axe() -> str:
    """Return the script of axe-core, which checks how accessible a page is."""
    if (INSTALLED / SCRIPT).exists():
        return (INSTALLED / SCRIPT).read_text(encoding="utf-8")
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("axe-core is not checked: there is no npm to install it")
    folder = mkdtemp(prefix="axe-")
    try:
        order = [npm, "install", "--silent", "--no-save", "--prefix", folder, "axe-core@4"]
        if subprocess.run(order, capture_output=True, timeout=120).returncode:
            pytest.skip("axe-core is not checked: npm could not install it")
        return (Path(folder) / SCRIPT).read_text(encoding="utf-8")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def violations(page: Any) -> list[str]:
    """Return what axe-core finds wrong with a page, as it is now."""
    page.evaluate(axe())
    found = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
    )
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary')}"
        for one in found
        for node in one["nodes"]
    ]
