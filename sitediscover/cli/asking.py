"""`follow`, `walk` and `robots`: what one source, one sitemap tree, one robots.txt tells."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitediscover.cli.options import expanded, form_options, open_session, session_options, since_option
from sitediscover.cli.output import Column, Form, Layout, plain, write_one, writer
from sitediscover.cli.program import Code, Command, code_of, code_of_error, code_of_stop, joint, leave, say
from sitediscover.cli.records import RobotsAnswer
from sitediscover.cli.text import to_json
from sitediscover.discoverer import Discoverer
from sitediscover.errors import FetchError, InvalidData, InvalidUrl, NoConnection, SitediscoverError
from sitediscover.follow import follow
from sitediscover.model import Discovery
from sitediscover.parse.robots import NO_RULES
from sitediscover.urls import host_of, parse_site, resolve, same_host
from sitediscover.walk import SitemapStatus, SitemapWalk

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from sitediscover.cli.output import Writer
    from sitediscover.fetch import PoliteSession

ARTICLES = Layout(
    key="articles",
    columns=(
        Column(name="published", width=25, of=lambda article: article.published or article.modified),
        Column(name="title", width=60, of=lambda article: article.title),
        Column(name="url", width=0, of=lambda article: article.url),
    ),
    fields=("url", "title", "published", "modified", "language", "summary", "found_on"),
    piped=Form.JSONL,
)
ENTRIES = Layout(
    key="entries",
    columns=(
        Column(name="modified", width=25, of=lambda entry: entry.published or entry.modified),
        Column(name="title", width=60, of=lambda entry: entry.title),
        Column(name="url", width=0, of=lambda entry: entry.url),
    ),
    fields=("url", "modified", "published", "title", "language", "sitemap", "off_site", "changefreq", "priority"),
)
_FORMS = (Form.JSON, Form.JSONL, Form.CSV, Form.LINES)
_STATUS_CODES = {
    SitemapStatus.ABSENT: Code.NOTHING,
    SitemapStatus.SOFT_404: Code.NOTHING,
    SitemapStatus.BLOCKED: Code.REFUSED,
    SitemapStatus.UNREACHABLE: Code.UNREACHABLE,
}


@click.command("follow", cls=Command)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@form_options(*_FORMS)
@since_option
@session_options
def follow_command(
    *,
    sources: tuple[str, ...],
    form: Form | None,
    since: datetime | timedelta | None,
    session_options: dict[str, Any],
) -> None:
    """Print the articles that each SOURCE lists now, newest first.

    SOURCE is the address of a feed, a sitemap or a page that lists articles; a host without a scheme is discovered
    first. `-` reads them from standard input, one a line, also what `discover --jsonl` wrote.
    """
    with writer(form, ARTICLES) as out, open_session(session_options) as session:
        codes = [_follow_one(text, since, session, out) for text in expanded(sources)]
    leave(joint(codes))


def _follow_one(text: str, since: datetime | timedelta | None, session: PoliteSession, out: Writer) -> Code:
    try:
        source = source_of(text)
        if source == text and "://" not in text:
            source = Discoverer(session=session).discover(text)
        if isinstance(source, Discovery) and source.best is None:
            say(f"{source.site}: {source.outcome}{f': {source.stopped.detail}' if source.stopped else ''}")
            return code_of(source)
        for article in follow(source, session=session, since=since):
            out.write(article)
    except SitediscoverError as error:
        say(str(error) if text in str(error) else f"{text}: {error}")
        return code_of_error(error)
    return Code.FOUND


def source_of(text: str) -> Discovery | str:
    """Return what a line means: a discovery where it is one in JSON, as `discover --jsonl` writes it, else the text.

    Args:
        text: a line, or an argument.

    Raises:
        InvalidData: it is JSON, and no discovery.
    """
    if not text.startswith("{"):
        return text
    try:
        return Discovery.from_dict(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise InvalidData(f"not what `discover --jsonl` writes: {error}") from error


def _pattern(_: click.Context, __: click.Parameter, text: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(text) if text else None
    except re.error as error:
        raise click.BadParameter(f"{text!r} is no regular expression: {error}.") from error


@click.command("walk", cls=Command, short_help="Print the pages that the sitemaps of SITE list.")
@click.argument("site")
@form_options(*_FORMS)
@since_option
@click.option("--match", callback=_pattern, metavar="REGEX", help="Only addresses in which this is found.")
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), help="Keep the place here; go on from it.")
@session_options
def walk_command(
    *,
    site: str,
    form: Form | None,
    since: datetime | timedelta | None,
    match: re.Pattern[str] | None,
    state: Path | None,
    session_options: dict[str, Any],
) -> None:
    """Print the pages that the sitemaps of SITE list, one file after the other.

    `--max-requests` bounds how many files are asked for. With `--state` the next call goes on with the rest, and ends
    at once where there is none; --since and SITE then stay what they were.
    """
    with open_session(session_options) as session:
        walk = _begun(site, since, state, session)
        try:
            with writer(form, ENTRIES) as out:
                _walk(walk, match, out)
        finally:
            if state is not None:
                _keep(state, to_json(walk.state()))
    for report in walk.reports:
        if report.error or report.status in _STATUS_CODES:
            say(f"{report.url}: {report.status}{f': {report.error}' if report.error else ''}")
    if walk.pending:
        say(f"{len(walk.pending)} sitemaps are left: --state goes on with them, --max-requests allows more at a time.")
    leave(_end_of(walk))


def _begun(site: str, since: datetime | timedelta | None, state: Path | None, session: PoliteSession) -> SitemapWalk:
    if state is None or not state.exists():
        return SitemapWalk(site, session=session, since=since)
    try:
        walk = SitemapWalk.resume(json.loads(state.read_bytes()), session=session)
    except ValueError as error:
        raise InvalidData(f"{state}: {error}") from error
    if host_of(walk.site) != host_of(parse_site(site).origin):
        raise InvalidData(f"{state} belongs to {walk.site}")
    return walk


def _walk(walk: SitemapWalk, match: re.Pattern[str] | None, out: Writer) -> None:
    try:
        for entry in walk:
            if match is None or match.search(entry.url):
                out.write(entry)
    finally:
        out.rest = {"site": walk.site, "reports": [plain(report) for report in walk.reports]}


def _keep(path: Path, text: str) -> None:
    """Replace a file in one go: whatever happens, the old state or the new one is there."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(f"{text}\n", encoding="utf-8")
    new.replace(path)


