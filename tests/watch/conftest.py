"""A store of each kind for every test: SQLite in a file, and a PostgreSQL that this session starts itself."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the Watchlist needs SQLAlchemy: the extra `watch`")

sys.path.insert(0, str(Path(__file__).parent))  # the worlds that several tests share

from onesite import World
from pgserver import execute

NO_SERVER = "no PostgreSQL server on this machine (Debian: apt-get install postgresql)"


def server_binaries() -> Path | None:
    """Return the folder of initdb and postgres, on PATH or where Debian puts them."""
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = Path(on_path).resolve() if on_path else debian[-1] if debian else None
    return found.parent if found is not None and (found.parent / "postgres").exists() else None


def other_user() -> dict[str, object]:
    """PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    pytest.skip("no user to run PostgreSQL as")


def common_folder() -> Path:
    """Return a folder for temporary files that another user reaches too, with a short name.

    TMPDIR may lie under a folder that only we may enter, and a socket's path may have 107 bytes: not pytest's own folder.
    """
    candidates = (Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"))
    for folder in candidates:
        if all(place.stat().st_mode & stat.S_IXOTH for place in (folder, *folder.parents)):
            return folder
    pytest.skip(f"none of {', '.join(map(str, candidates))} is open to the user that runs PostgreSQL")


@pytest.fixture(scope="session")
def postgres_server():
    """Start a cluster of our own, reachable by a socket in a temporary folder only; give the folder."""
    binaries = server_binaries()
    if binaries is None:
        if os.environ.get("CI"):
            pytest.fail(NO_SERVER)
        pytest.skip(NO_SERVER)
    run_as = other_user()
    folder = Path(tempfile.mkdtemp(prefix="sd-pg-", dir=common_folder() if run_as else None))
    if run_as:
        os.chown(folder, run_as["user"], run_as["group"])
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
    options = {"cwd": folder, "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **run_as}
    made = subprocess.run(
        [binaries / "initdb", "-D", folder / "data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"],
        check=False,
        **options,
    )
    assert made.returncode == 0, made.stdout.decode()
    careless = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60"]
    options["stdout"] = subprocess.DEVNULL
    server = subprocess.Popen(
        [
            binaries / "postgres",
            *("-D", folder / "data", "-k", folder, "-c", "listen_addresses="),
            *(part for setting in careless for part in ("-c", setting)),
        ],
        **options,
    )
    try:
        wait_for(folder, server)
        yield folder
    finally:
        server.send_signal(signal.SIGINT)  # a fast shutdown
        server.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(folder: Path, server: subprocess.Popen) -> None:
    import psycopg  # noqa: PLC0415

    until = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(host=str(folder), user="tester", dbname="postgres").close()
        except psycopg.OperationalError:
            assert server.poll() is None, "PostgreSQL did not start"
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def store(request, tmp_path):
    """Give the URL of an empty store."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'watch.db'}"
        return
    pytest.importorskip("psycopg", reason="a store on PostgreSQL needs psycopg: the extra `postgres`")
    folder = request.getfixturevalue("postgres_server")
    name = f"t{time.time_ns()}"
    execute(folder, f"CREATE DATABASE {name}")
    yield f"postgresql://tester@/{name}?host={folder}"
    execute(folder, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def sqlite_store(tmp_path):
    """Give the URL of an empty SQLite store, for what has nothing to do with the database."""
    return f"sqlite:///{tmp_path / 'watch.db'}"


@pytest.fixture
def world(store):
    """Give one site with a feed, watched in an empty store."""
    made = World(store)
    yield made
    made.watch.close()
