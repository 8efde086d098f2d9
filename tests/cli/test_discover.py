"""`sitediscover discover`: the verdict in every form, and its exit code."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
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


def test_opml_names_a_feed_once_that_two_sites_have(run):
    told = run("discover", "http://small.example", "http://small.example", "--opml").stdout
    assert len(ET.fromstring(told).findall("body/outline")) == 1


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


OWN = """
from sitediscover import Source, SourceKind


def always(site):
    import {other}  # what the strategy needs may lie beside it
    yield Source(kind=SourceKind.FEED, url=f"{{site.origin}}/{{{other}.NAME}}")
"""


@pytest.fixture
def own(tmp_path):
    """Return the name of a module in the folder that commands run in."""
    (tmp_path / "its_other_module.py").write_text("NAME = 'own.rss'\n", encoding="utf-8")
    (tmp_path / "own_strategies.py").write_text(OWN.format(other="its_other_module"), encoding="utf-8")
    yield "own_strategies"
    for name in ("own_strategies", "its_other_module"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("sites", [["http://small.example"], ["http://small.example", "http://empty.example"]])
def test_a_strategy_may_lie_in_the_current_folder(run, own, sites):
    before = list(sys.path)
    result = run("discover", *sites, "--strategy", f"{own}:always", "--jsonl")
    assert {json.loads(line)["sources"][0]["url"] for line in result.stdout.splitlines()} == {
        f"{site}/own.rss" for site in sites
    }
    assert sys.path == before


@pytest.mark.slow
def test_the_installed_program_finds_a_strategy_of_the_current_folder(program, own):
    with program("discover", "http://small.example", "--strategy", f"{own}:always") as process:
        out, err = process.communicate(timeout=20)
    assert (out, err) == (b"http://small.example\tfeed\thttp://small.example/own.rss\n", b"")


def test_no_file_of_the_current_folder_takes_the_place_of_an_installed_package(run, tmp_path, monkeypatch):
    (tmp_path / "tabnanny.py").write_text("raise AssertionError('of the folder')", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "tabnanny", raising=False)
    result = run("discover", "http://small.example", "--strategy", "tabnanny:NannyNag")
    assert "of the folder" not in result.stderr


def test_the_current_folder_is_left_out_where_no_module_is_asked_for(run, own):
    def opener(**options):
        raise ValueError(f"{os.getcwd() in sys.path}")  # noqa: PTH109

    assert "Error: False" in run("discover", "http://small.example", "--strategy", "common-paths", obj=opener).stderr


def test_a_module_that_is_nowhere_is_a_sentence(run):
    result = run("discover", "http://small.example", "--strategy", "no_such_module:Class")
    assert result.exit_code == 2
    assert result.stderr == "Error: 'no_such_module:Class' cannot be imported: No module named 'no_such_module'\n"


@pytest.mark.parametrize("sites", [["hosts.txt"], ["hosts.txt", "http://small.example"]])
def test_a_file_in_the_place_of_a_site_brings_a_hint(run, tmp_path, sites):
    (tmp_path / "hosts.txt").write_text("http://small.example\n", encoding="utf-8")
    assert "`- < hosts.txt` reads its lines" in run("discover", *sites).stderr


def test_doubly_verbose_tells_whose_turn_it_is_and_why(run):
    assert (
        "D http://small.example: alternate-link has its turn: Forecast(chance=1"
        in run("discover", "http://small.example", "-vv").stderr
    )
    assert "its turn" not in run("discover", "http://small.example", "-v").stderr
