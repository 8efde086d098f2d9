"""Run the benchmarks: `python -m bench` all of them, `python -m bench import_time` those named."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path


def main(names: list[str]) -> None:
    # A name that starts with an underscore is a helper.
    known = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    for name in names or known:
        started = time.perf_counter()
        print(f"\n=== {name}", flush=True)
        sys.argv = [name]  # a benchmark may have options of its own where it is run alone
        importlib.import_module(f"bench.{name}").main()
        print(f"--- {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
