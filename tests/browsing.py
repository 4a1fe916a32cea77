"""A page in a browser that notes what goes wrong, and a text that tries to make it."""

from pathlib import Path
from typing import Any

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
