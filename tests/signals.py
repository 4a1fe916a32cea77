"""Sends signals at moments by chance to runs of several methods: python -m tests.signals 200.

Each must end as it says: with 0 if all was done, or with 128 and the signal's number, without a
traceback, and without what nobody can go on with. Anything else is shown with its output.
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
LONGEST = 5.0  # seconds until the signal
TRACES = ("Traceback", "Segmentation", "Aborted", "Fatal Python")


def corpus(folder: Path, pick: random.Random) -> Path:
    """Write some texts that are alike."""
    words = [f"{pick.choice('bcdfg')}{pick.choice('aeiou')}{n}" for n in range(900)]
    frames = [[pick.choice(words) for _ in range(120)] for _ in range(40)]
    path = folder / "texts.jsonl"
    with path.open("w") as file:
        for number in range(1200):
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


def once(texts: Path, out: Path, pick: random.Random) -> str:
    """Run a command, send it one signal, or two in a row, and return how it ended."""
    command = [sys.executable, "-m", "neardup", pick.choice(METHODS), str(texts), "-o", str(out)]
    run = subprocess.Popen([*command, "--overwrite"], stderr=subprocess.STDOUT, stdout=subprocess.PIPE)
    sent = pick.choice(SIGNALS)
    time.sleep(pick.uniform(0, LONGEST))
    run.send_signal(sent)
    if pick.random() < 0.3:
        time.sleep(pick.uniform(0, 0.1))
        run.send_signal(sent)
    output = run.communicate(timeout=120)[0].decode(errors="replace")
    found = ended(run.returncode, sent, output)
    if found.startswith("WRONG"):
        sys.stdout.write(f"{' '.join(command)}\n{found}\n{output}\n")
    return found


def tried(runs: int, seed: int) -> Counter[str]:
    """Try so many runs and return how they ended."""
    pick = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        texts = corpus(Path(folder), pick)
        return Counter(once(texts, Path(folder) / "out", pick) for _ in range(runs))


if __name__ == "__main__":
    found = tried(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    sys.stdout.write(f"{dict(found)}\n")
    sys.exit(any(name.startswith("WRONG") for name in found))
