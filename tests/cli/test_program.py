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
    "arguments",
    [
        ["discover", "http://slow.example"],
        ["discover", "http://slow.example", SITE, "--json"],
        ["follow", "http://slow.example/"],
    ],
    ids=["one", "many", "follow"],
)
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
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


def test_a_walk_that_is_interrupted_goes_on_where_it_was(program, tmp_path):
    def pages(text):
        return [json.loads(line)["url"] for line in text.splitlines()]

    with program("walk", "http://many.example", "--jsonl", "--state", "state.json") as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        first += process.communicate(timeout=20)[0]
    assert process.returncode == 130
    with program("walk", "http://many.example", "--jsonl", "--state", "state.json") as process:
        rest = process.communicate(timeout=30)[0]
    assert 0 < len(pages(first)) < 20_000
    assert set(pages(first)) | set(pages(rest)) == {f"http://many.example/page/{number}" for number in range(20_000)}
    assert len(set(pages(first)) & set(pages(rest))) <= 1


def test_a_terminal_gets_a_table_with_colour(program):
    shown, code = on_terminal(program, "discover", SITE)
    head, row = shown.splitlines()
    assert re.sub(r"\x1b\[\d*m", "", head).split() == ["SITE", "OUTCOME", "ANSWER"]
    assert row.startswith(f"{ESCAPE}[32m{SITE} ")
    assert code == 0


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colour_is_left_out_where_it_is_unwelcome(program, env):
    shown, _ = on_terminal(program, "discover", SITE, env=env)
    assert SITE in shown
    assert ESCAPE not in shown


def test_an_empty_no_color_says_nothing(program):
    assert ESCAPE in on_terminal(program, "discover", SITE, env={"NO_COLOR": ""})[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["discover", "http://hostile.example", "--explain", "-vv"],
        ["discover", "http://hostile.example", "http://small.example"],
        ["discover", "http://hostile.example", "--json"],
        ["follow", "http://hostile.example/feed"],
        ["follow", "http://hostile.example/feed", "--csv"],
        ["walk", "http://hostile.example"],
        ["robots", "http://hostile.example", "/\x1b[2Jx"],
        ["discover", "no \x1b[2Jsite"],
    ],
    ids=" ".join,
)
def test_what_strangers_write_does_nothing_to_a_terminal(program, arguments):
    shown, _ = on_terminal(program, *arguments, env={"NO_COLOR": "1"})
    assert shown.strip()
    assert [mark for mark in shown if re.match(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u202e\u202c]", mark)] == []


def test_what_an_encoding_cannot_show_is_escaped(program):
    with program("discover", "www.yomiuri.example", "--jsonl", env={"PYTHONIOENCODING": "ascii"}) as process:
        out = process.communicate(timeout=20)[0]
    assert json.loads(out)["sources"][0]["title"] == "ミニチュア読売"


def test_python_m_is_the_same_program(environment):
    for arguments in (["--version"], ["discover", "--help"]):
        told = subprocess.run([sys.executable, "-m", "sitediscover", *arguments], env=environment, capture_output=True)
        assert b"sitediscover" in told.stdout
        assert told.returncode == 0


def test_the_demo_prints_its_table_and_serves_until_interrupted(program):
    with program("demo", "--pause", "0") as process:
        assert b"Nikkei" in process.communicate(timeout=30)[0]
    assert process.returncode == 0
    with program("demo", "--serve") as process:
        assert b"127.0.0.1" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode in {0, 130}
