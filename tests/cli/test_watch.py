"""`sitediscover watch`: the store of what is followed, from the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from datetime import timedelta
from xml.etree import ElementTree as ET

import click
import pytest

from sitediscover.testing import FakeWeb

pytestmark = pytest.mark.slow

SITE = "https://news.example"


def feed(*titles):
    """Return a feed whose items have no dates: what is new of it is told by its addresses."""
    items = "".join(f"<item><title>{title}</title><link>{SITE}/{title}</link></item>" for title in titles)
    return f"<rss version='2.0'><channel><title>News</title>{items}</channel></rss>"


@pytest.fixture
def paths():
    return {
        "/": "<link rel=alternate type=application/rss+xml href=/feed>",
        "/feed": feed("one", "two"),
        "/robots.txt": "",
    }


@pytest.fixture
def fake(paths):
    closed = {"/robots.txt": "User-agent: *\nDisallow: /"}
    return FakeWeb({SITE: paths, "https://closed.example": closed, "https://bare.example": {"/": "<p>nothing"}})


@pytest.fixture
def watch(run, fake, environment, monkeypatch):
    """Run a command on a web and a clock of its own, in a store of its own."""
    monkeypatch.setenv("SITEDISCOVER_STORE", "sqlite:///own.db")

    def watch(*arguments, **how):
        return run("watch", *arguments, obj=fake.session, **how)

    return watch


def test_what_is_new_is_delivered_once_as_json_lines(watch, fake, paths):
    added = watch("add", "news.example", "--json")
    assert json.loads(added.stdout)["sources"][0]["url"] == f"{SITE}/feed"
    assert watch("poll").stdout == "", "the first reading is the baseline"
    paths["/feed"] = feed("one", "two", "three")
    fake.clock.advance(timedelta(days=2).total_seconds())
    polled = watch("poll")
    assert [json.loads(line)["title"] for line in polled.stdout.splitlines()] == ["three"]
    assert polled.exit_code == 0
    assert watch("poll").stdout == ""


def test_the_backlog_is_delivered_where_it_is_asked_for_and_in_parts(watch):
    watch("add", "news.example", "--backlog")
    assert len(watch("poll", "--limit", "1").stdout.splitlines()) == 1
    assert len(watch("poll").stdout.splitlines()) == 1


def test_what_nobody_reads_any_more_is_not_delivered_and_comes_with_the_next_call(watch, monkeypatch):
    watch("add", "news.example", "--backlog")
    echo = click.echo

    def closed(*arguments, **how):
        raise BrokenPipeError

    monkeypatch.setattr(click, "echo", closed)
    ended = watch("poll")
    monkeypatch.setattr(click, "echo", echo)
    assert ended.exit_code == 0
    assert len(watch("poll").stdout.splitlines()) == 2, "at once: the host was given back"


def test_a_provisional_source_delivers_once_it_is_approved(watch):
    added = watch("add", "news.example", "--provisional", "--backlog", "--lines")
    number = added.stdout.split("\t")[0]
    assert added.stdout.split("\t")[1] == "provisional"
    assert watch("poll").stdout == ""
    assert watch("approve", number).exit_code == 0
    assert len(watch("poll").stdout.splitlines()) == 2


def test_sources_are_paused_resumed_listed_and_removed(watch):
    number = watch("add", "news.example").stdout.split("\t")[0]
    assert watch("pause", number).exit_code == 0
    assert watch("list", "--state", "paused").stdout.startswith(f"{number}\tpaused\tfeed\t")
    assert watch("resume", number).exit_code == 0
    assert watch("list", "--state", "paused").stdout == ""
    assert json.loads(watch("list", "--children", "--jsonl").stdout)["state"] == "live"
    assert watch("remove", number).exit_code == 0
    assert watch("list").stdout == ""


def test_include_exclude_and_age_are_kept(watch):
    added = watch("add", "news.example", "--include", "/o", "--exclude", "x$", "--max-age", "2d", "--json")
    source = json.loads(added.stdout)["sources"][0]
    assert (source["include"], source["exclude"], source["max_age"]) == (["/o"], ["x$"], 172_800.0)


@pytest.mark.parametrize(
    "arguments",
    [
        ["add"],
        ["add", "news.example", "--include", "("],
        ["add", "news.example", "--max-age", "2026-01-01"],
        ["add", "no site"],
        ["pause", "77"],
        ["pause", "one"],
        ["list", "--state", "unheard"],
        ["list", "--store", "nonsense"],
        ["poll", "--limit", "0"],
        ["poll", "--json"],
        ["unheard"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_a_usage_error(watch, arguments):
    result = watch(*arguments)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert result.stderr


@pytest.mark.parametrize(
    "sites, code",
    [
        (["bare.example"], 1),
        (["closed.example"], 3),
        (["nobody.example"], 4),
        (["news.example", "closed.example"], 5),
        ([f"{SITE}/feed"], 0),
        ([f"{SITE}/missing.xml"], 1),
    ],
)
def test_the_exit_code_tells_what_could_not_be_added(watch, sites, code):
    assert watch("add", *sites).exit_code == code


def test_why_a_site_cannot_be_followed_is_told_in_words(watch):
    assert "robots_disallow: robots.txt closes the root to us" in watch("add", "closed.example").stderr


def test_discoveries_are_added_through_a_pipe(watch, run, fake):
    found = run("discover", "news.example", "--jsonl", obj=fake.session).stdout
    asked = len(fake.requests)
    assert watch("add", "-", stdin=f"# found\n{found}").exit_code == 0
    assert len(fake.requests) == asked
    assert f"{SITE}/feed" in watch("list").stdout


def test_a_store_becomes_opml_and_opml_a_store(watch, tmp_path):
    watch("add", "news.example")
    exported = watch("export").stdout
    assert ET.fromstring(exported).find("body/outline").get("xmlUrl") == f"{SITE}/feed"
    (tmp_path / "list.opml").write_text(exported, encoding="utf-8")
    assert watch("import", "list.opml", "--store", "sqlite:///other.db").exit_code == 0
    assert watch("import", "-", "--store", "sqlite:///third.db", "--provisional", stdin=exported).exit_code == 0
    assert "provisional" in watch("list", "--store", "sqlite:///third.db").stdout
    assert f"{SITE}/feed" in watch("list", "--store", "sqlite:///other.db").stdout


def test_what_discover_writes_as_opml_can_be_watched(watch, run):
    found = run("discover", "the-verge.example", "www.yomiuri.example", "--opml").stdout
    imported = watch("import", "-", stdin=found)
    assert sorted(line.split("\t")[2] for line in imported.stdout.splitlines()) == ["feed", "news_sitemap"]


def test_an_opml_without_sources_is_nothing_to_follow(watch):
    result = watch("import", "-", stdin="<opml><body></body></opml>")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "no sources in it: is it OPML?\n", 1)


def test_stats_tell_the_store_in_figures(watch):
    watch("add", "news.example")
    watch("add", "closed.example")
    told = json.loads(watch("stats", "--json").stdout)
    assert (told["schema"], told["sources"], told["hosts"], told["states"]["live"]) == (1, 1, 1, 1)
    assert "sources\t1" in watch("stats").stdout.splitlines()


def test_a_store_that_cannot_be_opened_is_a_sentence(watch):
    result = watch("list", "--store", "sqlite:////no/such/folder/own.db")
    assert (result.stdout, result.exit_code) == ("", 74)
    assert len(result.stderr.splitlines()) == 1


def test_without_sqlalchemy_it_says_what_to_install(environment, tmp_path):
    code = "import sys; sys.modules['sqlalchemy'] = None; from sitediscover.cli import main; main(['watch', 'list'])"
    told = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, check=False)
    assert told.returncode == 2
    assert b"pip install 'sitediscover[watch]'" in told.stderr
    assert b"Traceback" not in told.stderr


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_run_delivers_until_it_is_ended(program, run, number, code):
    run("watch", "add", "http://small.example/feed", "--backlog")
    with program("watch", "run") as process:
        titles = [json.loads(process.stdout.readline())["title"] for _ in range(3)]
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert sorted(titles) == ["Newer", "Newest", "Old"]
    assert (err, process.returncode) == (b"", code)
