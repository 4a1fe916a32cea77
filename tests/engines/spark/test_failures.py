"""What went wrong on Spark is told with a remedy."""

import base64
import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

import neardup
from neardup.engines.spark.failures import TOKEN, carried, explanation
from neardup.errors import InputError, NeardupError, OutputError, SettingsError, StepError


def test_a_bad_record_is_named_in_a_strict_run(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "fine"}\n{"text": 7\n')
    with pytest.raises(InputError, match=r"bad\.jsonl, record 2") as error:
        neardup.documents(
            str(tmp_path / "bad.jsonl"), engine=spark, strict=True, output=tmp_path / "out"
        )
    assert "strict=True" in str(error.value.hint)
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize(
    ("told", "kind", "what"),
    [
        ("ModuleNotFoundError: No module named 'neardup'", SettingsError, "no package neardup"),
        ("[PYTHON_VERSION_MISMATCH] Python in worker has", SettingsError, "another Python"),
        ("java.lang.OutOfMemoryError: Java heap space", StepError, "too little memory"),
        ("ExecutorLostFailure (executor 3 exited)", StepError, "too little memory"),
        ("AccessControlException: Permission denied: user=me", OutputError, "not permitted"),
        ("Traceback\n  File x\nValueError: seven", StepError, "ValueError: seven"),
        ("", StepError, "Spark failed"),
    ],
)
def test_what_went_wrong_is_told_with_a_remedy(told: str, kind: type[NeardupError], what: str) -> None:
    error = explanation(told, "step 'units'")
    assert isinstance(error, kind)
    assert what in str(error)
    assert error.hint or kind is StepError


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
