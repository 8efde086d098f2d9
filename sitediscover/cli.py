"""The command line: data on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from sitediscover._version import __version__
from sitediscover.discoverer import Discoverer
from sitediscover.errors import InvalidSite, SitediscoverError
from sitediscover.fetch import DEFAULT_USER_AGENT, PoliteSession
from sitediscover.model import Outcome, StopReason

if TYPE_CHECKING:
    from sitediscover.discoverer import Order
    from sitediscover.model import Discovery

FOUND, NOTHING, USAGE, REFUSED, UNREACHABLE, SOME_FAILED = 0, 1, 2, 3, 4, 5
"""Exit codes."""

_UNREACHABLE_REASONS = (StopReason.UNREACHABLE, StopReason.ROBOTS_UNREACHABLE, StopReason.BLOCKED_ADDRESS)


@click.group(context_settings={"auto_envvar_prefix": "SITEDISCOVER", "help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sitediscover")
def main() -> None:
    """Find how web sites can be followed."""


@main.command("discover")
@click.argument("sites", nargs=-1, required=True, metavar="SITE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per site, a line each.")
@click.option("--explain", is_flag=True, help="Print every request and what it told, on stderr.")
@click.option("--order", type=click.Choice(["adaptive", "listed"]), default="adaptive", show_default=True)
@click.option("--strategy", "strategies", multiple=True, help="A strategy's name, or package.module:Class; repeatable.")
@click.option("--thorough", is_flag=True, help="Go on after the first find.")
@click.option("--pause", type=click.FloatRange(min=0), default=1.0, show_default=True, help="Seconds between requests.")
@click.option("--user-agent", default=DEFAULT_USER_AGENT, help="The User-Agent; the robots.txt token is derived from it.")
def discover_command(
    *,
    sites: tuple[str, ...],
    as_json: bool,
    explain: bool,
    order: Order,
    strategies: tuple[str, ...],
    thorough: bool,
    pause: float,
    user_agent: str,
) -> None:
    """Find how each SITE (a host or any URL of it) can be followed."""
    try:
        with PoliteSession(pause=pause, user_agent=user_agent) as session:
            discoverer = Discoverer(strategies or None, session=session, order=order, thorough=thorough)
            codes = [_one(discoverer, site, as_json=as_json, explain=explain) for site in sites]
    except (SitediscoverError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    sys.exit(codes[0] if len(set(codes)) == 1 else SOME_FAILED)


def _one(discoverer: Discoverer, site: str, *, as_json: bool, explain: bool) -> int:
    try:
        found = discoverer.discover(site)
    except InvalidSite as error:
        click.echo(f"{site}: {error}", err=True)
        return USAGE
    if explain:
        _explain(found)
    click.echo(json.dumps(found.to_dict(), ensure_ascii=False) if as_json else _line(found))
    return exit_code(found)


def exit_code(found: Discovery) -> int:
    """Return the exit code that tells a verdict."""
    if found.sources:
        return FOUND
    if found.outcome is Outcome.NOTHING or found.stopped is None:
        return NOTHING
    return UNREACHABLE if found.stopped.reason in _UNREACHABLE_REASONS else REFUSED


def _line(found: Discovery) -> str:
    if found.best is not None:
        return f"{found.site}\t{found.outcome}\t{found.best.url}"
    why = f"{found.stopped.reason}: {found.stopped.detail}" if found.stopped else "nothing to follow"
    return f"{found.site}\t{found.outcome}\t{why}"


def _explain(found: Discovery) -> None:
    for number, request in enumerate(found.requests, 1):
        told = "  ".join(filter(None, (str(request.status or "-"), f"{request.size} bytes", request.note)))
        click.echo(f"{number:3}  {request.step:14}  {request.url}  {told}", err=True)
    for failure in found.failures:
        click.echo(f"     {failure.strategy:14}  {failure.url}  {failure.error}", err=True)


@main.command("demo")
def demo_command() -> None:
    """Discover the eight sites of the built-in miniature web, on loopback, in both orders."""
    from sitediscover.demo import run_demo  # noqa: PLC0415 - the miniature web is needed by this command only

    sys.exit(run_demo())
