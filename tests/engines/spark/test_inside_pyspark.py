"""What rests on PySpark's insides is done with the versions that were tried; methods run without it."""

import tomllib
from pathlib import Path
from typing import Any

import pyspark
import pytest
from tests.corpora import stories

import neardup
from neardup.engines.spark import folders, inside_pyspark
from neardup.engines.spark.inside_pyspark import TRIED, expected_size
from neardup.engines.spark.session import defaults
from neardup.errors import SettingsError

DAEMON = "spark.python.daemon.module"


def test_only_versions_of_pyspark_that_were_tried_are_installed() -> None:
    root = Path(__file__).parents[3]
    said = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (major, oldest), (_, newest) = TRIED
    assert f"pyspark>={major}.{oldest},<{major}.{newest + 1}" in said["spark"]


def test_another_pyspark_has_its_own_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    assert DAEMON in defaults("yarn", None, "")
    monkeypatch.setattr(pyspark, "__version__", "4.99.0")
    assert DAEMON not in defaults("yarn", None, "")


@pytest.mark.slow
def test_another_pyspark_writes_the_same_to_a_disk(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = stories(6, 4)
    rows = [(f"n{n}", text) for n, text in enumerate([*texts, texts[0]])]
    frame = spark.createDataFrame(rows, "id string, text string").coalesce(1)
    known = expected_size(frame)
    usual: Any = neardup.documents(frame, engine=spark, output=tmp_path / "usual")
    assert known

    def refuse(*_: object) -> None:
        raise AssertionError("this is of the insides")

    monkeypatch.setattr(pyspark, "__version__", "4.99.0.dev0")
    monkeypatch.setattr(folders, "java_of", refuse)
    monkeypatch.setattr(folders, "hadoop_configuration", refuse)
    assert not inside_pyspark.is_tried()
    assert expected_size(frame) is None
    other: Any = neardup.documents(frame, engine=spark, output=tmp_path / "other")
    for name in ("pairs", "documents"):
        assert getattr(other.local(), name) == getattr(usual.local(), name)
    with pytest.raises(SettingsError, match="cannot write to addresses"):
        neardup.documents(frame, engine=spark, output="hdfs://nowhere/out")
