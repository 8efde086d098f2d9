"""Every option has its default in the environment, under one name in all commands."""

from __future__ import annotations

import json
import re

import click
import pytest

from sitediscover.cli import main
from sitediscover.fetch import PoliteSession
from sitediscover.testing import FakeWeb

SITE = "https://news.example"
SESSION = {
    "PAUSE": ("pause", "2.5", 2.5),
    "USER_AGENT": ("user_agent", "newsdeskbot/1.0", "newsdeskbot/1.0"),
    "ROBOTS_TOKEN": ("robots_token", "AcmeNews", "AcmeNews"),
    "MAX_REQUESTS": ("max_requests", "7", 7),
    "TIMEOUT": ("timeout", "3", 3.0),
    "DEADLINE": ("deadline", "4", 4.0),
    "PROXY": ("proxy", "http://proxy.example:3128", "http://proxy.example:3128"),
    "ALLOW_PRIVATE": ("allow_private", "1", True),
}
COMMANDS = [["discover", SITE], ["follow", f"{SITE}/feed"], ["walk", SITE], ["robots", SITE], ["watch", "poll"]]


class Opened(Exception):
    """Carries the options that a session would have been opened with."""


def session_of(run, *arguments, env=None):
    """Return the options that a command opens its session with."""
    seen = {}

    def opener(**options):
        seen.update(options)
        raise ValueError("that is all")

    assert run(*arguments, env=env, obj=opener).exit_code == 2
    return seen


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_session_options_have_the_same_names_in_every_command(run, command):
    told = session_of(run, *command, env={f"SITEDISCOVER_{name}": text for name, (_, text, _) in SESSION.items()})
    assert told == {option: value for option, _, value in SESSION.values()}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_the_command_line_goes_before_the_environment(run, command):
    arguments = [word for option, text, _ in SESSION.values() for word in (f"--{option.replace('_', '-')}", text)]
    arguments.remove("1")  # a flag takes none
    other = {"SITEDISCOVER_PAUSE": "9", "SITEDISCOVER_USER_AGENT": "other/2", "SITEDISCOVER_MAX_REQUESTS": "99"}
    assert session_of(run, *command, *arguments, env=other) == {option: value for option, _, value in SESSION.values()}


def test_without_any_they_are_those_of_a_session(run, monkeypatch):
    monkeypatch.delenv("SITEDISCOVER_PAUSE")
    with PoliteSession(**session_of(run, "discover", SITE)) as ours, PoliteSession() as plain:
        assert ours._options == plain._options


def test_they_reach_the_site(run):
    web = FakeWeb({SITE: {"/robots.txt": "User-agent: newsdeskbot\nDisallow: /"}})
    result = run("discover", SITE, env={"SITEDISCOVER_USER_AGENT": "newsdeskbot/1.0"}, obj=web.session)
    assert web.calls[0].headers["User-Agent"] == "newsdeskbot/1.0"
    assert result.exit_code == 3


@pytest.mark.parametrize(
    "name, value",
    [("PAUSE", "fast"), ("MAX_REQUESTS", "0"), ("ORDER", "random"), ("USER_AGENT", "a\nb"), ("PROXY", "x")],
)
def test_an_environment_that_makes_no_sense_is_a_usage_error(run, name, value):
    result = run("discover", SITE, env={f"SITEDISCOVER_{name}": value})
    assert (result.stdout, result.exit_code) == ("", 2)


def test_the_form_is_taken_from_the_environment_and_the_command_line_goes_before_it(run):
    env = {"SITEDISCOVER_JSON": "1"}
    assert json.loads(run("robots", "http://small.example", env=env).stdout)["schema"] == 1
    assert run("robots", "http://small.example", "--csv", env=env).stdout.startswith("site,url,")
    assert run("robots", "http://small.example", env={**env, "SITEDISCOVER_CSV": "1"}).exit_code == 2


def test_the_log_is_taken_from_the_environment(run):
    assert "I robots" in run("discover", "http://small.example", env={"SITEDISCOVER_VERBOSE": "1"}).stderr
    assert "I robots" in run("-v", "discover", "http://small.example").stderr
    assert run("discover", "http://small.example").stderr == "", "the last run's log is over"


def commands(group, path=()):
    """Yield every command with the words that lead to it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


@pytest.mark.parametrize(
    "words, command", list(commands(main)), ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_every_option_is_named_in_the_environment_as_on_the_command_line(words, command):
    with command.make_context(words[-1], [], resilient_parsing=True) as context:
        assert context.auto_envvar_prefix == "SITEDISCOVER"
    for option in command.params:
        if isinstance(option, click.Option):
            long = next(name for name in option.opts if name.startswith("--"))
            assert option.name == re.sub("-", "_", long[2:]), "its variable follows from its name"
            assert option.help, long
