"""Commands that are killed before any of their file operations, or whose writes fail: nothing is lost.

    python -m tests.killing [--kills N] [--failures N] [--verb NAME] [--large]

tries every verb of `tests/killing_verbs.py` and prints a table. It starts itself in processes in which
`tests/killing.c` counts file operations. Each case is a fork of such a process, which has all in memory:
it is killed, or a write fails; then the same command runs once more, and all files must be what they
are when nothing happens, with nothing beside them.
"""

import argparse
import atexit
import contextlib
import ctypes
import json
import mmap
import os
import random
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import typer
from tests.killing_verbs import NAMES, VERBS, Verb, write_inputs

from neardup import cli
from neardup.index.kept import recover
from neardup.readers import pipes
from neardup.store.files import is_index

SOURCE = Path(__file__).with_suffix(".c")
ORDER = struct.Struct("6q4096s")  # as in killing.c
COUNT, KILL, FAIL_ONCE, FAIL_ON = range(4)
SECONDS = 120  # after which a command hangs
PROCESSES = 2
SAID = 600  # characters of what a command said
BY_CHANCE = re.compile(r"(?<=part-\d{5})-[0-9a-f-]{36}")  # in the names of Spark's files
TIMINGS = ("timings.json", ".timings.json.crc")  # Hadoop keeps a checksum beside each file
OF_LIBRARIES = re.compile(r"tmp/tmp\w{8}")
Tree = dict[str, bytes | None]


def compiled(folder: Path) -> Path | None:
    """Compile what counts file operations, if there is a compiler, for a system that can load it."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler or sys.platform != "linux":
        return None
    target = folder / "killing.so"
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(target), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return target


def started(library: Path, folder: Path, *options: object) -> subprocess.Popen[str]:
    """Start this module in a process whose file operations are counted."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.killing", "--folder", str(folder), *map(str, options)],
        env={**os.environ, "LD_PRELOAD": str(library), "NEARDUP_DEBUG": ""},
        cwd=SOURCE.parent.parent,
        stdout=subprocess.PIPE,
        text=True,
    )


def conducted(
    verbs: Sequence[str], options: Sequence[object], processes: int = PROCESSES
) -> Iterator[dict[str, Any]]:
    """Try verbs in some processes; yield what came of each."""
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None  # syncing to a disk would take long
    with tempfile.TemporaryDirectory(dir=place) as name:
        library = compiled(Path(name))
        if library is None:
            raise RuntimeError("this needs Linux and a C compiler")
        running = []
        for number in range(processes):
            folder = Path(name, str(number))
            chosen = [word for verb in verbs[number::processes] for word in ("--verb", verb)]
            if chosen:
                folder.mkdir()
                running.append(started(library, folder, *chosen, *options))
        for process in running:
            lines = process.communicate()[0].splitlines()
            if process.returncode:
                raise RuntimeError(f"ended with {process.returncode} after {lines[-1:]}")
            yield from map(json.loads, lines)


@dataclass
class Ended:
    """How a command ended: its exit code, or minus the signal; what it said; how much it wrote."""

    code: int
    said: str
    operations: int
    writes: int


@dataclass
class Tally:
    """What was done to a verb, and what was wrong after it."""

    verb: str
    operations: int = 0
    writes: int = 0
    kills: int = 0
    failures: int = 0
    survived: int = 0  # failed writes that a command could do without
    wrong: list[str] = field(default_factory=list)


