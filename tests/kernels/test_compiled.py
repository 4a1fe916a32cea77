"""Compiled kernels are kept where they may be, never stale, and not taken from others."""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from neardup.kernels import cache_folder
from neardup.kernels.cache_folder import TRIED, UNUSED, digest, folder, names_kept, waiting
from neardup.kernels.compiled import kernel

CALL = """
import sys
import numpy as np
from neardup.kernels.cache_folder import folder
from neardup.kernels.counters import count_values, {more}
counters = np.zeros(16, np.uint8)
count_values(counters, np.arange(3))
print(folder())
print(counters.sum(), sum(count_values.stats.cache_hits.values()))
print("numba.np.arraymath" in sys.modules)
"""

ROOT = Path(__file__).parents[2]


def call(**environment: str) -> tuple[str, str]:
    """Call a kernel in a process of its own; return its folder, and the sum and hits."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG", "NUMBA"))}
    done = subprocess.run(
        [sys.executable, "-c", CALL.format(more="counted")],
        env=kept | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    where, counted, compiler = done.stdout.splitlines()
    hits = int(counted.split()[1])
    assert compiler == str(not hits), "what only the compiler needs is loaded when it compiles"
    assert done.stderr.count("compiling") == (0 if hits else 1), "a wait is told of, once"
    return where, counted


def doubled(values: np.ndarray) -> np.ndarray:
    return values * 2


def test_a_second_process_does_not_compile_again(tmp_path: Path) -> None:
    first = call(XDG_CACHE_HOME=str(tmp_path))
    assert first[0].startswith(str(tmp_path / "neardup" / "kernels"))
    assert [first[1], call(XDG_CACHE_HOME=str(tmp_path))[1]] == ["3 0", "3 1"]


@pytest.mark.parametrize("home", ["/dev/null/home", ""])
def test_a_user_without_a_home_still_has_a_place(tmp_path: Path, home: str) -> None:
    """As in containers, where it is temporary."""
    where, counted = call(HOME=home, TMPDIR=str(tmp_path), NUMBA_CACHE_DIR="/dev/null/x")
    assert counted.startswith("3")
    assert where.startswith(str(tmp_path)) or not home


def test_nowhere_to_write_means_compiling_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "_places", lambda: iter([Path("/dev/null/x")]))
    folder.cache_clear()
    try:
        assert folder() is None
        own = kernel(doubled)
        assert not names_kept()
        assert own(np.arange(3)).tolist() == [0, 2, 4]
        assert not names_kept()
    finally:
        folder.cache_clear()


def test_a_numba_that_was_not_tried_means_compiling_each_time(own: Path) -> None:
    """Nothing of its insides is touched: they may be others."""
    before = "import numba; numba.__version__ = '0.99.0'"
    after = "print('neardup.kernels.inside_numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"{before}\n{CALL.format(more='counted')}\n{after}"],
        env=os.environ | {"NUMBA_CACHE_DIR": str(own)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["None", "3 0", "True", "False"]
    assert not own.exists()


def test_only_versions_of_numba_that_were_tried_are_installed() -> None:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    [wanted] = [line for line in said if line.startswith("numba")]
    first, last = TRIED
    assert wanted == f"numba>={first[0]}.{first[1]},<{last[0]}.{last[1] + 1}"


def test_a_folder_that_only_its_owner_may_read_is_no_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As root leaves it in an image that others run."""
    monkeypatch.setattr(cache_folder, "_places", lambda: iter([tmp_path]))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    folder.cache_clear()
    try:
        assert folder() is None
    finally:
        folder.cache_clear()


def test_a_wait_says_why_and_when_it_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "once on this machine" in waiting(Path("/home/me/.cache/neardup/kernels/0123"))
    temporary = waiting(Path("/tmp/neardup-kernels-1000/0123"))
    assert "again once /tmp/neardup-kernels-1000 is emptied" in temporary
    assert "NUMBA_CACHE_DIR" in temporary
    assert "every run" in waiting(None)
    assert "NUMBA_CACHE_DIR" in waiting(None)
    monkeypatch.setattr(numba, "__version__", "0.99.0")
    assert "Numba 0.99.0 is not one of 0.61 to 0.68" in waiting(None)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not os.access("/usr/bin/python3", os.X_OK),
    reason="only root can be nobody",
)
def test_nobody_can_use_what_root_installed() -> None:
    """Without a home, and with packages that cannot be written to."""
    with tempfile.TemporaryDirectory() as folder:  # which others may enter, unlike pytest's
        Path(folder).chmod(0o755)
        use_as_nobody(Path(folder))


