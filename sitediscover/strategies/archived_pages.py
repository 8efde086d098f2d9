"""The way out where a site has no sitemap: the articles that a web archive has seen of it."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from sitediscover.dates import parse_date
from sitediscover.errors import InvalidUrl
from sitediscover.identity import without_tracking
from sitediscover.judge import FEW_DATED
from sitediscover.model import Article, Evidence, Source, SourceKind
from sitediscover.shapes import looks_like_article, shares
from sitediscover.strategies.base import Forecast
from sitediscover.urls import host_of, normalise_url, origin_of, same_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from sitediscover.fetch import Page
    from sitediscover.site import Site

WAYBACK = "https://web.archive.org/cdx/search/cdx"
"""The Wayback Machine's index (github.com/internetarchive/wayback, wayback-cdx-server)."""

LIMIT = 5_000
"""Pages asked for: about half a megabyte, which the archive sends in seconds and not minutes."""

_STAMP = 14  # yyyyMMddhhmmss


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPages:
    """Yield the article-shaped addresses that a web archive knows of a site. Opt-in: it asks a third party.

    The source is an ARTICLE_SITEMAP whose `url` is the archive's answer as a plain list of addresses, which can be
    polled like any text sitemap. `modified` of its articles is when the archive first saw them: the page existed by
    then; when it was published nobody has told. The evidence carries the flag `archived`.

    Args:
        endpoint: the CDX server; its host has its own robots.txt and pace, as any host has.
        limit: how many pages are asked for; they come in the order of their addresses.
        prefix: only pages whose path begins so, such as `/news/`; None for the whole host.
        since: only pages captured on this day or later; None for all.

    Raises:
        InvalidUrl: the endpoint is no URL.
        ValueError: limit is below 1, or the prefix does not begin with a slash.
    """

    endpoint: str = WAYBACK
    limit: int = LIMIT
    prefix: str | None = None
    since: date | None = None
    name: str = "archived-pages"

    def __post_init__(self) -> None:
        """Look at the options before anything is asked."""
        object.__setattr__(self, "endpoint", normalise_url(self.endpoint))
        if self.limit < 1:
            raise ValueError(f"limit is 1 or more, not {self.limit}")
        if self.prefix is not None and not self.prefix.startswith("/"):
            raise ValueError(f"a prefix begins with a slash, not {self.prefix!r:.40}")

    def discover(self, site: Site) -> Iterator[Source]:
        """Ask the archive once; yield one source where it has seen enough articles.

        Raises:
            FetchError: the archive could not be asked.
        """
        asked = self._query(site, "original,timestamp")
        page = site.get(asked, step=self.name)
        if page.status != HTTPStatus.OK:
            site.fail(self.name, asked, f"HTTP {page.status}")
            return
        seen = _captures(page, site)
        articles = _articles(seen, asked)
        if len(articles) >= FEW_DATED:
            yield Source(
                kind=SourceKind.ARTICLE_SITEMAP,
                url=self._query(site, "original"),
                found_by=self.name,
                found_on=asked,
                media_type="text/plain",
                articles=articles,
                evidence=_evidence(seen, articles, truncated=page.truncated or len(seen) >= self.limit),
            )

    def forecast(self, site: Site) -> Forecast:  # noqa: ARG002 - the archive knows most sites, whatever they say
        """Return fair chances that are worth little: whatever a site itself offers is better."""
        return Forecast(chance=0.005, requests=2.0)

    def _query(self, site: Site, fields: str) -> str:
        told = {
            "url": urlsplit(site.url).netloc + (self.prefix or "/"),
            "matchType": "prefix",
            "fl": fields,
            "filter": "statuscode:200",
            "collapse": "urlkey",  # each address once: its first capture
            "limit": str(self.limit),
        }
        if self.since is not None:
            told["from"] = f"{self.since:%Y%m%d}"
        joint = "&" if "?" in self.endpoint else "?"
        return f"{self.endpoint}{joint}{urlencode(told, safe=':/,')}"


def _captures(page: Page, site: Site) -> dict[str, datetime | None]:
    """Return the site's own pages with their first capture, each once, as robots.txt leaves them open to us."""
    lines = page.body.decode("utf-8", "replace").splitlines(keepends=True)
    if page.truncated and lines and not lines[-1].endswith("\n"):
        lines.pop()  # half an address
    seen: dict[str, datetime | None] = {}
    for line in lines:
        address, _, stamp = line.strip().rpartition(" ")
        url = _current(address, site)
        if url is not None and site.allowed(url):
            seen.setdefault(url, _moment(stamp))
    return seen


def _current(address: str, site: Site) -> str | None:
    """Return a captured address as the site would be asked today: an archive keeps old schemes and ports."""
    try:
        url = without_tracking(normalise_url(address))
    except InvalidUrl:
        return None
    if not same_site(url, site.url):
        return None
    ours = site.url.rstrip("/")
    return ours + url.removeprefix(origin_of(url)) if host_of(url) == host_of(ours) else url


def _moment(stamp: str) -> datetime | None:
    if len(stamp) != _STAMP or not stamp.isdecimal():
        return None
    clock = ":".join((stamp[8:10], stamp[10:12], stamp[12:]))
    found = parse_date(f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{clock}Z")
    return found.at if found else None


def _articles(seen: dict[str, datetime | None], asked: str) -> tuple[Article, ...]:
    """Return those that look like articles, the newest capture first."""
    found = [Article(url=url, modified=at, found_on=asked) for url, at in seen.items() if looks_like_article(url)]
    found.sort(key=lambda article: article.modified.timestamp() if article.modified else 0.0, reverse=True)
    return tuple(found)


def _evidence(seen: dict[str, datetime | None], articles: tuple[Article, ...], *, truncated: bool) -> Evidence:
    share = shares(seen)
    dates = [article.modified for article in articles if article.modified]
    return Evidence(
        count=share.count,
        section_share=round(share.section_share, 4),
        article_share=round(share.article_share, 4),
        dated_share=round(len(dates) / len(articles), 4),
        newest=max(dates, default=None),
        flags=("archived", "truncated") if truncated else ("archived",),
    )
