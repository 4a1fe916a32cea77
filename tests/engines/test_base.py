"""Engines are known by their names."""

import pytest

import neardup
from neardup.errors import SettingsError


def test_there_are_two_engines() -> None:
    with pytest.raises(SettingsError, match="there is no engine 'hadoop'"):
        neardup.documents(["a"], engine="hadoop")
