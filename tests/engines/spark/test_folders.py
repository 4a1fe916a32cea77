"""Folders that only Spark reaches."""

from typing import Any

import pytest

import neardup
from neardup.errors import SettingsError


def test_a_filesystem_that_spark_does_not_know_is_named(spark: Any) -> None:
    with pytest.raises(SettingsError, match="does not know gopher"):
        neardup.documents(["a"], engine=spark, output="gopher://host/out")
