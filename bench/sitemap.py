"""How fast and how small the sitemap parser is, against lxml, bare expat and ultimate-sitemap-parser, in one run.

    python bench/sitemap.py [--quick] [--peers PYTHON]

`--peers` names an interpreter that has ultimate-sitemap-parser, where this one has not.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import time
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

sys.path.insert(0, str(Path(__file__).parent.parent))

URL = "https://www.example.com/sitemap.xml"
START = datetime(2024, 1, 1, tzinfo=UTC)
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">\n'
)
PLAIN = "  <url>\n    <loc>{url}</loc>\n    <lastmod>{date}</lastmod>\n  </url>\n"
NEWS = (
    "  <url>\n    <loc>{url}</loc>\n    <lastmod>{date}</lastmod>\n    <news:news>\n      <news:publication>\n"
    "        <news:name>The Example</news:name>\n        <news:language>en</news:language>\n      </news:publication>\n"
    "      <news:publication_date>{date}</news:publication_date>\n"
    "      <news:title>Story number {n} of the day</news:title>\n"
    "    </news:news>\n  </url>\n"
)


def chunks(entry: str, count: int) -> Iterator[bytes]:
    """A urlset whose every date differs: no cache helps."""
    yield HEAD.encode()
    for first in range(0, count, 500):
        yield "".join(
            entry.format(
                url=f"https://www.example.com/2024/{n % 12 + 1:02d}/section-{n % 7}/story-number-{n}.html",
                date=(START + timedelta(seconds=n * 37)).isoformat(),
                n=n,
            )
            for n in range(first, min(first + 500, count))
        ).encode()
    yield b"</urlset>\n"


def with_sitediscover(data: bytes) -> int:
    from sitediscover.parse.sitemap import parse_sitemap

    return sum(1 for _ in parse_sitemap(data, URL))


def with_lxml(data: bytes) -> int:
    """The same work on lxml: address, date, and the news tags where there are any."""
    from lxml import etree

    count = 0
    for _, element in etree.iterparse(io.BytesIO(data), tag="{*}url", resolve_entities=False):
        found = {}
        for part in element.iter():
            found[part.tag.rpartition("}")[2]] = part.text
        _entry = (
            (found.get("loc") or "").strip(),
            _date(found.get("lastmod")),
            found.get("title"),
            found.get("name"),
            found.get("language"),
            _date(found.get("publication_date")),
        )
        count += 1
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    return count


def _date(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text.strip()) if text else None


def with_expat(data: bytes) -> int:
    """The limit: the events alone, and nothing done with them."""
    from xml.parsers import expat

    count = 0

    def end(name: str) -> None:
        nonlocal count
        count += name.endswith("url")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = lambda _name, _attributes: None
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda _text: None
    parser.Parse(data, True)
    return count


def with_usp(data: bytes) -> int:
    import logging

    logging.disable(logging.CRITICAL)
    from usp.tree import sitemap_from_str

    return sum(1 for _ in sitemap_from_str(data.decode()).all_pages())


def best_of(times: int, data: bytes, expected: int, *works: Callable[[bytes], int]) -> list[float]:
    """CPU seconds of the fastest run of each, run in turn: what else the machine does meets all alike."""
    seconds: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, spent in zip(works, seconds, strict=True):
            begin = time.process_time()
            assert work(data) == expected, work
            spent.append(time.process_time() - begin)
    return [min(spent) for spent in seconds]


def usp_seconds(python: str | None, which: str, count: int) -> float | None:
    try:
        import usp  # noqa: F401
    except ImportError:
        if not python:
            return None
        command = [python, __file__, "--usp", which, str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return float(done.stdout)
    entry = {"plain": PLAIN, "news": NEWS}[which]
    return best_of(3, b"".join(chunks(entry, count)), count, with_usp)[0]


def compare(count: int, times: int, peers: str | None) -> None:
    print(f"{count:,} URLs, best of {times}; ratios: how many times as long as sitediscover")
    for which, entry in (("plain", PLAIN), ("news", NEWS)):
        data = b"".join(chunks(entry, count))
        ours, lxml, bare = best_of(times, data, count, with_sitediscover, with_lxml, with_expat)
        print(f"  {which:6}{len(data) / 1e6:6.1f} MB   sitediscover {ours:.3f} s ({ours / count * 1e6:.1f} us a URL)")
        usp = usp_seconds(peers, which, count)
        for name, seconds in (("lxml.iterparse", lxml), ("bare expat", bare), ("ultimate-sitemap-parser", usp)):
            print(f"    {name:24}" + (f"{seconds:8.3f} s   {seconds / ours:6.2f}" if seconds else "  not installed"))


def growth(sizes: list[int]) -> None:
    print("\n| entries | MB | seconds | us per entry | first entry, ms | bare expat, seconds |")
    print("|--:|--:|--:|--:|--:|--:|")
    from sitediscover.parse.sitemap import parse_sitemap

    for count in sizes:
        data = b"".join(chunks(PLAIN, count))
        begin = time.process_time()
        next(iter(parse_sitemap(data, URL)))
        first = time.process_time() - begin
        seconds, bare = best_of(2, data, count, with_sitediscover, with_expat)
        print(
            f"| {count:,} | {len(data) / 1e6:.1f} | {seconds:.3f} | {seconds / count * 1e6:.1f} "
            f"| {first * 1e3:.2f} | {bare:.3f} |"
        )


def memory(megabytes: int) -> None:
    from sitediscover.parse.sitemap import parse_sitemap

    count = megabytes * 1_000_000 // len(PLAIN.format(url="x" * 62, date="x" * 25))
    tracemalloc.start()
    entries = iter(parse_sitemap(chunks(PLAIN, count), URL))
    for _ in range(1_000):
        next(entries)
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    rest = sum(1 for _ in entries)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    growth = (peak - before) / 2**20
    print(f"\na stream of {megabytes} MB, {rest + 1_000:,} URLs: at its peak {growth:.2f} MiB more than after 1,000")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller files, fewer runs")
    parser.add_argument(
        "--peers",
        metavar="PYTHON",
        default=os.environ.get("BENCH_PEERS"),  # nox -s bench sets it
        help="an interpreter with ultimate-sitemap-parser",
    )
    parser.add_argument("--usp", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.usp:
        print(usp_seconds(None, options.usp[0], int(options.usp[1])))
        return
    compare(10_000 if options.quick else 50_000, 2 if options.quick else 5, options.peers)
    growth([1_000, 10_000] if options.quick else [1_000, 10_000, 100_000, 1_000_000])
    memory(8 if options.quick else 80)


if __name__ == "__main__":
    main()
