"""README.md and docs/: every snippet runs, offline, and every command exists."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from sitediscover.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if "_build" not in page.parts]

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w{}-]*) *(?P<argument>.*)$")
NOT_RUN = re.compile(r"<!-- not run: (?P<reason>.+) -->")

# What a page may call besides our own programs: what every machine of a reader has.
SHELL = re.compile("bash|cat|cd|cp|crontab|curl|export|git|grep|head|jq|pip|python3|rm|sort|systemctl|tar")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int  # of its first line of content
    language: str
    text: str
    not_run: str | None  # the reason, where the page says that it must not run

    @property
    def place(self) -> str:
        """Return where the block stands."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    found, lines = [], page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        number += 1
        if fence is None:
            continue
        start = number
        while lines[number].strip() != "```":  # a fence that never closes is an IndexError, and should be
            number += 1
        text = "\n".join(line.removeprefix(fence["indent"]) for line in lines[start:number])
        marker = NOT_RUN.search(lines[start - 2]) if start > 1 else None
        found.append(Block(page, start + 1, fence["language"], text, marker and marker["reason"]))
        number += 1
    return found


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def chosen(*languages: str, run: bool = True) -> list[Block]:
    """Return the blocks of some languages that run, or those that do not."""
    return [block for block in BLOCKS if block.language in languages and (block.not_run is None) is run]


def pages_with(*languages: str) -> list[Path]:
    """Return the pages that have such blocks."""
    return sorted({block.page for block in chosen(*languages)})


@pytest.fixture(autouse=True)
def _offline(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    look_up = socket.getaddrinfo

    def loopback_only(host, *args, **kwargs):
        # No host at all is this machine's own sockets.
        assert host in {None, "127.0.0.1", "::1", "localhost"}, f"a snippet asks the internet for {host}"
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", loopback_only)


@pytest.mark.parametrize("page", pages_with("python", "pycon"), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_snippets_of_a_page_run_in_order(page):
    namespace = {"__name__": "__main__"}
    for block in chosen("python", "pycon"):
        if block.page != page:
            continue
        if block.language == "pycon":
            example = doctest.DocTestParser().get_doctest(block.text, namespace, block.place, str(page), block.line - 1)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            report: list[str] = []
            runner.run(example, out=report.append, clear_globs=False)
            assert not runner.failures, "".join(report)
            namespace = example.globs
        else:
            # The blank lines let a traceback tell the page's own line.
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), namespace)


@pytest.mark.parametrize("block", chosen("python", "pycon", run=False), ids=lambda block: block.place)
def test_a_snippet_that_does_not_run_is_at_least_python(block):
    ast.parse(block.text)
    pytest.skip(f"{block.place} is not run: {block.not_run}")


def test_every_block_has_a_language_that_is_looked_after():
    known = {
        "python",
        "pycon",
        "console",
        "text",
        "json",
        "toml",
        "ini",
        "xml",
        "sql",
        "html",
        "sh",
        "toctree",
        "include",
        "eval-rst",
    }
    assert [block.place for block in BLOCKS if block.language.strip("{}") not in known] == []


def commands_of(block: Block) -> list[list[str]]:
    """Return the commands of a block, cut at pipes, `&&` and `;`; in a console block they stand after a `$`."""
    found = []
    lines = re.sub(r"\\\n", " ", block.text).splitlines()
    prompt = "$ " if block.language == "console" else ""
    for line in (line.removeprefix(prompt) for line in lines if line.startswith(prompt) and line.strip()):
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
        lexer.whitespace_split = True
        found.append([])
        for word in lexer:
            if set(word) <= set("|&;"):
                found.append([])
            else:
                found[-1].append(word)
    return found


COMMANDS = [(block.place, words) for block in chosen("console", "sh") for words in commands_of(block)]


@pytest.mark.parametrize("place, words", COMMANDS, ids=[f"{place} {' '.join(words)}" for place, words in COMMANDS])
def test_a_command_on_a_page_exists(place, words):
    while re.match(r"\w+=", words[0]):  # settings before a command
        words = words[1:]
    words = words[: words.index(">")] if ">" in words else words
    program, arguments = words[0].removeprefix(".venv/bin/"), words[1:]
    if program == "python3" and arguments[:2] == ["-m", "sitediscover"]:
        program, arguments = "sitediscover", arguments[2:]
    if program == "sitediscover":
        takes(main, arguments)
    elif program == "nox":
        assert {name.partition("-")[0] for name in nox_sessions(arguments)} <= sessions(), place
    else:
        assert SHELL.fullmatch(program), place


def takes(command: click.Command, arguments: list[str], parent: click.Context | None = None) -> None:
    """Let click read the arguments, down to the last subcommand, without running anything."""
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=command.name, parent=parent)
        _, words, _ = command.make_parser(context).parse_args(list(arguments))
        if words:
            _, subcommand, rest = command.resolve_command(context, words)
            takes(subcommand, rest, context)
        return
    with suppress(click.exceptions.Exit):  # --help and --version answer at once
        command.make_context(command.name, list(arguments), parent=parent)


def nox_sessions(arguments: list[str]) -> list[str]:
    """Return the sessions that a call of nox names."""
    ours = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return [word for word in ours if not word.startswith("-")]


def sessions() -> set[str]:
    """Return the sessions that noxfile.py defines."""
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list}
