"""`python -m sitediscover.demo`: print the table, or keep the miniature web served."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from sitediscover.demo.report import keep_serving, run_demo

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo.

    Args:
        arguments: the command line's, None for the program's own.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m sitediscover.demo", description="Discover the miniature web.")
    parser.add_argument(
        "--pause", type=float, default=0.05, help="seconds between two requests to a host (%(default)s)"
    )
    parser.add_argument("--serve", action="store_true", help="serve the miniature web until interrupted")
    parser.add_argument("--port", type=int, default=0, help="where to serve it; any free port without this")
    options = parser.parse_args(arguments)
    return keep_serving(port=options.port) if options.serve else run_demo(pause=options.pause)


if __name__ == "__main__":
    sys.exit(main())
