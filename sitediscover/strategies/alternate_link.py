"""The feeds that the front page advertises: trusted without fetching them, wherever they live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover.model import Evidence, Source, SourceKind
from sitediscover.strategies.base import Forecast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitediscover.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternateLink:
    """Yield every feed that the front page advertises, best first. Costs no request."""

    name: str = "alternate-link"

    def discover(self, site: Site) -> Iterator[Source]:
        """Yield the advertised feeds that robots.txt does not close on the site's own origin."""
        front = site.front_page
        for link in front.feeds:
            if site.allowed(link.url, strategy=self.name):
                yield Source(
                    kind=SourceKind.FEED,
                    url=link.url,
                    title=link.title,
                    found_by=self.name,
                    found_on=front.url,
                    media_type=link.media_type,
                    language=link.language or front.language,
                    evidence=Evidence(flags=("unverified",)),
                )

    def forecast(self, site: Site) -> Forecast:
        """Return certainty at no cost where a feed is advertised."""
        return Forecast(chance=1.0 if site.front_page.feeds else 0.0, requests=0.0)
