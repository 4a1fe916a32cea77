"""The commands of methods."""

import pytest

from neardup.cli import methods
from neardup.cli.app import App
from neardup.methods import METHODS
from neardup.methods.documents import Documents


@pytest.mark.parametrize("name", ["endings", "options"])
def test_a_method_may_be_called_as_a_module_that_is_no_command(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Called(Documents):
        """Find what is called like a module here."""

    app = App()
    monkeypatch.setattr(Called, "name", name)
    monkeypatch.setattr(methods, "app", app)
    monkeypatch.setattr(methods, "loaded", lambda *_: Called())
    monkeypatch.setitem(METHODS, name, "")
    methods.add(name)
    assert [getattr(own.callback, "__name__", "") for own in app.registered_commands] == [name]
