"""Write requirements.lock: the newest versions that pyproject.toml allows of what `make` installs."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements.lock"
HEAD = """\
# The versions that `make` installs, to build, run, test, check and document. Written by `make lock`.
# `pip install .` takes any versions that pyproject.toml allows.
"""


def resolved() -> dict[str, str]:
    """Return the versions that pip would install now, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [option for name in project["dependency-groups"] for option in ("--group", name)]
    wanted = ["--editable", ".", *groups, *project["build-system"]["requires"]]
    options = ["--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    command = [sys.executable, "-m", "pip", "install", *options, *wanted]
    found = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    about = [package["metadata"] for package in json.loads(found)["install"]]
    return {own["name"].lower(): own["version"] for own in about if own["name"] != "neardup"}


def main() -> None:
    """Write the file."""
    lines = [f"{name}=={version}\n" for name, version in sorted(resolved().items())]
    LOCK.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{LOCK.name}: {len(lines)} packages")


if __name__ == "__main__":
    main()
