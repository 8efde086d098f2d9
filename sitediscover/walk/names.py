"""What the names of sitemaps tell: where they usually are, and which are the newest. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitediscover.judge import best_child_first
from sitediscover.parse.sitemap import names_sitemap
from sitediscover.urls import path_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitediscover.walk.model import SitemapStub

# Asked where robots.txt names no sitemap, one at a time, until one answers. The first four are what the programs behind
# most sites write: sitemaps.org's own name, Yoast's, WordPress's since 5.5, Gatsby's and Astro's.
WELL_KNOWN_SITEMAPS: tuple[str, ...] = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/wp-sitemap.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/sitemap/sitemap.xml",
    "/sitemaps.xml",
    "/sitemap.txt",
)
"""Names that a sitemap usually has, likeliest first."""

# Of 120 hand-kept Google-News sitemaps these two names cover 29; the next ones bring 4 to 7 each: not worth a request.
WELL_KNOWN_NEWS: tuple[str, ...] = ("/news-sitemap.xml", "/sitemap-news.xml")
"""Names that a news sitemap usually has, likeliest first."""

# A list of pages for people is none for us.
_PAGE = re.compile(r"\.(?:html?|aspx?|jsp)$", re.IGNORECASE)
_FILE = re.compile(r"\.(?:xml|rss|atom|rdf)(?:\.gz)?$", re.IGNORECASE)
_SAYS_SITEMAP = re.compile(r"site-?_?maps?", re.IGNORECASE)

_YEAR, _MONTH, _DAY = r"(?P<year>(?:19|20)\d\d)", r"(?P<month>0?[1-9]|1[0-2])", r"(?P<day>0?[1-9]|[12]\d|3[01])"
# How dates stand in the names of sitemaps; the first that fits. Parts: /2024/05/sitemap.xml, sitemap-2024-05-03.xml.gz;
# run together: sitemap20240503.xml, posts-202405.xml; a query: sitemap.xml?yyyy=2024&mm=05&dd=03.
_DATES = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"(?<!\d){_YEAR}(?P<mark>[-_/.]){_MONTH}(?:(?P=mark){_DAY})?(?!\d)",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])?(?!\d)",
        rf"y(?:yyy|ear)?={_YEAR}(?:&(?:amp;)?m(?:m|onth)?={_MONTH})?(?:&(?:amp;)?d(?:d|ay)?={_DAY})?(?!\d)",
        rf"(?<!\d){_YEAR}(?!\d)",
    )
)


def is_sitemap_url(path: str) -> bool:
    """Say whether the path of a URL that a person gave is that of a sitemap, and not just one of the site's pages.

    Args:
        path: path and query.
    """
    name = urlsplit(path).path.rpartition("/")[2]
    if _PAGE.search(name) or not name:
        return False
    return names_sitemap(path) or bool(_FILE.search(name)) or bool(_SAYS_SITEMAP.search(name))


def date_in_name(url: str) -> tuple[int, int, int]:
    """Return the year, month and day that a sitemap's address tells; 0 for each that it does not."""
    path = path_of(url)
    for pattern in _DATES:
        found = pattern.search(path)
        if found:
            parts = found.groupdict()
            return int(parts["year"]), int(parts.get("month") or 0), int(parts.get("day") or 0)
    return 0, 0, 0


def best_first(children: Iterable[SitemapStub]) -> list[SitemapStub]:
    """Return sitemaps, each once: news names, newest lastmod, newest date in the name, then their order."""
    listed = list(children)
    dates = {child.url: date_in_name(child.url) for child in listed}
    years = sum(year > 0 for year, _, _ in dates.values())
    if 2 * years < len(dates):
        # sitemap-1999.xml among thousands is a number and no year; one that tells a month as well is a date.
        dates = {url: date if date[1] else (0, 0, 0) for url, date in dates.items()}
    return best_child_first(sorted(listed, key=lambda child: dates[child.url], reverse=True))
