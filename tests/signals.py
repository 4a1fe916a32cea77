"""Sends signals at moments by chance to runs of several methods: python -m tests.signals 200.

A seed and a number of documents may follow: with 150 of them, most signals come while a run begins or
ends. Each run must end with 0 if all was done, or with 128 and the signal's number, without a traceback.
Anything else is shown with its output.
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
METHODS = ("documents", "passages", "sentences", "pages")
PATIENCE = 900  # seconds for a run to end, on a machine that is busy
TRACES = ("Traceback", "Segmentation", "Aborted", "Fatal Python")


def corpus(folder: Path, pick: random.Random, documents: int) -> Path:
    """Write some texts that are alike."""
    words = [f"{pick.choice('bcdfg')}{pick.choice('aeiou')}{n}" for n in range(900)]
    frames = [[pick.choice(words) for _ in range(120)] for _ in range(40)]
    path = folder / "texts.jsonl"
    with path.open("w") as file:
        for number in range(documents):
            own = [pick.choice(words) if pick.random() < 0.02 else w for w in pick.choice(frames)]
            file.write(json.dumps({"id": str(number), "text": " ".join(own) + "."}) + "\n")
    return path


def ended(code: int, sent: signal.Signals | None, output: str) -> str:
    """Return how a run ended: as it may, or not."""
    if "KeyboardInterrupt" in output and "neardup/cli" not in output and code in (1, -signal.SIGINT):
        return "interrupted while Python itself began"
    wrong = any(trace in output for trace in TRACES)
    if code == 0 and not wrong:
        return "done"
    if sent is not None and code in (128 + sent, -sent) and not wrong:
        return "interrupted" if code > 0 else "ended by the signal before anything had begun"
    return f"WRONG: {code} after {sent!r}"


def started(method: str, texts: Path, out: Path) -> "subprocess.Popen[bytes]":
    """Start a run of a method."""
    command = [sys.executable, "-m", "neardup", method, str(texts), "-o", str(out), "--overwrite"]
    return subprocess.Popen(command, stderr=subprocess.STDOUT, stdout=subprocess.PIPE)


def once(method: str, texts: Path, out: Path, pick: random.Random, longest: float) -> str:
    """Run a command, send it one signal, or two in a row, and return how it ended."""
    run, sent = started(method, texts, out), pick.choice(SIGNALS)
    time.sleep(pick.uniform(0, longest))
    run.send_signal(sent)
    if pick.random() < 0.3:
        time.sleep(pick.uniform(0, 0.1))
        run.send_signal(sent)
    try:
        output = run.communicate(timeout=PATIENCE)[0].decode(errors="replace")
        found = ended(run.returncode, sent, output)
    except subprocess.TimeoutExpired:
        run.kill()
        output, found = run.communicate()[0].decode(errors="replace"), f"WRONG: no end after {sent!r}"
    if found.startswith("WRONG"):
        sys.stdout.write(f"{method} {texts}\n{found}\n{output}\n")
    return found


def tried(runs: int, seed: int, documents: int = 1200) -> Counter[str]:
    """Try so many runs, each with a signal before it would have ended; return how they ended."""
    pick, lasts, found = random.Random(seed), dict.fromkeys(METHODS, 0.0), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        texts, out = corpus(Path(folder), pick, documents), Path(folder) / "out"
        for number in range(runs):
            method = pick.choice(METHODS)
            if number % 50 == 0 or not lasts[method]:
                begun = time.monotonic()
                started(method, texts, out).communicate()
                lasts[method] = time.monotonic() - begun
            found[once(method, texts, out, pick, lasts[method])] += 1
            sys.stderr.write(f"{number + 1} {dict(found)}\n")
    return found


if __name__ == "__main__":
    runs, seed, *documents = [int(word) for word in (*sys.argv[1:], "1")[: max(len(sys.argv) - 1, 2)]]
    found = tried(runs, seed, *documents)
    sys.stdout.write(f"{dict(found)}\n")
    sys.exit(any(name.startswith("WRONG") for name in found))
