"""The commands of methods."""

import pytest

from neardup.cli import methods
from neardup.cli.app import App


@pytest.mark.parametrize("name", ["endings", "options"])
def test_a_method_may_be_called_as_a_module_that_is_no_command(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Called(type(methods.loaded("documents", methods.METHODS["documents"]))):  # type: ignore[misc]
        """Find what is called like a module here."""

    Called.name = name
    monkeypatch.setattr(methods, "app", App())
    monkeypatch.setattr(methods, "loaded", lambda *_: Called())
    monkeypatch.setitem(methods.METHODS, name, "")
    methods.add(name)
    assert [command.callback.__name__ for command in methods.app.registered_commands] == [name]
