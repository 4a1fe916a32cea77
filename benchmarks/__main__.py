"""The benchmarks: python -m benchmarks NAME [OPTIONS]; each says what it measures with --help."""

import sys
from importlib import import_module

NAMES = {
    "attacks": "a server that one client attacks: what others wait, and its memory",
    "clean": "the default recipe, its stages, and the runs that it takes the place of",
    "compare": "neardup and other tools on the same corpus and cores",
    "corpus": "writes a corpus with planted near-duplicates",
    "decontaminate": "test items planted in training data: quality, or speed",
    "engines": "one machine, Spark, and clusters on loopback",
    "growth": "hard corpora, each in three sizes: which steps grow faster than what they find",
    "logs": "log lines by template, with and without masks, and Drain3",
    "pages": "web pages: speed, one template, simhash, quality",
    "papers": "defaults beside what papers print: docs/papers.md",
    "sentences": "sentences of Wikipedia",
    "server": "an index and its server",
    "store": "an index on a disk: building, opening, asking, adding, memory",
    "spark": "what a GB more costs on Spark, and each step of a method",
    "threads": "a million threads, and look-ups among them",
    "viewer": "a report in a browser: until it is there, and frames while it is moved",
}


def main() -> None:
    """Run the benchmark that is named."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in NAMES:
        print("\n".join(f"{own:14} {about}" for own, about in NAMES.items()))
        asked = name in ("", "-h", "--help")
        sys.exit(0 if asked else f"python -m benchmarks NAME: there is no {name!r}")
    sys.argv[:2] = [f"python -m benchmarks {name}"]
    import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
