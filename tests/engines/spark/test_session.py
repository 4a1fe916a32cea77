"""What Spark needs is looked for before anything begins."""

import sys
from pathlib import Path

import pytest

from neardup.engines.spark.session import LOG, check_java, check_master, check_pyspark, not_started
from neardup.errors import SettingsError


def test_without_java_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingsError, match="needs Java"):
        check_java()
    old = tmp_path / "java"
    old.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_302\"' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(SettingsError, match="needs Java 17, this is 8"):
        check_java()


def test_without_pyspark_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(SettingsError, match=r"needs pyspark.*\n.*pip install '\.\[spark\]'"):
        check_pyspark()


def test_a_master_that_is_none_or_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match="there is no master 'sparky'"):
        check_master("sparky")
    with pytest.raises(SettingsError, match="HADOOP_CONF_DIR"):
        check_master("yarn")
    with pytest.raises(SettingsError, match="does not answer"):
        check_master("spark://127.0.0.1:1")
    check_master("local[2]")
    check_master("k8s://https://cluster:6443")


def test_why_spark_did_not_start_is_told() -> None:
    told = "WARNING: something\nException in thread main java.net.BindException: in use\n\tat x.y(Z)"
    assert "BindException: in use" in str(not_started("local[*]", told))


def test_the_settings_of_sparks_log_are_part_of_the_package() -> None:
    assert "level = off" in LOG.read_text()
