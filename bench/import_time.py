"""What `import sitediscover` costs beside `import requests`, which it cannot do without."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

ROUNDS = 25
AIM = 1.5
# Processor time, not the wall: what else the machine does is left out.
PROGRAM = "import time; start = time.process_time(); {}; print(time.process_time() - start)"
BASE = "import requests"
# The package itself, and what the first use of its main function adds.
MEASURED = ("import sitediscover", "from sitediscover import discover")


def seconds(statement: str) -> float:
    # -I keeps the working tree out: what is installed is measured.
    command = [sys.executable, "-I", "-c", PROGRAM.format(statement)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    statements = (BASE, *MEASURED)
    for statement in statements:
        seconds(statement)  # writes the byte code
    # By turns, so that a slow moment of the machine meets all.
    times = {statement: [] for statement in statements}
    for _ in range(ROUNDS):
        for statement in statements:
            times[statement].append(seconds(statement))
    figures = {statement: median(values) for statement, values in times.items()}
    for statement, value in figures.items():
        ratio = value / figures[BASE]
        print(f"{statement:33} {value * 1000:6.1f} ms, {ratio:.2f} of {BASE} (median of {ROUNDS} fresh processes)")
    print(f"aim: {MEASURED[0]} at most {AIM}")


if __name__ == "__main__":
    main()
