"""`sitediscover discover`: the verdict in every form, and its exit code."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

from sitediscover import Discovery, Outcome

FEED = "http://small.example/feed"


def test_a_found_site_is_a_line_of_tabs_and_exit_code_0(run):
    result = run("discover", "http://small.example")
    assert result.stdout == f"http://small.example\tfeed\t{FEED}\n"
    assert (result.stderr, result.exit_code) == ("", 0)


@pytest.mark.parametrize(
    "site, code, outcome",
    [
        ("http://small.example", 0, "feed"),
        ("http://empty.example", 1, "nothing"),
        ("www.reuters.example", 3, "stopped"),
        ("apnews.example", 3, "stopped"),
        ("http://busy.example", 3, "stopped"),
        ("http://broken.example", 4, "stopped"),
        ("https://nobody.example", 4, "stopped"),
        ("127.0.0.1", 4, "stopped"),
    ],
)
def test_the_exit_code_tells_the_verdict(run, site, code, outcome):
    result = run("discover", site, "--json")
    assert json.loads(result.stdout)["outcome"] == outcome
    assert result.exit_code == code


def test_a_spent_budget_is_nothing_found_and_no_refusal(run):
    result = run("discover", "http://empty.example", "--max-requests", "2", "--json")
    assert json.loads(result.stdout)["stopped"]["reason"] == "budget_spent"
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["discover"],
        ["discover", "no site at all"],
        ["discover", "ftp://small.example"],
        ["discover", "https://me:secret@small.example"],
        ["discover", "http://small.example", "--strategy", "no-such"],
        ["discover", "http://small.example", "--order", "random"],
        ["discover", "http://small.example", "--pause", "-1"],
        ["discover", "http://small.example", "--robots-token", "two words"],
        ["discover", "http://small.example", "--user-agent", "ünlikely"],
        ["discover", "http://small.example", "--proxy", "nonsense"],
        ["discover", "http://small.example", "--json", "--csv"],
        ["discover", "http://small.example", "--no-such-option"],
        ["no-such-command"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_a_sentence_and_exit_code_2(run, arguments):
    result = run(*arguments)
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "Error: " in result.stderr


def test_json_is_one_document_that_gives_the_discovery_back(run):
    told = json.loads(run("discover", "http://small.example", "--json").stdout)
    found = Discovery.from_dict(told)
    assert told["schema"] == 1
    assert (found.outcome, found.best.url, len(found.requests)) == (Outcome.FEED, FEED, 2)


def test_csv_has_a_head_and_a_row_for_each_source(run):
    rows = list(csv.DictReader(io.StringIO(run("discover", "www.itmedia.example", "--csv").stdout)))
    assert {row["site"] for row in rows} == {"https://www.itmedia.example"}
    assert rows[0]["url"] == "https://rss.itmedia.example/rss/2.0/news.xml"
    assert rows[0]["requests"] == "2"


def test_csv_has_a_row_for_a_site_without_a_source(run):
    rows = list(csv.DictReader(io.StringIO(run("discover", "apnews.example", "--csv").stdout)))
    assert [(row["outcome"], row["url"], row["stopped"]) for row in rows] == [("stopped", "", "front_page_refused")]


def test_opml_subscribes_to_the_feed(run):
    outline = ET.fromstring(run("discover", "http://small.example", "--opml").stdout).find("body/outline")
    assert outline.attrib == {
        "type": "rss",
        "text": "The feed",
        "title": "The feed",
        "xmlUrl": FEED,
        "htmlUrl": "http://small.example/",
    }


def test_opml_links_to_what_is_no_feed_and_says_what_is_left_out(run):
    sitemap = run("discover", "www.yomiuri.example", "--opml")
    assert ET.fromstring(sitemap.stdout).find("body/outline").get("type") == "link"
    stopped = run("discover", "apnews.example", "--opml")
    assert ET.fromstring(stopped.stdout).find("body/outline") is None
    assert "apnews.example: not in the OPML" in stopped.stderr


def test_explain_tells_each_request_each_failure_and_the_verdict_on_stderr(run):
    result = run("discover", "www.nikkei.example", "--explain")
    assert len(result.stdout.splitlines()) == 1
    lines = result.stderr.splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["1.", "robots"], ["2.", "front-page"]]
    assert any(line.startswith("   + section-pages") and "% sections" in line for line in lines)
    assert lines[-1] == "   = sections: https://www.nikkei.example/sections_sitemap.xml"


def test_listed_order_asks_as_listed(run):
    adaptive = json.loads(run("discover", "www.yomiuri.example", "--json").stdout)
    listed = json.loads(run("discover", "www.yomiuri.example", "--json", "--order", "listed").stdout)
    assert len(listed["requests"]) > len(adaptive["requests"])


def test_a_strategy_is_taken_by_its_name(run):
    result = run("discover", "http://small.example", "--strategy", "section-pages", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["outcome"] == "nothing"
