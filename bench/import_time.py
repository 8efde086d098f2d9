"""What `import sitediscover` costs beside `import requests`, which it cannot do without."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

ROUNDS = 25
AIM = 1.5
# Processor time, not the wall: what else the machine does is left out.
PROGRAM = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"


def seconds(module: str) -> float:
    # -I keeps the working tree out: what is installed is measured.
    command = [sys.executable, "-I", "-c", PROGRAM.format(module)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    modules = ("requests", "sitediscover")
    for module in modules:
        seconds(module)  # writes the byte code
    # By turns, so that a slow moment of the machine meets both.
    times = {module: [] for module in modules}
    for _ in range(ROUNDS):
        for module in modules:
            times[module].append(seconds(module))
    figures = {module: median(values) for module, values in times.items()}
    for module, value in figures.items():
        print(f"import {module:13} {value * 1000:6.1f} ms (median of {ROUNDS} fresh processes)")
    print(f"ratio {figures['sitediscover'] / figures['requests']:.2f} (aim: at most {AIM})")
