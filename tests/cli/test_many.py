"""`sitediscover discover` with several sites: from arguments and from standard input, side by side."""

from __future__ import annotations

import json

import pytest

LIST = "\ufeff# sites\nhttp://small.example\n\n   \nhttp://empty.example  \n# http://never.example\n"


def outcomes(text):
    """Return the outcomes of JSON Lines by site."""
    return {told["site"]: told["outcome"] for told in map(json.loads, text.splitlines())}


def test_a_dash_reads_standard_input_without_its_blank_lines_and_comments(run):
    result = run("discover", "-", "--jsonl", stdin=LIST)
    assert outcomes(result.stdout) == {"http://small.example": "feed", "http://empty.example": "nothing"}


def test_a_dash_stands_beside_arguments(run):
    result = run("discover", "the-verge.example", "-", "--jsonl", stdin="http://small.example")
    assert outcomes(result.stdout) == {"https://the-verge.example": "feed", "http://small.example": "feed"}
    assert result.exit_code == 0


def test_bytes_that_are_no_text_end_nothing(run):
    result = run("discover", "-", "--jsonl", stdin=b"\xff\xfe\x00\nhttp://small.example\n")
    assert sorted(outcomes(result.stdout).values()) == ["feed", "stopped"]


@pytest.mark.parametrize(
    "sites, code",
    [
        (["http://small.example", "the-verge.example"], 0),
        (["http://empty.example", "http://empty.example/again"], 1),
        (["no site", "nor this one"], 2),
        (["apnews.example", "www.reuters.example"], 3),
        (["https://nobody.example", "http://nobody.example"], 4),
        (["http://small.example", "apnews.example"], 5),
        (["http://small.example", "no site"], 5),
        ([], 0),
    ],
)
def test_many_have_one_exit_code_where_they_agree_and_5_where_they_do_not(run, sites, code):
    result = run("discover", "-", stdin="\n".join(sites))
    assert len(result.stdout.splitlines()) == len(sites)
    assert result.exit_code == code


def test_json_of_many_is_one_document(run):
    told = json.loads(run("discover", "http://small.example", "apnews.example", "--json").stdout)
    assert told["schema"] == 1
    assert {each["site"] for each in told["discoveries"]} == {"http://small.example", "https://apnews.example"}


def test_a_checkpoint_answers_what_was_asked_before(run, web, tmp_path):
    first = run("discover", "-", "--resume", "found.jsonl", "--jsonl", stdin="http://small.example")
    assert "http://small.example" in (tmp_path / "found.jsonl").read_text(encoding="utf-8")
    again = run("discover", "-", "--resume", "found.jsonl", "--jsonl", "-v", stdin="http://small.example")
    assert again.stdout == first.stdout
    assert again.stderr == "", "no request was made"


@pytest.mark.parametrize("option", [["--workers", "0"], ["--strategy", "no-such"], ["--timeout", "0"]])
def test_what_makes_no_sense_for_many_is_told_before_anything_is_asked(run, option):
    result = run("discover", "-", *option, stdin=LIST)
    assert (result.stdout, result.exit_code) == ("", 2)
