"""The installed program, through real pipes and on a terminal of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from sitediscover import __version__
from sitediscover.cli.output import colour_wanted

pytestmark = pytest.mark.slow

SITE = "http://small.example"
ESCAPE = "\x1b"


def on_terminal(program, *arguments, env=None):
    """Run the program with a terminal as its standard output and error; return what it shows and how it ends."""
    master, slave = pty.openpty()
    with program(*arguments, env=env, stdout=slave, stderr=slave) as process:
        os.close(slave)
        shown = b""
        try:
            while chunk := os.read(master, 65_536):
                shown += chunk
        except OSError:  # Linux says so when the other end is closed
            pass
        process.wait(timeout=20)
    os.close(master)
    return shown.decode(), process.returncode


def test_data_goes_to_stdout_and_nothing_else_does(program):
    with program("discover", SITE, "--explain", "-vv") as process:
        out, err = process.communicate(timeout=20)
    assert out.decode() == f"{SITE}\tfeed\t{SITE}/feed\n"
    assert b"I robots: http://small.example/robots.txt" in err
    assert b"   = feed: http://small.example/feed" in err
    assert process.returncode == 0


def test_programs_are_joined_by_pipes(program):
    with (
        program("discover", "-", "--jsonl", stdin=subprocess.PIPE) as first,
        program("follow", "-", "--jsonl", stdin=first.stdout) as second,
    ):
        first.stdin.write(f"# mine\n{SITE}\n".encode())
        first.stdin.close()
        articles = [json.loads(line) for line in second.communicate(timeout=20)[0].splitlines()]
    assert [article["title"] for article in articles] == ["Newest", "Newer", "Old"]


def test_each_json_line_is_there_as_soon_as_it_is_known(program):
    with program("discover", SITE, "http://slow.example", "--jsonl") as process:
        assert json.loads(process.stdout.readline())["site"] == SITE
        assert process.poll() is None, "the other site is still being asked"


def test_a_closed_pipe_is_silent(program):
    with program("walk", "http://many.example", "--jsonl") as process:
        assert b"/page/0" in process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=20) == 0
        assert process.stderr.read() == b""


def test_a_full_disk_is_told(program):
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full, program("discover", SITE, stdout=full) as process:  # noqa: PTH123
        assert b"No space left" in process.communicate(timeout=20)[1]
    assert process.returncode == 74


@pytest.mark.parametrize(
    "arguments, number, code",
    [
        (["discover", "http://slow.example"], signal.SIGINT, 130),
        (["discover", "http://slow.example", SITE, "--json"], signal.SIGINT, 130),
        (["follow", "http://slow.example/"], signal.SIGTERM, 143),
    ],
    ids=["one", "many", "terminated"],
)
def test_a_signal_ends_it_within_three_seconds(program, arguments, number, code):
    with program(*arguments, "-v") as process:
        told = b""
        while b"slow.example/robots.txt" not in told:
            told += process.stderr.readline()
        start = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - start < 3
    assert process.returncode == code
    assert b"Traceback" not in err
    if "--json" in arguments:
        assert json.loads(out)["schema"] == 1, "what was done so far is a whole document"


def test_a_walk_that_is_interrupted_goes_on_where_it_was(program, run, many):
    def pages(text):
        return [json.loads(line)["url"] for line in text.splitlines()]

    with program("walk", "http://many.example", "--jsonl", "--state", "state.json") as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        first += process.communicate(timeout=20)[0]
    assert process.returncode == 130
    rest = run("walk", "http://many.example", "--jsonl", "--state", "state.json").stdout
    assert 0 < len(pages(first)) < many
    assert set(pages(first)) | set(pages(rest)) == {f"http://many.example/page/{number}" for number in range(many)}
    assert len(set(pages(first)) & set(pages(rest))) <= 1


def test_a_terminal_gets_a_table_with_colour(program):
    shown, code = on_terminal(program, "discover", SITE)
    head, row = shown.splitlines()
    assert re.sub(r"\x1b\[\d*m", "", head).split() == ["SITE", "OUTCOME", "ANSWER"]
    assert row.startswith(f"{ESCAPE}[32m{SITE} ")
    assert code == 0


def test_colour_is_left_out_where_it_is_unwelcome(program):
    shown, _ = on_terminal(program, "discover", SITE, env={"NO_COLOR": "1"})
    assert SITE in shown
    assert ESCAPE not in shown


@pytest.mark.parametrize(
    "environment, wanted",
    [({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, None), ({"TERM": "dumb"}, False), ({}, None)],
    ids=str,
)
def test_an_empty_no_color_says_nothing_and_a_dumb_terminal_says_all(monkeypatch, environment, wanted):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colour_wanted() is wanted


def obeyed(shown):
    """Return the characters that a terminal would obey instead of showing."""
    return re.findall(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u202c\u202e]", shown)


def test_what_strangers_write_does_nothing_to_a_terminal(program):
    shown, _ = on_terminal(program, "follow", "http://hostile.example/feed", "-vv", env={"NO_COLOR": "1"})
    assert "back" in shown
    assert obeyed(shown) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["discover", "http://hostile.example", "--explain", "-vv"],
        ["discover", "http://hostile.example", "http://small.example"],
        ["discover", "http://hostile.example", "--json"],
        ["discover", "http://hostile.example", "--opml"],
        ["follow", "http://hostile.example/feed"],
        ["follow", "http://hostile.example/feed", "--csv"],
        ["walk", "http://hostile.example"],
        ["robots", "http://hostile.example", "/\x1b[2Jx"],
        ["discover", "no \x1b[2Jsite"],
        ["discover", "no \x1b[2Jsite", "another \x1b[2Jsite"],
    ],
    ids=repr,
)
def test_what_strangers_write_is_harmless_in_every_form(run, arguments):
    result = run(*arguments)
    assert result.stdout + result.stderr
    assert obeyed(result.stdout + result.stderr) == []


def test_a_bug_is_told_whole_and_has_an_exit_code_of_its_own(run):
    def broken(**options):
        raise RuntimeError("not \x1b[2Jyour fault")

    result = run("discover", SITE, obj=broken)
    assert (result.stdout, result.exit_code) == ("", 70)
    assert "RuntimeError: not \ufffd[2Jyour fault" in result.stderr
    assert len(result.stderr.splitlines()) > 3


@pytest.mark.parametrize(
    "turned_into", [RuntimeError("Error calling __set_name__"), OSError("while closing")], ids=repr
)
def test_what_became_of_an_interrupt_on_its_way_is_one(run, turned_into):
    def interrupted(**options):
        raise turned_into from KeyboardInterrupt()

    result = run("discover", SITE, obj=interrupted)
    assert (result.output, result.exit_code) == ("", 130)


def test_what_an_encoding_cannot_show_is_escaped(program):
    with program("discover", "www.yomiuri.example", "--jsonl", env={"PYTHONIOENCODING": "ascii"}) as process:
        out = process.communicate(timeout=20)[0]
    assert json.loads(out)["sources"][0]["title"] == "ミニチュア読売"


def test_python_m_is_the_same_program(environment):
    told = subprocess.run(
        [sys.executable, "-m", "sitediscover", "--version"], env=environment, capture_output=True, check=True
    )
    assert told.stdout.decode() == f"sitediscover, version {__version__}{os.linesep}"


def test_the_demo_prints_its_table(run):
    result = run("demo", "--pause", "0")
    assert "Nikkei" in result.stdout
    assert result.exit_code == 0


def test_the_demo_serves_until_interrupted(program):
    with program("demo", "--serve") as process:
        assert b"127.0.0.1" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode in {0, 130}
