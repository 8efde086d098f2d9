"""`discover`: how sites can be followed."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitediscover.cli.options import expanded, form_options, open_session, session_options
from sitediscover.cli.output import Column, Form, Layout, plain, writer
from sitediscover.cli.program import Code, Command, code_of, joint, leave, say
from sitediscover.discoverer import Discoverer
from sitediscover.errors import InvalidSite
from sitediscover.model import Outcome, SourceKind
from sitediscover.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from sitediscover.model import Discovery, Source

_COLOURS = {Outcome.STOPPED: "red", Outcome.NOTHING: "yellow"}


def _answer(found: Discovery) -> str:
    if found.best is not None:
        return found.best.url
    return f"{found.stopped.reason}: {found.stopped.detail}" if found.stopped else "nothing to follow"


def _rows(found: Discovery) -> Iterator[Mapping[str, object]]:
    of_site: dict[str, object] = {
        "site": found.site,
        "outcome": found.outcome,
        "requests": len(found.requests),
        "stopped": found.stopped.reason if found.stopped else None,
    }
    for source in found.sources:
        newest = source.evidence.newest if source.evidence else None
        yield plain(source) | of_site | {"newest": newest}
    if not found.sources:
        yield of_site


def _outlines(found: Discovery) -> Iterator[Mapping[str, object]]:
    """Yield what feed readers take: the best feed as a subscription, any other best source as a link (OPML 2.0)."""
    best = found.best
    if best is None:
        say(f"{found.site}: not in the OPML: {_answer(found)}")
    elif best.kind is SourceKind.FEED:
        text = best.title or host_of(found.site)
        yield {"type": "rss", "text": text, "title": text, "xmlUrl": best.url, "htmlUrl": f"{found.site}/"}
    else:
        yield {
            "type": "link",
            "text": best.title or f"{host_of(found.site)} ({best.kind})",
            "url": best.url,
            "sitediscover:kind": best.kind,
        }


DISCOVERIES = Layout(
    key="discoveries",
    columns=(
        Column(name="site", width=32, of=lambda found: found.site),
        Column(name="outcome", width=15, of=lambda found: found.outcome),
        Column(name="answer", width=0, of=_answer),
    ),
    fields=(
        *("site", "outcome", "kind", "url", "title", "found_by", "found_on", "media_type", "language", "newest"),
        *("requests", "stopped"),
    ),
    rows=_rows,
    outlines=_outlines,
    colour=lambda found: _COLOURS.get(found.outcome, "green"),
)


@click.command("discover", cls=Command)
@click.argument("sites", nargs=-1, required=True, metavar="SITE...")
@form_options(Form.JSON, Form.JSONL, Form.CSV, Form.OPML, Form.LINES)
@click.option("--explain", is_flag=True, help="Say on standard error, step by step, how the verdict came about.")
@click.option(
    "--order",
    type=click.Choice(["adaptive", "listed"]),
    default="adaptive",
    show_default=True,
    help="Strategies by the best chance per request, or as they are listed.",
)
@click.option("--strategy", multiple=True, help="A strategy's name, or module:Class, also of this folder; repeatable.")
@click.option("--thorough", is_flag=True, help="Go on after the first find, and tell all.")
@click.option("--workers", type=click.IntRange(min=1), default=32, show_default=True, help="Hosts asked at a time.")
@click.option("--resume", type=click.Path(dir_okay=False), help="Keep the answers in this file; ask for what it lacks.")
@session_options
def discover_command(
    *,
    sites: tuple[str, ...],
    form: Form | None,
    explain: bool,
    workers: int,
    resume: str | None,
    session_options: dict[str, Any],
    **search: Any,
) -> None:
    """Find how each SITE (a host, or any URL of it) can be followed.

    `-` reads sites from standard input, one a line. One site is asked as it is; several are asked side by side, each
    host by itself, and answered as they finish.
    """
    single = len(sites) == 1 and sites[0] != "-" and resume is None
    search["strategies"] = search.pop("strategy") or None
    codes = []
    with writer(form, replace(DISCOVERIES, whole=single)) as out, ExitStack() as stack:
        # Opened for many, too: options that make no sense are told before anything is asked.
        session = stack.enter_context(open_session(session_options))
        stack.enter_context(_this_folder_seen(search["strategies"] or ()))
        if single:
            answers = iter([Discoverer(session=session, **search).discover(next(expanded(sites)))])
        else:
            answers = _many(expanded(sites), workers=workers, resume=resume, session=session, **search)
            stack.enter_context(closing(answers))
        for found in answers:
            if explain:
                explain_to_stderr(found)
            out.write(found)
            codes.append(_code(found))
    leave(joint(codes))


@contextmanager
def _this_folder_seen(strategies: Iterable[str]) -> Iterator[None]:
    """Let a strategy's module lie in the current folder, where `python -m` looks and an installed program does not."""
    folder = str(Path.cwd())
    wanted = any(":" in name for name in strategies) and folder not in sys.path and not sys.flags.safe_path
    if wanted:
        sys.path.append(folder)  # the last: no file here takes the place of an installed package
    try:
        yield
    finally:
        if wanted and folder in sys.path:
            sys.path.remove(folder)


def _many(sites: Iterator[str], **options: Any) -> Generator[Discovery, None, None]:
    from sitediscover.batch import discover_many  # noqa: PLC0415 - threads and executors are needed for many sites only

    # A bar only for who would see nothing else move, and only if the extra for it is there.
    progress = not sys.stdout.isatty() and sys.stderr.isatty() and find_spec("tqdm") is not None
    yield from discover_many(sites, progress=progress, **options)


def _code(found: Discovery) -> Code:
    # In a batch a text that names no site gets an answer, too.
    misspelt = any(failure.error.startswith(InvalidSite.__name__) for failure in found.failures)
    return Code.USAGE if misspelt and not found.requests else code_of(found)


def explain_to_stderr(found: Discovery) -> None:
    """Say how a verdict came about: each request, what went wrong, what was decided and by which figures.

    Args:
        found: the discovery.
    """
    say(found.site)
    for number, request in enumerate(found.requests, 1):
        told = (str(request.status or "no answer"), f"{request.size} bytes", f"{request.seconds:.2f} s", request.note)
        say(f"{number:3}. {request.step:16} {request.url}  ({', '.join(filter(None, told))})")
    for failure in found.failures:
        say(f"   - {failure.strategy:16} {failure.url}  {failure.error}")
    for source in found.sources:
        say(f"   + {source.found_by:16} {source.url}  {_why(source)}")
    say(f"   = {found.outcome}: {_answer(found)}")


def _why(source: Source) -> str:
    parts = [str(source.kind), f"named on {source.found_on}" if source.found_on else "guessed"]
    figures = source.evidence
    if figures is not None:
        shares = (
            ("articles", figures.article_share),
            ("sections", figures.section_share),
            ("dated", figures.dated_share),
        )
        parts += [f"{figures.count} URLs"] if figures.count else []
        parts += [f"{share:.0%} {name}" for name, share in shares if share is not None]
        parts += [f"newest {figures.newest:%Y-%m-%d %H:%M}"] if figures.newest else []
        parts += figures.flags
    return ", ".join(parts)
