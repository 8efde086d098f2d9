"""The options that several commands share."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.core import ParameterSource

from sitediscover.cli.output import Form
from sitediscover.cli.program import log_to_stderr, say
from sitediscover.fetch import PoliteSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Function: TypeAlias = Callable[..., Any]
    Opener: TypeAlias = Callable[..., PoliteSession]

_DEFAULTS = {name: given.default for name, given in signature(PoliteSession).parameters.items()}
_SECONDS = click.FloatRange(min=0)
_MORE = click.FloatRange(min=0, min_open=True)
# By the name that PoliteSession knows each by; the flags of `--help` follow from it.
_SESSION: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pause", {"type": _SECONDS, "help": "Seconds between two requests to a host."}),
    ("user_agent", {"metavar": "TEXT", "help": "Who you say you are, with a contact."}),
    ("robots_token", {"metavar": "TOKEN", "help": "Name to look for in robots.txt, if not that of the user agent."}),
    ("max_requests", {"type": click.IntRange(min=1), "help": "Requests that one site may cost."}),
    ("timeout", {"type": _MORE, "help": "Seconds for a connection, and between two pieces of an answer."}),
    ("deadline", {"type": _MORE, "help": "Seconds that one answer may take, with redirects and retries."}),
    ("proxy", {"metavar": "URL", "help": "HTTP proxy for everything, instead of the environment's."}),
    ("allow_private", {"is_flag": True, "help": "Ask private addresses and any port, too."}),
)


def session_options(command: Function) -> Function:
    """Give a command the options of a session; it receives them as the keyword argument `session_options`.

    Args:
        command: the function behind the command.
    """

    @wraps(command)
    def taking(*args: Any, **given: Any) -> Any:
        return command(*args, session_options={name: given.pop(name) for name, _ in _SESSION}, **given)

    taking = verbose_option(taking)
    for name, how in reversed(_SESSION):
        shown = _DEFAULTS[name] is not None and not how.get("is_flag")
        option = click.option(f"--{name.replace('_', '-')}", default=_DEFAULTS[name], show_default=shown, **how)
        taking = option(taking)
    return taking


verbose_option = click.option(
    "-v",
    "--verbose",
    count=True,
    is_eager=True,
    expose_value=False,
    callback=log_to_stderr,
    help="Log on standard error: -v the requests, -vv all.",
)


@contextmanager
def open_session(options: dict[str, Any]) -> Iterator[PoliteSession]:
    """Open a session as the options say.

    Args:
        options: what `session_options` gave.

    Yields:
        The session; closed at the end. A program around this one may bring its own kind, as click's context object.

    Raises:
        click.UsageError: the options make no sense.
    """
    opener: Opener = click.get_current_context().find_root().obj or PoliteSession
    try:
        session = opener(**options)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    with session:
        yield session


def form_options(*forms: Form) -> Callable[[Function], Function]:
    """Give a command options for the form of its data; it receives the keyword argument `form`.

    What the command line says goes before what the environment says.

    Args:
        forms: those that make sense for it.
    """
    helps = {
        Form.JSON: 'One JSON document, with "schema": 1.',
        Form.JSONL: "One JSON object a line, as soon as it is known.",
        Form.CSV: "CSV with a header line, for spreadsheets.",
        Form.OPML: "OPML, for feed readers.",
        Form.LINES: "Plain lines, with tabs between the columns.",
    }

    def decorate(command: Function) -> Function:
        @wraps(command)
        def taking(*args: Any, **given: Any) -> Any:
            wanted = {form for form in forms if given.pop(form.value)}
            return command(*args, form=_chosen(wanted), **given)

        for form in reversed(forms):
            taking = click.option(f"--{form.value}", is_flag=True, help=helps[form])(taking)
        return taking

    return decorate


def _chosen(wanted: set[Form]) -> Form | None:
    source = click.get_current_context().get_parameter_source
    said = {form for form in wanted if source(form.value) is ParameterSource.COMMANDLINE} or wanted
    if len(said) > 1:
        raise click.UsageError(
            f"One form at a time: {' or '.join(f'--{form.value}' for form in Form if form in said)}."
        )
    return next(iter(said), None)


_SPAN = re.compile(r"(\d{1,6})\s*([mhdw])", re.IGNORECASE | re.ASCII)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def span(_: click.Context, __: click.Parameter, text: str | None) -> timedelta | None:
    """Read a span of time such as 90m, 12h, 2d, 1w; a callback of an option.

    Args:
        text: as given.
    """
    if text is None:
        return None
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise click.BadParameter(f"{text!r} is no span of time such as 90m, 12h, 2d, 1w.")
    return timedelta(**{_UNITS[found[2].lower()]: int(found[1])})


def _moment(ctx: click.Context, option: click.Parameter, text: str | None) -> datetime | timedelta | None:
    """Read a span of time before now, or a date, with or without a time; UTC where it tells no zone."""
    if text is None or _SPAN.fullmatch(text.strip()):
        return span(ctx, option, text)
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise click.BadParameter(
            f"{text!r} is neither a span such as 90m, 12h, 2d, 1w nor a date such as 2026-01-31."
        ) from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)


since_option = click.option(
    "--since", callback=_moment, metavar="SINCE", help="Only what is newer: 90m, 12h, 2d, 1w, 2026-01-31."
)


def expanded(arguments: Iterable[str]) -> Iterator[str]:
    """Yield arguments, and for `-` the lines of standard input; blank lines and # comments are passed over.

    Args:
        arguments: as given.
    """
    for argument in arguments:
        if argument != "-":
            if os.path.isfile(argument):  # noqa: PTH113 - Path.is_file raises for what is too long to be a name
                say(f"{argument} is a file here, but is taken as an address: `- < {argument}` reads its lines.")
            yield argument
            continue
        for line in sys.stdin:
            text = line.removeprefix("\ufeff").strip()
            if text and not text.startswith("#"):
                yield text
