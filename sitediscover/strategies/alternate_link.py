"""The feeds that the front page advertises: trusted without fetching them, wherever they live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover.model import Evidence, Source, SourceKind
from sitediscover.parse.feedrank import lesser
from sitediscover.strategies.base import Forecast
from sitediscover.strategies.feeds import feed_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitediscover.parse.feedlinks import FeedLink
    from sitediscover.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternateLink:
    """Yield every feed that the front page advertises, best first. Costs no request."""

    name: str = "alternate-link"

    def discover(self, site: Site) -> Iterator[Source]:
        """Yield the advertised feeds that robots.txt does not close on the site's own origin.

        A plain link that only looks like a feed is no advertisement: CommonPaths asks it. Where there are only feeds
        of comments, podcasts or single posts, they are kept as a last resort.
        """
        front = site.front_page
        if front.feed is not None:  # the site's root is a feed, as on feeds.example.com
            yield feed_source(front.page, front.feed, found_by=self.name, language=front.language)
        advertised = [link for link in _advertised(site) if site.allowed(link.url, strategy=self.name)]
        if all(map(lesser, advertised)):
            for link in advertised:
                site.keep(self._source(site, link))
        else:
            yield from (self._source(site, link) for link in advertised)

    def _source(self, site: Site, link: FeedLink) -> Source:
        front = site.front_page
        return Source(
            kind=SourceKind.FEED,
            url=link.url,
            title=link.title,
            found_by=self.name,
            found_on=front.url,
            media_type=link.media_type,
            language=link.language or front.language,
            evidence=Evidence(flags=tuple(filter(None, ("unverified", lesser(link))))),
        )

    def forecast(self, site: Site) -> Forecast:
        """Return certainty at no cost where a feed of the site is advertised."""
        told = site.front_page.feed is not None or not all(map(lesser, _advertised(site)))
        return Forecast(chance=float(told), requests=0.0)


def _advertised(site: Site) -> list[FeedLink]:
    """Return what is declared as a feed; a plain link only looks like one."""
    return [link for link in site.front_page.feeds if link.certain or link.found_in != "anchor"]
