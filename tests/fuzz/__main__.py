"""Fuzzing from the command line: `make fuzz N=100000`, or one case again by its seed and number."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.fuzz.campaign import Tally, compile_all, run
from tests.fuzz.cases import case_of
from tests.fuzz.checks import check

COLUMNS = (
    "records",
    "bad records",
    "unforeseen",
    "files refused",
    "copies",
    "copied as they are",
    "whole runs",
    "dedup",
)


def table(tally: Tally) -> str:
    """Return what was seen as a table in Markdown."""
    failed = {kind: sum(f["kind"] == kind for f in tally.failures) for kind in tally.cases}
    lines = [
        f"| file | cases | {' | '.join(COLUMNS)} | failed |",
        "|---|" + "---:|" * (len(COLUMNS) + 2),
    ]
    rows = [
        (k, tally.cases[k], *(tally.seen[k][c] for c in COLUMNS), failed[k]) for k in sorted(tally.cases)
    ]
    rows.append(("all", *(sum(row[at] for row in rows) for at in range(1, len(COLUMNS) + 3))))
    lines += [
        "| " + " | ".join(f"{v:,}" if isinstance(v, int) else v for v in row) + " |" for row in rows
    ]
    return "\n".join([*lines, "", f"At most {tally.seconds} s a case, and {tally.peak >> 20} MB."])


def main() -> int:
    """Run many cases, or one."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("cases", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", default="night")
    parser.add_argument("--case", type=int, help="run this one case in this process, and keep its file")
    parser.add_argument(
        "--state", type=Path, default=Path(".fuzz"), help="where finished cases are noted"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    if given.case is not None:
        case = case_of(given.seed, given.case)
        folder = Path(tempfile.mkdtemp(prefix="neardup-fuzz-"))
        print(f"{case.name}: {', '.join(case.done) or 'as it was'}, in {folder}/in", flush=True)
        print(dict(check(case, folder)))
        return 0
    compile_all()
    tally = run(
        given.seed, given.cases, given.state, given.workers, lambda text: print(text, flush=True)
    )
    print(table(tally))
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
