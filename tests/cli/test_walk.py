"""`sitediscover walk`: the pages of a sitemap tree, to be stopped and gone on with."""

from __future__ import annotations

import json

import pytest

SITE = "http://small.example"


def paths(text):
    """Return the last columns of plain lines, without the host."""
    return [line.split("\t")[-1].removeprefix(SITE) for line in text.splitlines()]


def test_pages_come_file_by_file(run):
    result = run("walk", SITE)
    assert sorted(paths(result.stdout)) == ["/a/1", "/a/2", "/a/3", "/b/4"]
    assert result.exit_code == 0


def test_match_and_since_choose(run):
    assert sorted(paths(run("walk", SITE, "--match", r"/a/\d$").stdout)) == ["/a/1", "/a/2", "/a/3"]
    assert sorted(paths(run("walk", SITE, "--since", "7d").stdout)) == ["/a/2", "/a/3", "/b/4"]


def test_a_pattern_that_is_none_is_a_usage_error(run):
    result = run("walk", SITE, "--match", "(")
    assert (result.stdout, result.exit_code) == ("", 2)


def test_json_holds_the_files_too(run):
    told = json.loads(run("walk", SITE, "--json").stdout)
    assert (told["schema"], told["site"], len(told["entries"])) == (1, SITE, 4)
    assert [report["status"] for report in told["reports"]] == ["ok"] * 3


def test_a_state_goes_on_where_the_last_call_ended(run, tmp_path):
    first = run("walk", SITE, "--state", "state.json", "--max-requests", "3")
    assert len(paths(first.stdout)) == 2
    assert "1 sitemaps are left" in first.stderr
    second = run("walk", SITE, "--state", "state.json")
    assert sorted(paths(first.stdout) + paths(second.stdout)) == ["/a/1", "/a/2", "/a/3", "/b/4"]
    third = run("walk", SITE, "--state", "state.json")
    assert (third.stdout, third.exit_code) == ("", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"version": 99}', '{"version": 1, "pending": 3}'])
def test_a_state_that_is_none_is_told_and_left_alone(run, tmp_path, text):
    (tmp_path / "state.json").write_text(text, encoding="utf-8")
    result = run("walk", SITE, "--state", "state.json")
    assert (result.stdout, result.exit_code) == ("", 2)
    assert "state.json" in result.stderr
    assert (tmp_path / "state.json").read_text(encoding="utf-8") == text


def test_a_state_of_another_site_is_told_and_left_alone(run, tmp_path):
    run("walk", SITE, "--state", "state.json")
    before = (tmp_path / "state.json").read_bytes()
    result = run("walk", "the-verge.example", "--state", "state.json")
    assert (result.exit_code, (tmp_path / "state.json").read_bytes()) == (2, before)


def test_a_state_that_cannot_be_written_is_an_error_of_ours(run):
    result = run("walk", SITE, "--state", "no/such/folder/state.json")
    assert result.exit_code == 74
    assert "No such file" in result.stderr


@pytest.mark.parametrize(
    "site, code",
    [
        ("http://empty.example", 1),
        ("http://small.example/shut.xml", 3),
        ("http://broken.example", 4),
        ("https://nobody.example", 4),
        ("www.reuters.example", 3),
        ("http://small.example/mine/half.xml", 5),
        ("no site", 2),
    ],
)
def test_the_exit_code_tells_how_it_ended(run, site, code):
    result = run("walk", site)
    assert result.exit_code == code
    assert bool(result.stderr) or code == 1
