"""`watch`: the store of what is followed."""

from __future__ import annotations

import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from sitediscover.cli.asking import ARTICLES, source_of
from sitediscover.cli.options import expanded, form_options, open_session, session_options, span, verbose_option
from sitediscover.cli.output import Column, Form, Layout, write_one, writer
from sitediscover.cli.program import Code, Program, code_of_error, joint, leave, on_sigterm, say
from sitediscover.errors import SitediscoverError
from sitediscover.watch import SourceState, Watchlist

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from sitediscover.model import Article
    from sitediscover.watch import SourceInfo

_COLOURS = {
    SourceState.LIVE: "green",
    SourceState.PROVISIONAL: "cyan",
    SourceState.FAILING: "red",
    SourceState.REFUSED: "red",
    SourceState.GONE: "red",
}
SOURCES = Layout(
    key="sources",
    columns=(
        Column(name="id", width=6, of=lambda source: source.id),
        Column(name="state", width=11, of=lambda source: source.state),
        Column(name="kind", width=15, of=lambda source: source.kind),
        Column(name="next", width=25, of=lambda source: source.next_at),
        Column(name="url", width=0, of=lambda source: source.url),
    ),
    fields=(
        *(
            "id",
            "state",
            "kind",
            "url",
            "title",
            "site",
            "role",
            "parent",
            "replaces",
            "interval",
            "next_at",
            "last_ok",
        ),
        *("last_new", "failures", "error", "gaps", "moved_to", "include", "exclude", "max_age", "added_at"),
    ),
    colour=lambda source: _COLOURS.get(source.state),
)
# No single document here: what is not written when a process is killed would count as delivered.
_DELIVERED = (Form.JSONL, Form.CSV, Form.LINES)
_LISTED = (Form.JSON, Form.JSONL, Form.CSV, Form.LINES)

store_option = click.option(
    "--store",
    metavar="URL",
    default="sqlite:///sitediscover.db",
    show_default=True,
    help="Where it is kept: an SQLAlchemy URL of SQLite or PostgreSQL.",
)
provisional_option = click.option("--provisional", is_flag=True, help="Deliver nothing until it is approved.")


@contextmanager
def _opened(store: str, session_options: dict[str, Any] | None = None) -> Iterator[Watchlist]:
    with open_session(session_options or {}) as session, Watchlist(store, session=session) as watchlist:
        yield watchlist


@click.group("watch", cls=Program)
def watch() -> None:
    """Follow sources for years: what is new, each article once. Needs the `watch` extra."""


