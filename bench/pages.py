"""A 300 KB page: parse_page beside BeautifulSoup on lxml that builds its whole tree and then does the same work."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup

from sitediscover.parse.html import parse_page

RUNS = 9
SIZE = 300_000
if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://paper.example/"


def made_page() -> bytes:
    """Return a news page of about SIZE bytes: a navigation, teasers with pictures and texts, a footer."""
    head = (
        '<!doctype html><html lang="en"><title>Paper</title><link rel=alternate type="application/rss+xml" href="/f">'
    )
    nav = "<nav>" + "".join(f'<a href="/section-{n}/">Section {n}</a>' for n in range(60)) + "</nav>"
    teaser = (
        '<article class="teaser teaser--wide" data-id="{n}"><a href="/news/2026/11/30/mayor-opens-library-{n}">'
        '<h3>Mayor opens library number {n}</h3><img src="/i/{n}.jpg" alt=""></a>'
        "<p>The hall was full, and the <b>mayor</b> spoke for long.</p><ul class=meta><li>By a reporter<li>30 November"
        '<li><a href="/topics/libraries">Libraries</a></ul></article>\n'
    )
    body, number = "", 0
    while len(head) + len(nav) + len(body) < SIZE:
        body, number = body + teaser.format(n=number), number + 1
    return f"{head}<body>{nav}<main>{body}</main><footer><a href='/imprint'>Imprint</a></footer>".encode()


def with_soup(html: bytes) -> int:
    """Collect feeds and links as a feed finder on BeautifulSoup does."""
    soup = BeautifulSoup(html, "lxml")
    feeds = soup.find_all("link", rel="alternate")
    links = [(a.get("href"), a.get_text(" ", strip=True)) for a in soup.find_all("a", href=True)]
    return len(feeds) + len(links)


def median(work: Callable[[bytes], object], html: bytes) -> float:
    """Return the median seconds of RUNS runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work(html)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Print the ratio."""
    html = made_page()
    ours, soup = median(lambda data: parse_page(data, URL), html), median(with_soup, html)
    print(f"{len(html) / 1000:.0f} KB: parse_page {ours * 1e3:.1f} ms; BeautifulSoup on lxml {soup * 1e3:.1f} ms,")
    print(f"{soup / ours:.1f} times as long")


if __name__ == "__main__":
    main()
