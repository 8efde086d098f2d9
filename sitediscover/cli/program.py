"""How the program runs and ends: its exit codes, its log, its errors in a sentence."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NoReturn

import click

from sitediscover import errors
from sitediscover.cli.output import colour_wanted
from sitediscover.cli.text import clean
from sitediscover.model import StopReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitediscover.model import Discovery, Stop

PREFIX = "SITEDISCOVER"
"""Every option `--some-option` has its default in SITEDISCOVER_SOME_OPTION, in whatever command it stands."""


class Code(IntEnum):
    """How the program ends."""

    FOUND = 0
    NOTHING = 1
    USAGE = 2
    REFUSED = 3
    UNREACHABLE = 4
    SOME_FAILED = 5
    BUG = 70  # EX_SOFTWARE of sysexits.h
    IO_ERROR = 74  # EX_IOERR: a file, a pipe or a store of our own machine
    INTERRUPTED = 130
    TERMINATED = 143


_OF_STOP = {
    StopReason.ROBOTS_DISALLOW: Code.REFUSED,
    StopReason.FRONT_PAGE_REFUSED: Code.REFUSED,
    StopReason.RATE_LIMITED: Code.REFUSED,
    StopReason.CRAWL_DELAY_TOO_LONG: Code.REFUSED,
    StopReason.ROBOTS_UNREACHABLE: Code.UNREACHABLE,
    StopReason.UNREACHABLE: Code.UNREACHABLE,
    StopReason.BLOCKED_ADDRESS: Code.UNREACHABLE,
    StopReason.BUDGET_SPENT: Code.NOTHING,  # nobody refused: nothing was found for that price
}
_REFUSALS = (401, 403, 429, 451)
_ABSENT = (404, 410)
# The first that fits; every other error of the library is about what was asked for.
_OF_ERROR: tuple[tuple[tuple[type[Exception], ...], Code], ...] = (
    ((errors.RobotsDisallow, errors.RateLimited, errors.CrawlDelayTooLong), Code.REFUSED),
    ((errors.UnreadableSource, errors.BudgetSpent), Code.NOTHING),
    ((errors.HostIsBusy,), Code.UNREACHABLE),
    ((errors.StoreFailed, OSError), Code.IO_ERROR),
    ((errors.UnsupportedUrl,), Code.USAGE),
    ((errors.FetchError,), Code.UNREACHABLE),
)


def code_of(found: Discovery) -> Code:
    """Return the exit code that tells a verdict.

    Args:
        found: the discovery.
    """
    if found.sources:
        return Code.FOUND
    return Code.NOTHING if found.stopped is None else code_of_stop(found.stopped)


def code_of_stop(stop: Stop) -> Code:
    """Return the exit code that tells why a site was not asked any more.

    Args:
        stop: what ended it.
    """
    return _OF_STOP[stop.reason]


def code_of_error(error: errors.SitediscoverError | OSError) -> Code:
    """Return the exit code that tells an error.

    Args:
        error: what the library raised.
    """
    if isinstance(error, errors.NothingToFollow):
        return _OF_STOP[StopReason(error.reason)] if error.reason else Code.NOTHING
    if isinstance(error, errors.BadStatus) and error.status in _REFUSALS:
        return Code.REFUSED
    if isinstance(error, errors.BadStatus) and error.status in _ABSENT:
        return Code.NOTHING
    return next((code for kinds, code in _OF_ERROR if isinstance(error, kinds)), Code.USAGE)


def joint(codes: Iterable[Code]) -> Code:
    """Return the exit code for several: theirs where they agree, else that some failed.

    Args:
        codes: one for each; none at all is a success.
    """
    kinds = set(codes) or {Code.FOUND}
    return kinds.pop() if len(kinds) == 1 else Code.SOME_FAILED


def say(text: str) -> None:
    """Write a line for people to standard error.

    Args:
        text: it may hold what strangers wrote.
    """
    click.echo(clean(text), err=True)


def leave(code: Code) -> NoReturn:
    """End the program.

    Args:
        code: how.
    """
    raise click.exceptions.Exit(code)


_SETTINGS = {"auto_envvar_prefix": PREFIX, "help_option_names": ["-h", "--help"]}


class Command(click.Command):
    """A command that takes the defaults of its options from the environment, by names that do not depend on it."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **{"context_settings": _SETTINGS, **attributes})


class Program(click.Group):
    """A group whose errors are sentences and whose ends are exit codes."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **{"context_settings": _SETTINGS, **attributes})

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command and translate how it ended.

        Args:
            ctx: click's.
        """
        try:
            _prepare(ctx)
            return super().invoke(ctx)
        except KeyboardInterrupt:
            leave(Code.INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - Python's own code for it, 1, means something else here
            leave(Code.INTERRUPTED if _was_interrupted(error) else _told(error))


def _was_interrupted(error: BaseException | None) -> bool:
    """Say whether an interrupt is behind an error.

    Python 3.11 makes a RuntimeError of one that comes while a class is being made.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _told(error: Exception) -> Code:
    """Say what is wrong; return the code that means it."""
    if isinstance(error, BrokenPipeError):
        _let_go()
        return Code.FOUND  # whoever read has had enough; that is no failure
    if isinstance(error, errors.SitediscoverError | OSError):
        say(f"Error: {error}")
        return code_of_error(error)
    return _unexpected(error)


def _unexpected(error: Exception) -> Code:
    """Tell a bug with all that helps to find it."""
    for line in traceback.format_exception(error):
        click.echo("\n".join(map(clean, line.splitlines())), err=True)
    return Code.BUG


def _prepare(ctx: click.Context) -> None:
    ctx.color = colour_wanted()
    # What is no text on its way in, and what cannot be shown on its way out, becomes an escape and ends nothing.
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    on_sigterm(ctx, _terminate)


def _terminate(*_: object) -> NoReturn:
    # systemd and containers end a program so: what is open is closed as after Ctrl-C.
    sys.exit(Code.TERMINATED)


def on_sigterm(ctx: click.Context, handler: Callable[..., object]) -> None:
    """Say what SIGTERM does, for as long as a context lasts.

    Args:
        ctx: click's.
        handler: takes what signal handlers take.
    """
    if threading.current_thread() is threading.main_thread():  # no other may
        previous = signal.signal(signal.SIGTERM, handler)
        ctx.call_on_close(lambda: signal.signal(signal.SIGTERM, previous))


def _let_go() -> None:
    """Point standard output at nothing, so that no second complaint comes when Python flushes it at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class _ToStderr(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record))


def log_to_stderr(ctx: click.Context, _: click.Parameter, verbose: int) -> int:
    """Show the library's log on standard error: warnings, with `-v` each request, with `-vv` all there is.

    Args:
        ctx: click's; the log is let go when it closes.
        verbose: how often -v was given.

    Returns:
        The same number.
    """
    if ctx.find_root().meta.get(PREFIX, -1) < verbose:
        ctx.find_root().meta[PREFIX] = verbose
        logger, handler = logging.getLogger("sitediscover"), _ToStderr()
        handler.setFormatter(logging.Formatter("%(levelname).1s %(message)s"))
        _swap(logger, handler, (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)])
        ctx.find_root().call_on_close(lambda: _swap(logger, None, logging.NOTSET))
    return verbose


def _swap(logger: logging.Logger, handler: logging.Handler | None, level: int) -> None:
    for old in [each for each in logger.handlers if isinstance(each, _ToStderr)]:
        logger.removeHandler(old)
    if handler is not None:
        logger.addHandler(handler)
    logger.setLevel(level)
