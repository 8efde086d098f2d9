"""`sitediscover follow`: the articles of sources of any kind."""

from __future__ import annotations

import csv
import io
import json

import pytest

FEED = "http://small.example/feed"


def urls(text):
    """Return the addresses of articles in JSON Lines."""
    return [json.loads(line)["url"] for line in text.splitlines()]


def test_articles_are_json_lines_newest_first_where_nobody_looks(run):
    result = run("follow", FEED)
    assert urls(result.stdout) == [f"http://small.example/a/{number}" for number in (3, 2, 1)]
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "since, count", [("2d", 2), ("6h", 1), ("1w", 2), ("2000-01-01", 3), ("2000-01-01T00:00+02:00", 3)]
)
def test_since_leaves_out_what_is_older(run, since, count):
    assert len(run("follow", FEED, "--since", since).stdout.splitlines()) == count


@pytest.mark.parametrize("since", ["soon", "2x", "-2d", "2026-13-01", ""])
def test_a_since_that_is_no_time_is_a_usage_error(run, since):
    result = run("follow", FEED, "--since", since)
    assert result.exit_code == 2
    assert "2026-01-31" in result.stderr


def test_nothing_new_is_no_failure(run):
    result = run("follow", FEED, "--since", "1m")
    assert (result.stdout, result.exit_code) == ("", 0)


def test_a_host_is_discovered_first(run):
    result = run("follow", "the-verge.example", "--since", "1d")
    assert all(url.startswith("https://the-verge.example/") for url in urls(result.stdout))
    assert result.exit_code == 0


def test_discoveries_are_followed_through_a_pipe(run):
    found = run("discover", "http://small.example", "--jsonl").stdout
    assert len(urls(run("follow", "-", stdin=found).stdout)) == 3


def test_json_and_csv_hold_all_that_is_told(run):
    document = json.loads(run("follow", FEED, "--json").stdout)
    assert (document["schema"], document["articles"][0]["title"]) == (1, "Newest")
    rows = list(csv.DictReader(io.StringIO(run("follow", FEED, "--csv").stdout)))
    assert [row["found_on"] for row in rows] == [FEED] * 3


@pytest.mark.parametrize(
    "source, code",
    [
        ("http://small.example/missing", 1),
        ("http://small.example/private/feed", 3),
        ("http://small.example/shut.xml", 3),
        ("http://broken.example/feed", 4),
        ("https://nobody.example/feed", 4),
        ("http://10.0.0.1/feed", 4),
        ("ftp://small.example/feed", 2),
        ("http://small.example:99999/feed", 2),
        ("apnews.example", 3),
        ('{"schema": 1}', 2),
        ('{"schema": 1, "site": "http://a.example", "outcome": "nothing"}', 1),
        ('{"a": ' * 20_000, 2),
    ],
    ids=lambda value: str(value)[:40],
)
def test_the_exit_code_tells_why_a_source_cannot_be_followed(run, source, code):
    result = run("follow", source)
    assert (result.stdout, result.exit_code) == ("", code)
    assert len(result.stderr.splitlines()) == 1


def test_one_source_that_fails_costs_only_itself(run):
    result = run("follow", "http://small.example/missing", FEED)
    assert len(urls(result.stdout)) == 3
    assert result.exit_code == 5
