"""Everything a maintainer runs: `nox` for the usual round, `nox -l` for the list."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import nox
from packaging.requirements import Requirement

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["lint", "tests", "typecheck", "docs"]
nox.options.reuse_venv = "yes"
# uv, which `pip install nox[uv]` brings, makes environments in seconds; only Pythons that are here already are used.
nox.options.default_venv_backend = "uv|virtualenv"
os.environ["UV_PYTHON_DOWNLOADS"] = "never"
nox.options.error_on_external_run = True

PYPROJECT = nox.project.load_toml("pyproject.toml")
SUPPORTED = nox.project.python_versions(PYPROJECT)
OLDEST = SUPPORTED[0]


def present_pythons() -> list[str]:
    """Return the supported Pythons that really start here.

    pyenv's own folders go first on PATH: its shims are there for every version, and start only those that are selected.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in SUPPORTED:
        for folder in sorted(pyenv.glob(f"{version}.[0-9]*/bin"), key=_patch):
            os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    os.environ["PATH"] += f"{os.pathsep}{Path(sys.base_prefix) / 'bin'}"
    return [version for version in SUPPORTED if _starts(f"python{version}")]


def _patch(folder: Path) -> int:
    return int(re.findall(r"\d+", folder.parent.name)[2])


def _starts(name: str) -> bool:
    path = shutil.which(name)
    return path is not None and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0


def group(name: str) -> list[str]:
    """Return the requirements of a dependency group, for a pip that does not know groups."""
    return nox.project.dependency_groups(PYPROJECT, name)


def minima() -> str:
    """Return pyproject's lower bounds as a constraints file."""
    extras = PYPROJECT["project"].get("optional-dependencies", {})
    wanted = [Requirement(item) for items in (PYPROJECT["project"]["dependencies"], *extras.values()) for item in items]
    lower = [(item.name, bound) for item in wanted for bound in item.specifier if bound.operator == ">="]
    return "".join(f"{name}=={bound.version}\n" for name, bound in lower)


PRESENT = present_pythons()


QUICK = ("-m", "not slow")


@nox.session(python=PRESENT)
def tests(session: nox.Session) -> None:
    """Run the tests on every supported Python that is here, but for the slow ones; on the oldest with coverage."""
    session.install("-e", ".", *group("tests"))
    if session.posargs:
        session.run("pytest", *session.posargs)
    elif session.python == PRESENT[0]:
        session.run("coverage", "run", "-m", "pytest", *QUICK)
        session.run("coverage", "report")
    else:
        session.run("pytest", *QUICK)


@nox.session(python=PRESENT[:1])
def slow(session: nox.Session) -> None:
    """Run the slow tests, once: hostile servers, killed workers, clusters, browsers, a simulated month."""
    session.install("-e", ".", *group("tests"))
    session.run("pytest", "-m", "slow", "--durations=12", *session.posargs)


@nox.session(python=OLDEST)
def min_deps(session: nox.Session) -> None:
    """Run the tests on the oldest Python with the oldest dependencies that pyproject.toml admits."""
    constraints = Path(session.create_tmp()) / "minima.txt"
    constraints.write_text(minima(), encoding="utf-8")
    session.install("-e", ".", *group("tests"), "-c", str(constraints))
    check = ["uv"] if session.venv_backend == "uv" else ["python", "-m"]
    session.run(*check, "pip", "check", external=True)
    session.run("pytest", *QUICK, *session.posargs)


@nox.session
def typecheck(session: nox.Session) -> None:
    """Check the types, strictly."""
    session.install("-e", ".", *group("typecheck"))
    session.run("mypy", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check rules, format and workflows; `nox -s lint -- --fix` repairs what can be repaired."""
    session.install(*group("lint"))
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", *([] if "--fix" in session.posargs else ["--check"]))
    session.run("zizmor", "--offline", "--quiet", "--persona", "auditor", ".github")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into docs/_build/html; every warning is an error."""
    session.install("-e", ".[watch]", *group("docs"))
    target = "docs/_build/html"
    shutil.rmtree(target, ignore_errors=True)
    session.run("python", "-m", "sphinx", "-T", "-E", "-W", "--keep-going", "-n", "-b", "html", "docs", target)


@nox.session
def bench(session: nox.Session) -> None:
    """Print the benchmarks' ratios; `nox -s bench -- import_time` runs only those named."""
    session.install(".", *group("bench"))
    env = {}
    if not session.posargs or {"discovery", "sitemap"} & set(session.posargs):
        # The other libraries live apart: their dependencies are old, and none of ours.
        peers = Path(session.create_tmp()) / "peers"
        session.run("python", "-m", "venv", str(peers))
        python = env["BENCH_PEERS"] = str(peers / "bin" / "python")
        session.run(python, "-m", "pip", "install", "-q", *group("peers"), external=True)
    session.run("python", "-m", "bench", *session.posargs, env=env)


@nox.session(python=OLDEST)
def build(session: nox.Session) -> None:
    """Build wheel and sdist, check both, and run the sdist's tests on the wheel, the source hidden."""
    session.install("build", "check-wheel-contents", "twine")
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build")
    (wheel,), (sdist,) = Path("dist").glob("*.whl"), Path("dist").glob("*.tar.gz")
    session.run("twine", "check", "--strict", str(wheel), str(sdist))
    session.run("check-wheel-contents", str(wheel))
    session.install("--force-reinstall", "--no-deps", str(wheel))
    session.install(str(wheel), *group("tests"))
    tree = Path(session.create_tmp()) / "sdist"
    shutil.rmtree(tree, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(tree, filter="data")
    unpacked = (tree / sdist.name.removesuffix(".tar.gz")).resolve()
    shutil.rmtree(unpacked / "sitediscover")
    session.chdir(unpacked)
    # What the wheel holds is what the other sessions test; here the face, the strategies and the package data count.
    faces = ("tests/demo", "tests/strategies", "tests/cli", *map(str, sorted(Path("tests").glob("test_*.py"))))
    session.run("pytest", *QUICK, *(session.posargs or faces))


@nox.session(python=OLDEST)
def reppy(session: nox.Session) -> None:
    """Build reppy 0.4.14 from source, and run the robots tests with it as the backend."""
    session.install("-e", ".", *group("tests"), "cython>=3", "pip", "setuptools<81", "wheel")
    folder = Path(session.create_tmp()) / "reppy"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    from_source = ["--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
    session.run("python", "-m", "pip", "download", "-q", *from_source, "-d", str(folder), "reppy==0.4.14")
    with tarfile.open(folder / "reppy-0.4.14.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    source = folder / "reppy-0.4.14"
    # The shipped C++ was generated for Python 3.7; Cython writes it anew where it is missing.
    (source / "reppy" / "robots.cpp").unlink()
    # Its C++ leans on <limits> being there already; which of the two is read depends on setuptools.
    flags = {"CFLAGS": "-include limits", "CXXFLAGS": "-include limits"}
    session.install("--no-build-isolation", str(source), env=flags)
    session.run("pytest", "tests/parse/test_robots.py", *session.posargs)