def _end_of(walk: SitemapWalk) -> Code:
    codes = [_STATUS_CODES.get(report.status, Code.FOUND) for report in walk.reports]
    if walk.stopped is not None:
        say(f"{walk.stopped.url}: {walk.stopped.reason}: {walk.stopped.detail}")
        codes.append(code_of_stop(walk.stopped))
    # What is not there is no failure where something else is.
    return joint([code for code in codes if code is not Code.NOTHING] or [Code.NOTHING])


@click.command("robots", cls=Command, short_help="Say whether robots.txt lets us ask for URL, and why.")
@click.argument("site")
@click.argument("url", default="/")
@form_options(*_FORMS)
@session_options
def robots_command(*, site: str, url: str, form: Form | None, session_options: dict[str, Any]) -> None:
    """Say whether the robots.txt of SITE lets us ask for URL (an address on it, or a path), and by which rule."""
    with open_session(session_options) as session:
        told, code = _robots(site, url, session)
    write_one("robots", told, form)
    leave(code)


def _robots(site: str, url: str, session: PoliteSession) -> tuple[RobotsAnswer, Code]:
    origin = parse_site(site).origin
    rules, code, rule, reason = NO_RULES, Code.FOUND, None, "no rule for us closes it"
    try:
        try:
            rules = session.robots(f"{origin}/")
        except NoConnection:  # as everywhere: http where no scheme was given and the https port does not answer
            if parse_site(site).scheme_given or not origin.startswith("https:"):
                raise
            origin = origin.replace("https:", "http:", 1)
            rules = session.robots(f"{origin}/")
    except FetchError as error:
        code, reason = code_of_error(error), f"{type(error).__name__}: {error.detail}"
    target = resolve(f"{origin}/", url)
    if target is None or not same_host(target, origin):
        raise InvalidUrl(f"{url} is no address on {origin}")
    if code is Code.FOUND:
        rule = rules.deciding_rule(target)
        code = Code.FOUND if rules.allows(target) else Code.REFUSED
        reason = f"{origin}/robots.txt says: {rule}" if rule else reason
    told = RobotsAnswer(
        site=origin,
        url=target,
        token=session.robots_token,
        allowed=code is Code.FOUND,
        rule=rule,
        reason=reason,
        crawl_delay=rules.crawl_delay,
        sitemaps=rules.sitemaps,
    )
    return told, code
