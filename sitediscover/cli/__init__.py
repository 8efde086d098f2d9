"""The command line: data on stdout, everything else on stderr."""

from __future__ import annotations

import sys

import click

from sitediscover._version import __version__
from sitediscover.cli.asking import follow_command, robots_command, walk_command
from sitediscover.cli.discovering import discover_command
from sitediscover.cli.options import verbose_option
from sitediscover.cli.program import Code, Program, leave
from sitediscover.cli.watching import watch

__all__ = ["Code", "main"]


@click.group(cls=Program, commands=[discover_command, follow_command, walk_command, robots_command, watch])
@click.version_option(__version__, prog_name="sitediscover")
@verbose_option
def main() -> None:
    """Find how web sites can be followed, and follow them.

    Every option --some-option has its default in the environment, in SITEDISCOVER_SOME_OPTION.
    """


@main.command("demo", short_help="Discover the eight sites of the built-in web.")
@click.option("--serve", is_flag=True, help="Serve the miniature web until Ctrl-C, for other programs to ask.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="With --serve: where; any free one by default.")
@click.option(
    "--pause", type=click.FloatRange(min=0), default=0.05, show_default=True, help="Seconds between requests."
)
def demo_command(*, serve: bool, port: int, pause: float) -> None:
    """Discover the eight sites of the built-in miniature web, on loopback, in both orders."""
    from sitediscover.demo import keep_serving, run_demo  # noqa: PLC0415 - this command only needs it

    code = keep_serving(sys.stdout, port=port) if serve else run_demo(sys.stdout, pause=pause)
    leave(Code(code))
