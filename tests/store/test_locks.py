"""One at a time writes an index."""

import subprocess
import sys
from pathlib import Path

import pytest

from neardup.errors import LockedError
from neardup.store import locks
from neardup.store.locks import Lock


def test_the_second_one_waits_or_is_told_who_is_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        "import sys, time; from pathlib import Path; from neardup.store.locks import Lock; "
        f"lock = Lock(Path({str(tmp_path)!r})); print('held', flush=True); "
        "time.sleep(float(sys.argv[1]))"
    )

    def holding(seconds: float) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", script, str(seconds)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout and process.stdout.readline() == "held\n"
        return process

    process = holding(300)
    monkeypatch.setattr(locks, "PATIENCE", 0.2)
    with pytest.raises(LockedError, match=rf"another process \({process.pid}\)"):
        Lock(tmp_path)
    process.kill()  # which ends its lock
    process.wait()
    lock = Lock(tmp_path)
    with pytest.raises(LockedError, match="this process"):
        Lock(tmp_path)
    lock.release()
    process = holding(0.3)
    monkeypatch.setattr(locks, "PATIENCE", 100)
    Lock(tmp_path)
    process.wait()