class World:
    """The folder in which a verb is tried: its input, what was there before, and what comes out."""

    def __init__(self, folder: Path, verb: Verb, large: bool) -> None:
        self.verb = verb
        self.folder = folder
        self.inputs, self.out, self.temporary = (folder / n for n in ("in", "work/out", "work/tmp"))
        self._before, self._order = folder / "before", folder / "order"
        shutil.rmtree(folder, ignore_errors=True)
        for path in (self.inputs, self.out, self.temporary):
            path.mkdir(parents=True)
        write_inputs(self.inputs, large)
        self._order.write_bytes(bytes(ORDER.size))
        with self._order.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), ORDER.size)
        if not verb.own_process:
            self._warm_up()
        for command in verb.before:
            self._expect(command)
        shutil.copytree(self.out, self._before, symlinks=True)
        self.before = self.tree()
        done = self._expect(verb.command)
        self.operations, self.writes = done.operations, done.writes
        self.after = self.tree()

    def _warm_up(self) -> None:
        """Do all of it in this process: the forks need not import and compile anything then."""
        place = self.folder / "warm"
        place.mkdir()
        self._pipe_in()
        for command in (*self.verb.before, self.verb.command):
            with contextlib.chdir(place), contextlib.redirect_stdout(None):
                call(self._words(command, place))
        for path in place.glob("*.neardup"):
            dump(path, place / "dumped")
        shutil.rmtree(place)

    def _pipe_in(self) -> None:
        """Give the verb its standard input; a folder for copies of it is this process's own."""
        pipes.folder.cache_clear()
        if self.verb.stdin:
            os.dup2(os.open(self.inputs / self.verb.stdin, os.O_RDONLY), 0)

    def _words(self, command: str, out: Path) -> list[str]:
        return [word.format(**{"in": self.inputs, "out": out}) for word in shlex.split(command)]

    def _expect(self, command: str) -> Ended:
        done = self.run(command)
        if done.code:
            raise RuntimeError(f"{command}\n{done.said}")
        return done

    def reset(self) -> None:
        """Put all back to what it was before the command."""
        shutil.rmtree(self.folder / "work")
        shutil.copytree(self._before, self.out, symlinks=True)
        self.temporary.mkdir()

    def run(self, command: str, mode: int = COUNT, at: int = 0) -> Ended:
        """Run a command in a fork of this process."""
        watched = str(self.folder / "work").encode()
        ORDER.pack_into(self._map, 0, 0, 0, 0, mode, at, 0, watched)
        said = self.folder / "said"
        code = in_fork(lambda: self._called(self._words(command, self.out), said))
        operations, writes, *_ = ORDER.unpack_from(self._map)
        return Ended(code, said.read_text(errors="replace"), operations, writes)

    def _called(self, words: list[str], said: Path) -> int:
        with said.open("wb") as out, Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        self._pipe_in()
        os.environ |= {"NEARDUP_ORDER": str(self._order), "TMPDIR": str(self.temporary)}
        tempfile.tempdir = str(self.temporary)
        os.chdir(self.out)
        struct.pack_into("q", self._map, 5 * 8, os.getpid())
        if self.verb.own_process:
            os.setsid()
            os.execv(sys.executable, [sys.executable, "-m", "neardup", *words])
        ctypes.CDLL(None).obey(str(self._order).encode())
        try:
            return call(words)
        finally:
            atexit._run_exitfuncs()

    def tree(self, folder: Path | None = None) -> Tree:
        """Return all that is in the folder; of an index, the documents in it and an answer."""
        root = folder or self.out.parent
        found: Tree = {}
        for path in root.rglob("*.neardup.replaced"):
            recover(path.with_suffix(""))  # as whoever opens it does
        for path in sorted(root.rglob("*")):
            if any(is_index(parent) for parent in path.parents):
                continue
            name = BY_CHANCE.sub("", path.relative_to(root).as_posix())
            found[name] = None if path.is_dir() and not is_index(path) else content(path)
            if path.name in TIMINGS or (self.verb.timed and path.is_file()):
                found[name] = b""
            elif path.name == "run.json" and self.verb.writes_input and not is_partial(name):
                found[name] = without_input(path)
        return found

    def state(self) -> Tree:
        """Return what a killed command left, as somebody finds it who opens it: in a copy."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.out.parent, copy, symlinks=True)
        return self.tree(copy)

    def torn(self) -> list[str]:
        """Return what is neither as before nor as after; partial files are not looked at."""
        now = {name: data for name, data in self.state().items() if not is_partial(name)}
        if self.verb.by_file or self.verb.timed:
            return [
                n for n, data in now.items() if data not in (None, self.before.get(n), self.after.get(n))
            ]
        tops = {name.split("/")[1] for name in now if name.startswith("out/")}
        return [
            top
            for top in sorted(tops)
            if below(now, top) not in (below(self.before, top), below(self.after, top))
        ]


def without_input(path: Path) -> bytes:
    """Return what `run.json` says, but for the times of files that the command itself writes."""
    run = json.loads(path.read_text())
    del run["input"], run["digests"]["run.json"]
    return json.dumps(run).encode()


def below(tree: Tree, top: str) -> Tree:
    """Return what is in one entry of the output."""
    return {n: data for n, data in tree.items() if n.split("/")[1:2] == [top] and ".replaced" not in n}


def is_partial(name: str) -> bool:
    """Return whether a path shows that it is not whole, or belongs to a database."""
    return ".partial" in name or name.startswith("tmp")


def content(path: Path) -> bytes:
    """Return what is in a file; of an index, what it answers: its bytes depend on its past."""
    if not path.is_dir():
        return path.read_bytes()
    target = path.with_name("dumped")
    code = in_fork(lambda: dump(path, target))
    data = target.read_bytes() if code == 0 else b"cannot be read"
    target.unlink(missing_ok=True)
    return data


def dump(path: Path, target: Path) -> int:
    """Write what an index holds."""
    from neardup.index.asked import FOLDER, ThreadIndex
    from neardup.index.online import Index

    if path.name.startswith(FOLDER):
        with ThreadIndex(path) as threads:
            known = sorted(threads.thread(given) for given in threads._manifest.some_ids(len(threads)))
            found = [[one.as_dict() for one in threads.ask(thread)] for _, thread in known[-3:]]
        target.write_text(json.dumps([known, found]))
        return 0
    with Index(path) as index:
        ids = sorted(index._manifest.some_ids(len(index)))
        documents = [[*about, text] for about, text in map(index.document, ids)]
        answers = [index.query(str(text)).as_dict() for *_, text in documents[:3]]
    for answer in answers:
        answer.pop("seconds", None)
    target.write_text(json.dumps([documents, answers]))
    return 0


def call(words: list[str]) -> int:
    """Run the command line, or one of the functions that have no command."""
    sys.argv = ["neardup", *words]
    try:
        if words[0] == "rethreshold":
            rethreshold(*words[1:])
        else:
            cli.main()
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stdout.write(end.code)
            return 1
        return end.code or 0
    return 0


def rethreshold(found: str, threshold: str, output: str) -> None:
    """Do what has no command, and end as the command line does."""
    import neardup

    try:
        neardup.Result(found).rethreshold(float(threshold), output)
    except (neardup.NeardupError, OSError) as error:
        sys.exit(f"error: {error}")


def in_fork(work: Callable[[], int]) -> int:
    """Call a function in a fork; return its exit code, or minus the signal that ended it."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        code = 99
        try:
            code = work()
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    for _ in range(SECONDS * 200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            wait_for_group(child)
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 98  # it hung


def wait_for_group(process: int) -> None:
    """Wait until all are gone that a process with a group of its own has started, such as Java."""
    for _ in range(SECONDS * 20):
        try:
            os.killpg(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)


def tried(world: World, mode: int, at: int, tally: Tally) -> Iterator[str]:
    """Try one case; yield what is wrong."""
    world.reset()
    first = world.run(world.verb.command, mode, at)
    if mode == KILL:
        if first.code != -signal.SIGKILL:
            return  # this time, there were fewer operations
        tally.kills += 1
    else:
        if first.writes < at:
            return
        tally.failures += 1
        tally.survived += first.code == 0
        if first.code not in (0, 1) or "Traceback" in first.said:
            yield f"ended with {first.code}: {first.said[-SAID:]}"
        elif first.code == 1 and "error:" not in first.said:
            yield f"said nothing: {first.said[-SAID:]}"
    if torn := world.torn():
        yield f"torn: {torn}"
    elif first.code == 0 and (wrong := differences(world.tree(), world.after)):
        yield f"exit code 0, but {wrong}"
    again = world.run(world.verb.command)
    if again.code and not (again.code == 1 and world.verb.once):
        yield f"again: {again.code}, {again.said[-SAID:]}"
    if wrong := differences(world.tree(), world.after):
        yield f"after it ran again ({again.code}): {wrong} {again.said[-SAID:] if again.code else ''}"


def differences(one: Tree, other: Tree) -> list[str]:
    """Return the names of what differs, but for temporary files of ir-measures."""
    names = (n for n in one.keys() | other.keys() if not OF_LIBRARIES.fullmatch(n))
    return sorted(n for n in names if n not in one or n not in other or one[n] != other[n])


def numbers(total: int, most: int, chance: random.Random) -> list[int]:
    """Return all numbers up to the total, or some by chance."""
    return (
        list(range(1, total + 1)) if total <= most else sorted(chance.sample(range(1, total + 1), most))
    )


def try_verb(folder: Path, verb: Verb, kills: int, failures: int, seed: int, large: bool) -> Tally:
    """Kill a verb at some of its operations, and let some of its writes fail, once or from then on."""
    world = World(folder, verb, large)
    tally = Tally(verb.name, world.operations, world.writes)
    chance = random.Random(f"{seed} {verb.name}")
    cases = [(KILL, at) for at in numbers(world.operations, kills, chance)]
    for mode in (FAIL_ONCE, FAIL_ON):
        cases += [(mode, at) for at in numbers(world.writes, failures // 2, chance)]
    for mode, at in cases:
        for wrong in tried(world, mode, at, tally):
            tally.wrong.append(f"{('', 'kill', 'fail once', 'full')[mode]} {at}: {wrong}")
            sys.stderr.write(f"{verb.name}: {tally.wrong[-1]}\n")
    return tally


def main() -> None:
    """Try verbs in this process and print a line of JSON for each, or in others and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, help="where to work, in a process that counts")
    parser.add_argument("--verb", action="append")
    parser.add_argument("--kills", type=int, default=10**9)
    parser.add_argument("--failures", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large", action="store_true")
    given: Any = parser.parse_args()
    verbs = [verb for verb in VERBS if verb.name in (given.verb or NAMES)]
    if given.folder is None:
        options = ["--kills", given.kills, "--failures", given.failures, "--seed", given.seed]
        names = [verb.name for verb in verbs if not verb.own_process or given.verb]
        table(conducted(names, [*options, *(["--large"] if given.large else [])]))
        return
    vars(cli)["app"] = typer.main.get_command(
        cli.whole_app()
    )  # else every fork would make all of it again
    for verb in verbs:
        folder = given.folder / "world"
        done = try_verb(folder, verb, given.kills, given.failures, given.seed, given.large)
        sys.stdout.write(json.dumps(asdict(done)) + "\n")
        sys.stdout.flush()


def table(tallies: Iterable[Mapping[str, Any]]) -> None:
    """Print a table for docs/reliability.md, and end with 1 if anything was wrong."""
    columns = ("operations", "kills", "failures", "survived")
    rows = list(tallies)
    total = {"verb": "all", "wrong": [line for row in rows for line in row["wrong"]]}
    total |= {name: sum(row[name] for row in rows) for name in columns}
    sys.stdout.write(f"| verb | {' | '.join(columns)} | wrong |\n|---|{'--:|' * 5}\n")
    for row in [*rows, total]:
        counts = " | ".join(f"{row[name]:,}" for name in columns)
        sys.stdout.write(f"| `{row['verb']}` | {counts} | {len(row['wrong'])} |\n")
    sys.exit(bool(total["wrong"]))


if __name__ == "__main__":
    main()
