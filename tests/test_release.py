"""What is released: packages with all that they need, which run where nothing else of the project is."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import neardup

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "neardup"
NAME = f"neardup-{neardup.__version__}"


IMAGE = "neardup-tested"


def has_docker() -> bool:
    """Return whether images can be built here."""
    found = shutil.which("docker")
    return found is not None and subprocess.run([found, "info"], capture_output=True).returncode == 0


def build(folder: Path, kind: str, target: Path) -> Path:
    """Build a package from a folder, and return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(target)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (built,) = target.glob("*")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))
    target = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(built) as packed:
        packed.extractall(target, filter="data")
    return target / NAME


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    files = {path for path in SOURCE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    wanted = {path.relative_to(SOURCE.parent).as_posix() for path in files}
    assert {
        f"neardup/{name}" for name in ("py.typed", "data/demo.jsonl", "kernels/signatures.json")
    } < wanted
    assert "neardup/web/static/report.js" in wanted
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if not name.startswith(f"{NAME}.dist-info/")}
    assert names == wanted


def test_its_metadata_are_complete(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        told = Parser().parsestr(packed.read(f"{NAME}.dist-info/METADATA").decode())
        licence = packed.read(f"{NAME}.dist-info/licenses/LICENSE")
    assert (told["Version"], told["License-Expression"]) == (neardup.__version__, "Apache-2.0")
    assert licence == (ROOT / "LICENSE").read_bytes()
    assert told["Summary"] and told["Keywords"] and told["Description-Content-Type"] == "text/markdown"
    assert "Typing :: Typed" in told.get_all("Classifier", [])


def test_the_sdist_gives_the_same_wheel(wheel: Path, unpacked: Path, tmp_path: Path) -> None:
    assert build(unpacked, "wheel", tmp_path).read_bytes() == wheel.read_bytes()


def test_the_sdist_has_the_tests_and_what_make_needs(unpacked: Path) -> None:
    names = (
        "Makefile",
        "requirements.lock",
        "eslint.config.mjs",
        "tsconfig.json",
        "CITATION.cff",
        "docs/releasing.md",
        "tests/test_release.py",
    )
    assert all((unpacked / name).is_file() for name in names)


def test_the_wheel_runs_in_a_new_environment(wheel: Path, tmp_path: Path) -> None:
    """Its dependencies are those of this environment: there may be no network."""
    own = tmp_path / "own"
    venv.create(own)
    binaries = own / ("Scripts" if os.name == "nt" else "bin")
    install = ["install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)]
    python = next(binaries.glob("python*"))
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), *install], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(own), "platbase": str(own)}))
    others = [path for path in sys.path if path.endswith("-packages")]
    (packages / "others.pth").write_text("\n".join(others), encoding="utf-8")

    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def printed(*command: str) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=env, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout.strip()

    where = printed(str(python), "-c", "import neardup; print(neardup.__file__)")
    assert Path(where).is_relative_to(packages)
    assert printed(str(binaries / "neardup"), "--version") == neardup.__version__
    printed(str(binaries / "neardup"), "demo", "-o", "found")
    assert (tmp_path / "found" / "report.html").is_file()


def test_the_version_is_the_same_wherever_it_is_said() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", cited, re.MULTILINE) == [neardup.__version__]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert "version" in project["dynamic"]


@pytest.mark.slow
def test_the_image_runs_by_anybody_without_compiling_or_writing() -> None:
    if not has_docker():
        pytest.skip("there is no Docker here")
    subprocess.run(["docker", "build", "--quiet", "--tag", IMAGE, str(ROOT)], check=True)

    def ran(*arguments: str) -> str:
        closed = ["--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp"]
        command = ["docker", "run", *closed, *arguments]
        done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
        return done.stdout + done.stderr

    assert ran(IMAGE, "--version").strip() == neardup.__version__
    assert ran("--entrypoint", "id", IMAGE, "--user").strip() != "0"
    for user in ([], ["--user", "4321:4321"]):
        said = ran(*user, IMAGE, "demo", "-o", "/tmp/found")
        assert "compiling" not in said
        assert "17 pairs" in said
