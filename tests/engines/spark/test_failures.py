"""What went wrong on Spark is told with a remedy."""

import base64
import json
import os
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import neardup
from neardup.engines.spark.failures import TOKEN, carried, explanation
from neardup.engines.spark.small import SmallTables
from neardup.errors import InputError, NeardupError, OutputError, SettingsError, StepError
from neardup.showing.console import Lines


def test_a_bad_record_is_named_in_a_strict_run(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "fine"}\n{"text": 7\n')
    with pytest.raises(InputError, match=r"bad\.jsonl, record 2") as error:
        neardup.documents(
            str(tmp_path / "bad.jsonl"), engine=spark, strict=True, output=tmp_path / "out"
        )
    assert "strict=True" in str(error.value.hint)
    assert not list(tmp_path.glob("out*"))


CALLING = "An error occurred while calling o1446.getFileSystem."


@pytest.mark.parametrize(
    ("told", "kind", "what"),
    [
        ("ModuleNotFoundError: No module named 'neardup'", SettingsError, "no package neardup"),
        ("[PYTHON_VERSION_MISMATCH] Python in worker has", SettingsError, "another Python"),
        ("java.lang.OutOfMemoryError: Java heap space", StepError, "too little memory"),
        ("ImportError: libllvm.so: failed to map segment from shared object", StepError, "too little"),
        ("OSError: [Errno 12] Cannot allocate memory", StepError, "too little memory"),
        ("ExecutorLostFailure (executor 3 exited)", StepError, "too little memory"),
        ("AccessControlException: Permission denied: user=me", OutputError, "not permitted"),
        ("Traceback\n  File x\nValueError: seven", StepError, "ValueError: seven"),
        (f"{CALLING}\n: java.io.IOException: No room\n\tat org", StepError, "IOException: No room"),
        ("", StepError, "Spark failed"),
    ],
)
def test_what_went_wrong_is_told_with_a_remedy(told: str, kind: type[NeardupError], what: str) -> None:
    error = explanation(told, "step 'units'")
    assert isinstance(error, kind)
    assert what in str(error)
    assert error.hint or kind is StepError


@pytest.mark.parametrize(
    ("output", "hint"),
    [
        ("s3a://bucket/found", "Add its package .*:hadoop-aws:[0-9.]+$"),
        ("s3://bucket/found", "Hadoop calls it s3a://: write that, and add .*:hadoop-aws:[0-9.]+$"),
        ("abfss://box@account/found", "Add its package .*:hadoop-azure:[0-9.]+$"),
        ("gopher://bucket/found", "Add the package of this filesystem"),
    ],
)
def test_an_address_that_spark_lacks_a_package_for_is_told_with_its_name(
    spark: Any, output: str, hint: str
) -> None:
    with pytest.raises(
        SettingsError, match=f"Spark does not know {output.partition(':')[0]}://"
    ) as error:
        neardup.documents(["a text"], engine=spark, output=output)
    assert re.search(hint, str(error.value.hint))


def test_a_run_that_fails_does_not_say_that_it_is_done(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*_: Any) -> None:
        raise StepError("the executors have too little memory")

    monkeypatch.setattr(SmallTables, "write", failing)
    monkeypatch.setattr("neardup.showing.console.WORTH_A_LINE", 0)
    with pytest.raises(StepError, match="too little memory"):
        neardup.documents(["a text", "a text"], engine=spark, output=tmp_path / "out", progress=Lines())
    said = capsys.readouterr().err
    assert "reading texts: done" in said
    assert "documents: done" not in said


def test_errors_of_neardup_s_own_arrive_as_they_are() -> None:
    with pytest.raises(Exception, match="neardup-error:") as raised, carried():
        raise InputError("bad", where="here", hint="Mend it.")
    assert str(explanation(f"Traceback …\n{raised.value}\n\tat java", "x")) == "here: bad\nMend it."


def test_a_message_in_which_the_input_speaks_runs_nothing(tmp_path: Path) -> None:
    harm = tmp_path / "harm"
    hostile = base64.b64encode(pickle.dumps(Touch(str(harm)))).decode()
    error = explanation(f"ValueError: bad number {TOKEN}{hostile}", "x")
    assert isinstance(error, StepError)
    assert not harm.exists()
    for told in (["Path", "a", None, None], ["json", "a", None, None], ["NeardupError"], 7):
        encoded = base64.b64encode(json.dumps(told).encode()).decode()
        assert isinstance(explanation(TOKEN + encoded, "x"), StepError)


class Touch:
    """Makes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (self.path,)