def use_as_nobody(folder: Path) -> None:
    tried = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; print(sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=True,
    )
    if tried.stdout.strip() != str(sys.version_info[:2]):
        pytest.skip("the system has another Python")
    shutil.copytree(Path(cache_folder.__file__).parents[1], folder / "lib" / "neardup")
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o777)
    packages = Path(np.__file__).parents[1]
    done = subprocess.run(
        ["/usr/bin/python3", "-c", CALL.format(more="counted")],
        env={"PYTHONPATH": f"{folder / 'lib'}:{packages}", "TMPDIR": str(folder / "tmp")},
        cwd=folder,
        user="nobody",
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    if "Permission denied" in done.stderr or "No module named 'num" in done.stderr:
        pytest.skip("nobody may not see this project's packages")
    where, counted, _ = done.stdout.splitlines()
    assert where.startswith(str(folder / "tmp"))
    assert counted.startswith("3")
    assert "emptied: set NUMBA_CACHE_DIR" in done.stderr


def test_any_change_of_any_kernel_is_another_folder() -> None:
    sources = [("a.py", b"x = 1"), ("b.py", b"y = 2")]
    changed = [[("a.py", b"x = 1"), ("b.py", b"y = 3")], sources[:1], [("c.py", b"x = 1"), sources[1]]]
    assert len({digest(given) for given in [sources, *changed]}) == 4
    assert digest(sources) == digest(list(sources))


def test_each_signature_has_a_file_and_a_damaged_one_is_replaced(own: Path) -> None:
    first = kernel(doubled)
    assert not names_kept()
    first(np.arange(3))
    first(np.arange(3.0))
    assert names_kept() == {"test_compiled.doubled"}
    files = sorted(Path(str(folder())).glob("test_compiled.doubled-*"))
    assert len(files) == 2
    assert own in files[0].parents
    files[0].write_bytes(files[0].read_bytes()[:100])
    files[1].write_bytes(pickle.dumps(("another key", "nonsense")))
    again = kernel(doubled)
    assert again(np.arange(3)).tolist() == [0, 2, 4]
    assert again(np.arange(3.0)).tolist() == [0, 2, 4]
    assert sum(again.stats.cache_hits.values()) == 0
    third = kernel(doubled)
    third(np.arange(3))
    assert sum(third.stats.cache_hits.values()) == 1


@pytest.mark.usefixtures("own")
def test_what_came_from_the_disk_can_be_compiled_into_another() -> None:
    kernel(doubled)(np.arange(3))
    loaded = kernel(doubled)

    def twice_doubled(values: np.ndarray) -> Any:
        return loaded(loaded(values))

    assert loaded(np.arange(3)).tolist() == [0, 2, 4]
    assert kernel(twice_doubled)(np.arange(3)).tolist() == [0, 4, 8]
    assert sum(loaded.stats.cache_hits.values()) == 1
    assert not sum(loaded.stats.cache_misses.values())


def test_a_full_disk_costs_time_only(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    given = kernel(doubled)
    assert given(np.arange(2)).tolist() == [0, 2]
    assert not list(own.rglob("*doubled*"))


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files")
def test_code_that_others_could_have_put_there_is_not_run(own: Path) -> None:
    own.mkdir()
    own.chmod(0o777)
    assert own not in Path(str(folder())).parents


def test_what_was_not_used_for_long_is_deleted(own: Path) -> None:
    name = digest([])
    for part, age in (("0", UNUSED + 60), ("1", UNUSED - 60)):
        (own / (part + name[1:])).mkdir(parents=True)
        os.utime(own / (part + name[1:]), (0, time.time() - age))
    (own / "not ours").mkdir()
    os.utime(own / "not ours", (0, 0))
    assert folder() is not None
    assert {path.name for path in own.iterdir()} == {
        f"1{name[1:]}",
        "not ours",
        Path(str(folder())).name,
    }
