"""What a strategy is: a name, and a generator of sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitediscover.model import Source
    from sitediscover.site import Site


class DiscoveryStrategy(Protocol):
    """One way of finding something to follow."""

    @property
    def name(self) -> str:
        """Return the name that the log, the failures and the sources carry."""

    def discover(self, site: Site) -> Iterable[Source]:
        """Yield sources, best first, asking the site for no more than is needed for the next one.

        Args:
            site: the site, whose `get`, `robots`, `front_page` and `sitemaps()` are the only way to the network.

        Raises:
            FetchError: the search cannot go on here; it becomes a Failure, and the next strategy has its turn.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a strategy expects, given what robots.txt and the front page have told.

    Attributes:
        chance: that it finds a source worth stopping for, 0 to 1.
        requests: how many requests that takes, on the average.
    """

    chance: float
    requests: float

    @property
    def value(self) -> float:
        """Return the chance per request; what costs nothing goes before all that costs something."""
        return self.chance / max(self.requests, 0.001)


@runtime_checkable
class Forecasting(Protocol):
    """A strategy that can tell its chances: an optional ability, asked for in adaptive order."""

    def forecast(self, site: Site) -> Forecast:
        """Return the chance of the strategy's next step; asks nothing of the network."""


@runtime_checkable
class Stepwise(Protocol):
    """A strategy that can be interrupted between requests: an optional ability, used in adaptive order."""

    def steps(self, site: Site) -> Iterator[Source | None]:
        """Yield sources, and None after each request that found nothing yet."""


UNTOLD = Forecast(chance=0.5, requests=1.0)
"""The forecast of a strategy that tells none: who plugs in one of their own thinks it likely."""


def forecast_of(strategy: DiscoveryStrategy, site: Site) -> Forecast:
    """Return what a strategy expects of a site, or a fair guess where it does not say."""
    return strategy.forecast(site) if isinstance(strategy, Forecasting) else UNTOLD


def steps_of(strategy: DiscoveryStrategy, site: Site) -> Iterator[Source | None]:
    """Return a strategy's sources, with pauses where it can be interrupted."""
    return strategy.steps(site) if isinstance(strategy, Stepwise) else iter(strategy.discover(site))
