"""Limits of containers, read from files as Linux has them."""

import math
from pathlib import Path
from resource import RLIMIT_AS, setrlimit

import pytest
from tests.command_line import Printed, call

from neardup.settings import run as containers
from neardup.settings import run as settings

GB = 1 << 30
NONE_V1 = "9223372036854771712"


def machine(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n")
    return root


@pytest.mark.parametrize(
    ("files", "memory", "cores"),
    [
        ({}, math.inf, math.inf),
        (
            {
                "proc/self/cgroup": "0::/",
                "sys/fs/cgroup/memory.max": str(2 * GB),
                "sys/fs/cgroup/cpu.max": "150000 100000",
            },
            2 * GB,
            1.5,
        ),
        (
            {
                "proc/self/cgroup": "0::/user.slice/job.scope",
                "sys/fs/cgroup/user.slice/job.scope/memory.max": "max",
                "sys/fs/cgroup/user.slice/job.scope/cpu.max": "max 100000",
                "sys/fs/cgroup/user.slice/memory.max": str(GB),
                "sys/fs/cgroup/user.slice/cpu.max": "400000 100000",
            },
            GB,
            4,
        ),
        (
            {
                "proc/self/cgroup": "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": NONE_V1,
                "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": str(3 * GB),
                "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "50000",
                "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us": "100000",
            },
            3 * GB,
            0.5,
        ),
        (
            {
                "proc/self/cgroup": "4:memory:/not/mounted/here\n3:cpu,cpuacct:/",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": str(GB),
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
            },
            GB,
            math.inf,
        ),
        ({"proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": "strange"}, math.inf, math.inf),
    ],
    ids=["none", "v2", "v2 below a limit", "v1", "v1 in its own namespace", "strange"],
)
def test_limits(files: dict[str, str], memory: float, cores: float, tmp_path: Path) -> None:
    root = machine(tmp_path, files)
    assert containers.memory_limit(root) == memory
    assert containers.core_limit(root) == cores


@pytest.mark.parametrize(("quota", "workers"), [(0.5, 1), (1.5, 2), (math.inf, 8)])
def test_a_run_keeps_to_the_limits_of_its_container(
    quota: float, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(8))
    monkeypatch.setattr(settings, "memory_limit", lambda: float(GB))
    monkeypatch.setattr(settings, "core_limit", lambda: quota)
    found = settings.RunSettings.make()
    assert (found.workers, found.memory) == (workers, GB // 2)


def test_a_very_small_container_gets_the_least_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "memory_limit", lambda: float(40 << 20))
    assert settings.RunSettings.make().memory == settings.LEAST_MEMORY


def limited(addresses: int, *words: object) -> Printed:
    """Run a command that may reserve so many bytes of addresses."""
    return call(*words, preexec_fn=lambda: setrlimit(RLIMIT_AS, (addresses, addresses)))


def test_a_session_with_too_few_addresses_is_told_so_in_one_line(tmp_path: Path) -> None:
    """Libraries crash there, each in its own way."""
    (tmp_path / "a.jsonl").write_text('{"text": "a few words that are here twice"}\n' * 2)
    out = tmp_path / "out"
    for addresses in (GB // 2, 3 * GB // 2, 2 * GB):
        done = limited(addresses, "documents", tmp_path / "a.jsonl", "-o", out)
        assert done.code == 1
        assert done.err.startswith("error: this session may reserve") and "ulimit -v" in done.err
        assert not out.exists()
    assert limited(2 * GB, "--version").code == 0
    done = limited(containers.LEAST_ADDRESSES, "documents", tmp_path / "a.jsonl", "-o", out)
    assert done.code == 0, done.err


def test_what_is_left_of_the_addresses_bounds_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "address_limit", lambda: float(4 * GB))
    monkeypatch.setattr(settings, "memory_limit", lambda: float(64 * GB))
    assert settings.RunSettings.make().memory <= (4 * GB - containers.OWN_ADDRESSES) // 2
