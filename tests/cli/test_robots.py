"""`sitediscover robots`: may we, and by which rule?"""

from __future__ import annotations

import csv
import io
import json

import pytest

SITE = "http://small.example"


def told(run, *arguments):
    """Return the answer and the exit code."""
    result = run("robots", *arguments, "--json")
    return json.loads(result.stdout), result.exit_code


@pytest.mark.parametrize(
    "url, allowed, rule",
    [
        ("/", True, None),
        ("/private/x", False, "Disallow: /private/"),
        ("/private/open/x", True, "Allow: /private/open"),
        (f"{SITE}/private/", False, "Disallow: /private/"),
        ("/robots.txt", True, None),
    ],
)
def test_the_rule_that_decides_is_named(run, url, allowed, rule):
    answer, code = told(run, SITE, url)
    assert (answer["allowed"], answer["rule"], code) == (allowed, rule, 0 if allowed else 3)


def test_delay_sitemaps_and_token_are_told(run):
    answer, _ = told(run, SITE)
    assert (answer["crawl_delay"], answer["sitemaps"]) == (0, [f"{SITE}/sitemap.xml"])
    assert answer["token"] == "sitediscover"
    assert told(run, SITE, "/", "--robots-token", "AcmeNews")[0]["token"] == "AcmeNews"


@pytest.mark.parametrize(
    "site, code, reason",
    [
        ("http://empty.example", 0, "no rule"),
        ("http://broken.example", 4, "RobotsUnreachable"),
        ("http://busy.example", 3, "RateLimited"),
        ("https://nobody.example", 4, "TlsFailure|NoConnection|Unreachable"),
        ("10.0.0.1", 4, "BlockedAddress"),
    ],
)
def test_what_cannot_be_read_keeps_us_out(run, site, code, reason):
    answer, ended = told(run, site)
    assert (answer["allowed"], ended) == (code == 0, code)
    assert any(part in answer["reason"] for part in reason.split("|"))


@pytest.mark.parametrize("arguments", [["no site"], [SITE, "http://other.example/"], [SITE, "http://[", "more"]])
def test_what_cannot_be_meant_is_a_usage_error(run, arguments):
    result = run("robots", *arguments)
    assert (result.stdout, result.exit_code) == ("", 2)


def test_plain_lines_have_a_name_and_a_value(run):
    lines = run("robots", SITE, "/private/").stdout.splitlines()
    assert "allowed\tno" in lines
    assert f"sitemaps\t{SITE}/sitemap.xml" in lines
    assert run("robots", SITE, "/private/", "--lines").stdout.splitlines() == lines


def test_csv_has_one_row(run):
    rows = list(csv.DictReader(io.StringIO(run("robots", SITE, "--csv").stdout)))
    assert [row["allowed"] for row in rows] == ["yes"]


def test_http_is_asked_where_https_does_not_answer_and_no_scheme_is_given(run):
    from sitediscover.testing import FakeWeb  # noqa: PLC0415

    web = FakeWeb({"http://plain.example": {"/robots.txt": "User-agent: *\nDisallow: /x"}})
    result = run("robots", "plain.example", "/x", "--json", obj=web.session)
    assert json.loads(result.stdout)["url"] == "http://plain.example/x"
    assert result.exit_code == 3
