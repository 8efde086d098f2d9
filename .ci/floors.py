"""Print the floors of floors.txt on one line; fail where a floor is lower than in any earlier commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).with_name("floors.txt")


def read(text: str) -> dict[str, float]:
    """Return the floors by area; lines that start with # are comments."""
    lines = [line.partition("=") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {area.strip(): float(share) for area, _, share in lines}


def earlier() -> list[str]:
    """Return what the file held in each commit that changed it."""
    name = f".ci/{FILE.name}"
    commits = git("log", "--format=%H", "--diff-filter=AM", "--", name).split()
    return [git("show", f"{commit}:{name}") for commit in commits]


def git(*words: str) -> str:
    """Return what git prints."""
    return subprocess.run(["git", *words], cwd=FILE.parents[1], capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Print and compare."""
    now = read(FILE.read_text(encoding="utf-8"))
    highest: dict[str, float] = {}
    for then in map(read, earlier()):
        highest |= {area: max(share, highest.get(area, 0)) for area, share in then.items()}
    sunk = [f"{area} {now.get(area, 0)} < {share}" for area, share in highest.items() if now.get(area, 0) < share]
    if sunk:
        sys.exit("floors only go up: " + ", ".join(sunk))
    print(*(f"{area}={share}" for area, share in now.items()))


if __name__ == "__main__":
    main()
