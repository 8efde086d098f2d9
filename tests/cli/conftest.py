"""The command line is driven in three ways: in this process, through real pipes, and on a terminal of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

import sitediscover
from sitediscover.cli import main
from sitediscover.demo import build_web, serve
from sitediscover.testing import Answer

NOW = datetime.now(UTC)
INSTALLED = Path(sys.executable).with_name("sitediscover")
PROGRAM = [str(INSTALLED)] if INSTALLED.exists() else [sys.executable, "-m", "sitediscover"]
LONGEST = 30.0  # seconds that a program may take
MANY = 3_000  # pages of one sitemap: more than a pipe holds
HOSTILE = "\x1b[31mred\x1b[0m\x07 \x9b5n \u202eback\u202c \u2028 tab\tand\nline"


def rss(*items):
    """Return an RSS document of (title, path, days of age)."""
    told = "".join(
        f"<item><title>{title}</title><link>http://small.example{path}</link>"
        f"<pubDate>{(NOW - timedelta(days=age)).strftime('%a, %d %b %Y %H:%M:%S +0000')}</pubDate></item>"
        for title, path, age in items
    )
    return f"<?xml version='1.0'?><rss version='2.0'><channel><title>Small</title>{told}</channel></rss>"


def urlset(*entries):
    """Return a sitemap of (path, days of age)."""
    told = "".join(
        f"<url><loc>http://small.example{path}</loc><lastmod>{(NOW - timedelta(days=age)).date()}</lastmod></url>"
        for path, age in entries
    )
    return f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{told}</urlset>"


def index(*paths):
    """Return a sitemap index."""
    told = "".join(f"<sitemap><loc>http://small.example{path}</loc></sitemap>" for path in paths)
    return f"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{told}</sitemapindex>"


SMALL = {
    "/robots.txt": (
        "User-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 0\n"
        "Sitemap: http://small.example/sitemap.xml\n"
    ),
    "/": "<title>Small</title><link rel=alternate type=application/rss+xml title='The feed' href=/feed>",
    "/feed": rss(("Newest", "/a/3", 0.1), ("Newer", "/a/2", 1), ("Old", "/a/1", 30)),
    "/sitemap.xml": index("/one.xml", "/two.xml"),
    "/one.xml": urlset(("/a/1", 30), ("/a/2", 1)),
    "/two.xml": urlset(("/a/3", 0), ("/b/4", 0)),
    "/shut.xml": Answer(status=403),
    "/later.xml": Answer(status=503),
    "/mine/half.xml": index("/one.xml", "/shut.xml"),
}
EXTRA = {
    "http://small.example": SMALL,
    "http://hostile.example": {
        "/": f"<link rel=alternate type=application/rss+xml title='{HOSTILE}' href=/feed>",
        "/feed": f"<rss version='2.0'><channel><title>{HOSTILE}</title><item><title>{HOSTILE.translate({7: None, 27: None})}"
        f"&lt;b&gt; =cmd</title><link>http://hostile.example/a</link></item></channel></rss>",
        "/robots.txt": f"Sitemap: http://hostile.example/{HOSTILE}\nDisallow: /\x1b[2J\n",
    },
    "http://empty.example": {"/": "<title>Nothing here</title>"},
    "http://broken.example": {"/robots.txt": Answer(status=503, headers={"Retry-After": "0"})},
    "http://busy.example": {"/robots.txt": Answer(status=429)},
    "http://slow.example": {"/robots.txt": "", "/": Answer(body="late", delay=30)},
    "http://many.example": {
        "/robots.txt": "Sitemap: http://many.example/sitemap.xml",
        "/sitemap.xml": "<urlset>"
        + "".join(f"<url><loc>http://many.example/page/{number}</loc></url>" for number in range(MANY))
        + "</urlset>",
    },
}


@pytest.fixture(scope="session")
def many():
    """Return how many pages http://many.example has."""
    return MANY


@pytest.fixture(scope="session")
def web():
    with serve({**build_web(NOW), **EXTRA}) as served:
        yield served


@pytest.fixture
def environment(web, tmp_path):
    """Return the variables under which a process finds the web, and nothing of the user's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SITEDISCOVER", "NO_COLOR"))}
    root = str(Path(sitediscover.__file__).parents[1])
    paths = {"PYTHONPATH": root, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    return {**kept, **web.environment, **paths, "SITEDISCOVER_PAUSE": "0"}


@pytest.fixture
def run(environment, monkeypatch, tmp_path):
    """Run a command in this process."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("SITEDISCOVER")]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def run(*arguments, env=None, stdin=None, obj=None):
        # The program's own exceptions are to be seen as such: only exit codes are an end.
        return CliRunner(env=env).invoke(main, arguments, input=stdin, obj=obj, catch_exceptions=False)

    return run


@pytest.fixture
def program(environment, tmp_path):
    """Start the installed program."""

    @contextmanager
    def program(*arguments, env=None, **how):
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        process = subprocess.Popen([*PROGRAM, *arguments], env={**environment, **(env or {})}, cwd=tmp_path, **how)
        # Who waits for a line of a program that hangs waits for its end.
        watchdog = threading.Timer(LONGEST, process.kill)
        watchdog.start()
        with process:
            try:
                yield process
            finally:
                watchdog.cancel()
                process.kill()

    return program
