"""`neardup filter`: lines through a pipe, also if it is killed."""

import json
import signal
import subprocess
from pathlib import Path

from tests.command_line import NEARDUP, call
from tests.corpora import prose

from neardup.index.online import Index


def lines_of(*seeds: int) -> str:
    return "".join(json.dumps({"url": f"u{seed}", "text": prose(60, seed)}) + "\n" for seed in seeds)


def test_new_lines_go_through_into_an_index_that_is_made(tmp_path: Path) -> None:
    done = call("filter", tmp_path / "i", "--key", "url", input=lines_of(1, 2, 1))
    assert (done.code, done.out) == (0, lines_of(1, 2))
    assert "3 lines: 2 new, 1 known" in done.said and "2 documents in" in done.said
    done = call("filter", tmp_path / "i", "--quiet", input=lines_of(2, 3))
    assert (done.code, done.out, done.err) == (0, lines_of(3), "")


def test_nothing_is_made_where_the_input_is_refused(tmp_path: Path) -> None:
    done = call("filter", tmp_path / "i", "--threshold", 2, input=lines_of(1))
    assert done.code == 2 and "threshold" in done.said
    done = call("filter", tmp_path / "i", "--text-column", "txt", input=lines_of(1))
    assert done.code == 1 and "no column 'txt'" in done.said and done.out == ""
    done = call("filter", tmp_path / "i", "--key", "link", input=lines_of(1))
    assert done.code == 1 and "Name one with --key." in done.said


def test_what_was_written_out_before_a_kill_is_in_the_index(tmp_path: Path) -> None:
    command = [*NEARDUP, "filter", str(tmp_path / "i"), "-q"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin and running.stdout
        for seed in range(20):
            running.stdin.write(lines_of(seed).encode())
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["url"] == f"u{seed}"  # at once
        running.send_signal(signal.SIGKILL)
        running.communicate()
    with Index(tmp_path / "i", writable=False) as index:
        assert len(index) == 20
    done = call("filter", tmp_path / "i", "-q", input=lines_of(*range(22)))
    assert (done.code, done.out) == (0, lines_of(20, 21))