@watch.command("add", short_help="Watch each SITE: a host, a feed or a sitemap.")
@click.argument("what", nargs=-1, required=True, metavar="SITE...")
@store_option
@provisional_option
@click.option("--backlog", is_flag=True, help="Deliver what is listed already, too.")
@click.option("--include", multiple=True, metavar="REGEX", help="Only addresses in which one of these is found.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="No addresses in which one of these is found.")
@click.option("--max-age", callback=span, metavar="SPAN", help="Deliver nothing older than this: 12h, 2d.")
@form_options(*_LISTED)
@session_options
def add_command(
    *,
    what: tuple[str, ...],
    store: str,
    backlog: bool,
    form: Form | None,
    session_options: dict[str, Any],
    **options: Any,
) -> None:
    """Watch each SITE: a host to be discovered, or the address of a feed or a sitemap.

    `-` reads them from standard input, one a line, also what `discover --jsonl` wrote.
    """
    with _opened(store, session_options) as watchlist, writer(form, SOURCES) as out:

        def one(text: str) -> Code:
            try:
                out.write(watchlist.add(source_of(text), deliver_backlog=backlog, **options))
            except SitediscoverError as error:
                say(str(error) if text in str(error) else f"{text}: {error}")
                return code_of_error(error)
            except ValueError as error:  # a pattern
                raise click.UsageError(str(error)) from error
            return Code.FOUND

        codes = [one(text) for text in expanded(what)]
    leave(joint(codes))


@watch.command("list")
@store_option
@click.option("--state", type=click.Choice([state.value for state in SourceState]), help="Only sources in this state.")
@click.option("--children", is_flag=True, help="List the single documents of sitemap trees, too.")
@form_options(*_LISTED)
@verbose_option
def list_command(*, store: str, state: str | None, children: bool, form: Form | None) -> None:
    """List the sources, and how each stands."""
    with _opened(store) as watchlist, writer(form, SOURCES) as out:
        for source in watchlist.sources(children=children, state=SourceState(state) if state else None):
            out.write(source)


@watch.command("poll")
@store_option
@click.option("--limit", type=click.IntRange(min=1), help="Articles at most; the rest comes with the next call.")
@form_options(*_DELIVERED)
@session_options
def poll_command(*, store: str, limit: int | None, form: Form | None, session_options: dict[str, Any]) -> None:
    """Ask what is due, print the articles that are new, and end."""
    with _opened(store, session_options) as watchlist:
        _deliver(watchlist.poll(limit), form)


@watch.command("run", short_help="Print what is new as it turns up, until Ctrl-C.")
@store_option
@form_options(*_DELIVERED)
@session_options
@click.pass_context
def run_command(ctx: click.Context, *, store: str, form: Form | None, session_options: dict[str, Any]) -> None:
    """Print the articles that are new as they turn up, until Ctrl-C, or SIGTERM after the one at hand."""
    stop = threading.Event()
    on_sigterm(ctx, lambda *_: stop.set())
    with _opened(store, session_options) as watchlist:
        _deliver(watchlist.run(stop), form)


def _deliver(articles: Iterator[Article], form: Form | None) -> None:
    # Closed at once, also where nobody reads any more: the host that it holds is free for the next call.
    with closing(cast("Generator[Article, None, None]", articles)), writer(form, ARTICLES) as out:
        for article in articles:
            out.write(article)  # flushed: asking for the next one says that this one has arrived


def _change(name: str, said: str, change: Callable[[Watchlist, int], None]) -> None:
    @watch.command(name, help=said)
    @click.argument("ids", nargs=-1, required=True, type=int, metavar="ID...")
    @store_option
    @verbose_option
    def command(*, ids: tuple[int, ...], store: str) -> None:
        with _opened(store) as watchlist:
            for number in ids:
                change(watchlist, number)


_change("approve", "Deliver the articles of provisional sources from now on.", Watchlist.approve)
_change("pause", "Ask sources no more until they are resumed.", Watchlist.pause)
_change("resume", "Go on with sources that were paused, or try failing ones at once.", Watchlist.resume)
_change("remove", "Forget sources, and what was not delivered of them.", Watchlist.remove)


@watch.command("stats")
@store_option
@form_options(*_LISTED)
@verbose_option
def stats_command(*, store: str, form: Form | None) -> None:
    """Print the store in figures."""
    with _opened(store) as watchlist:
        write_one("stats", watchlist.stats(), form)


@watch.command("import", short_help="Watch the sources of an OPML FILE.")
@click.argument("file", type=click.File("rb"))
@store_option
@provisional_option
@form_options(*_LISTED)
@verbose_option
def import_command(*, file: BinaryIO, store: str, provisional: bool, form: Form | None) -> None:
    """Watch the sources of an OPML FILE (`-`: standard input); nothing is asked for it."""
    with _opened(store) as watchlist, writer(form, SOURCES) as out:
        sources: tuple[SourceInfo, ...] = watchlist.import_opml(file.read(), provisional=provisional)
        for source in sources:
            out.write(source)
    if not sources:
        say("no sources in it: is it OPML?")
    leave(Code.FOUND if sources else Code.NOTHING)


@watch.command("export")
@store_option
@verbose_option
def export_command(*, store: str) -> None:
    """Write the sources as OPML to standard output."""
    with _opened(store) as watchlist:
        click.echo(watchlist.export_opml(), nl=False)
