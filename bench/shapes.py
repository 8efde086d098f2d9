"""Count, over labelled URLs, what every rule of `sitediscover.shapes` wins and costs.

A line of the file is URL, label (article, section, tag, utility), language, parted by tabs; SHAPES_DATA names another
file. Rules are tuned on the hosts of one half, and told by the figures of the other: the halves are parted by a hash of
the host, so that a URL stays where it is when the file grows.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitediscover.paths import Address
from sitediscover.shapes import RULES, Rule, Shape, looks_like_article

DATA = Path(os.environ.get("SHAPES_DATA", Path(__file__).parents[2] / "shared/conformance/shapes.tsv.gz"))


class Labelled(NamedTuple):
    address: Address
    url: str
    is_article: bool
    label: str
    language: str
    host: str

    @property
    def tuned(self) -> bool:
        return hashlib.sha256(b"sd" + self.host.encode()).digest()[0] % 2 == 0


def read(path: Path) -> list[Labelled]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [
            Labelled(Address(url), url, label == "article", label, language, urlsplit(url).netloc.lower())
            for url, label, language in csv.reader(file, delimiter="\t")
        ]


def decide(row: Labelled, rules: tuple[Rule, ...] = RULES) -> Rule:
    return next(rule for rule in rules if rule.needs & ~row.address.has == 0 and rule.test(row.address))


def rates(rows: list[Labelled], rules: tuple[Rule, ...] = RULES) -> tuple[float, float, float]:
    """Recall of articles, false positives among the rest, F1 as if there were as many of both."""
    hits = Counter((row.is_article, decide(row, rules).shape is Shape.ARTICLE) for row in rows)
    recall = hits[True, True] / (hits[True, True] + hits[True, False])
    false = hits[False, True] / (hits[False, True] + hits[False, False])
    return recall, false, 2 * recall / (1 + recall + false)


def section_recall(rows: list[Labelled]) -> float:
    sections = [decide(row).shape is Shape.SECTION for row in rows if row.label == "section"]
    return sum(sections) / len(sections)


def print_rules(rows: list[Labelled]) -> None:
    recall, false, _ = rates(rows)
    ends: dict[str, Counter[bool]] = defaultdict(Counter)
    hosts: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        name = decide(row).name
        ends[name][row.is_article] += 1
        hosts[name].add(row.host)
    print("rule            says     articles  others  hosts  without it: recall, false positives (points)")
    for rule in RULES:
        print(f"{rule.name:15} {rule.shape:8} {ends[rule.name][True]:8} {ends[rule.name][False]:7}", end=" ")
        # Every URL must end at some rule, so that the last one cannot be left out.
        kept = tuple(other for other in RULES if other is not rule or rule is RULES[-1])
        less, fewer, _ = rates(rows, kept)
        print(f"{len(hosts[rule.name]):6}  {100 * (less - recall):+.2f} {100 * (fewer - false):+.2f}")


def main() -> None:
    if not DATA.exists():
        print(f"no labelled URLs at {DATA}")
        return
    rows = read(DATA)
    halves = {"tuned on": [row for row in rows if row.tuned], "other hosts": [row for row in rows if not row.tuned]}
    for name, half in {**halves, "all": rows}.items():
        recall, false, f1 = rates(half)
        print(f"{name:12} {len(half):6} URLs: F1 {f1:.4f} recall {recall:.4f} false positives {false:.4f}", end=" ")
        print(f"section recall {section_recall(half):.4f}")
    print_rules(rows)
    best = min(_seconds(rows) for _ in range(5))
    print(f"{best / len(rows) * 1e6:.1f} us a call")


def _seconds(rows: list[Labelled]) -> float:
    started = time.process_time()
    for row in rows:
        looks_like_article(row.url)
    return time.process_time() - started
