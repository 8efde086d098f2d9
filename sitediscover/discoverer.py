"""The search itself: robots.txt, the front page, then one strategy after another until something can be followed."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Self, TypeAlias, cast, get_args

from sitediscover.errors import EnoughFound, FetchError, SiteStopped
from sitediscover.fetch import PoliteSession
from sitediscover.model import Discovery, Outcome, Source, SourceKind
from sitediscover.site import Site
from sitediscover.strategies import DEFAULT_STRATEGIES, DiscoveryStrategy, FunctionStrategy, registry
from sitediscover.strategies.base import forecast_of, steps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

Order: TypeAlias = Literal["adaptive", "listed"]
StrategyLike: TypeAlias = "DiscoveryStrategy | str | Callable[[Site], Iterable[Source]]"

_log = logging.getLogger(__name__)

_BEST_FIRST = {kind: rank for rank, kind in enumerate(SourceKind)}


class Discoverer:
    """Find how sites can be followed, with one session and one list of strategies.

    Args:
        strategies: objects, registered names, `"package.module:Class"`, or generator functions that take a Site; None
            for the built-in ones.
        session: the door to the network; None for one of its own, closed with the Discoverer.
        order: `listed` runs the strategies in their order; `adaptive` picks, before each step, the one with the best
            forecast of chance per request.
        thorough: go on after the first find, within the budget, and return everything.

    Raises:
        UnknownStrategy: a name that no strategy is registered under.
        ValueError: an order that there is none.
    """

    def __init__(
        self,
        strategies: Iterable[StrategyLike] | None = None,
        *,
        session: PoliteSession | None = None,
        order: Order = "adaptive",
        thorough: bool = False,
    ) -> None:
        if order not in get_args(Order):
            raise ValueError(f"order is one of {', '.join(get_args(Order))}, not {order!r:.40}")
        self.strategies = tuple(map(_strategy, DEFAULT_STRATEGIES if strategies is None else strategies))
        self.order = order
        self.thorough = thorough
        self._owned = session is None
        self.session = PoliteSession() if session is None else session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the session, where it is the Discoverer's own."""
        if self._owned:
            self.session.close()

    def discover(self, site: str) -> Discovery:
        """Find how a site can be followed.

        Args:
            site: a host, or any URL of the site; https is tried where no scheme is given.

        Raises:
            InvalidSite: the text cannot name a site.
        """
        opened = Site(site, self.session, thorough=self.thorough)
        found = list(self._search(opened))
        resorts = opened.kept if self.thorough or not found else ()
        sources = (*sorted(found, key=lambda source: _BEST_FIRST[source.kind]), *resorts)
        return Discovery(
            site=opened.origin,
            outcome=_outcome(sources, opened),
            sources=sources,
            stopped=opened.stopped,
            failures=opened.failures,
            requests=opened.requests,
        )

    def iter(self, site: str) -> Iterator[Source]:
        """Yield sources as they are found; a strategy that is not reached costs nothing.

        Args:
            site: a host, or any URL of the site.

        Raises:
            InvalidSite: the text cannot name a site.
        """
        opened = Site(site, self.session, thorough=self.thorough)
        return self._iterate(opened)

    def _iterate(self, site: Site) -> Iterator[Source]:
        found = False
        for source in self._search(site):
            found = True
            yield source
        if self.thorough or not found:
            yield from site.kept

    def _search(self, site: Site) -> Iterator[Source]:
        """Yield each source once; after the first, only what costs no further request, unless thorough."""
        seen: set[str] = set()
        with suppress(SiteStopped):
            _ = site.front_page
            for strategy, source in self._listed(site) if self.order == "listed" else self._adaptive(site):
                if source is None or source.url in seen:
                    continue
                seen.add(source.url)
                if not self.thorough:
                    site.enough()
                yield source if source.found_by else replace(source, found_by=strategy.name)

    def _listed(self, site: Site) -> Iterator[tuple[DiscoveryStrategy, Source | None]]:
        for strategy in self.strategies:
            for source in _guarded(strategy, site):
                yield strategy, source
            if site.has_enough:
                return

    def _adaptive(self, site: Site) -> Iterator[tuple[DiscoveryStrategy, Source | None]]:
        waiting = {id(strategy): strategy for strategy in self.strategies}
        running = {key: _guarded(strategy, site) for key, strategy in waiting.items()}
        while waiting and not site.has_enough:
            told = {key: forecast_of(strategy, site) for key, strategy in waiting.items()}
            # max() takes the first of equals: the listed order decides between them.
            key = max(told, key=lambda key: told[key].value)
            _log.debug("%s: %s has its turn: %s", site.origin, waiting[key].name, told[key])
            for source in running[key]:
                yield waiting[key], source
                if source is None:
                    break  # nothing yet: another may be likelier now
            else:
                del waiting[key]


def _guarded(strategy: DiscoveryStrategy, site: Site) -> Iterator[Source | None]:
    """Run a strategy; its expected error becomes a Failure, a programming error propagates."""
    try:
        yield from steps_of(strategy, site)
    except EnoughFound:
        return
    except FetchError as error:
        site.fail(strategy.name, error.url, error)


def _strategy(given: StrategyLike) -> DiscoveryStrategy:
    if isinstance(given, str):
        return registry.get(given)
    if hasattr(given, "discover"):
        return cast("DiscoveryStrategy", given)
    return FunctionStrategy(name=getattr(given, "__name__", "custom").replace("_", "-"), function=given)


def _outcome(sources: tuple[Source, ...], site: Site) -> Outcome:
    if sources:
        return Outcome(sources[0].kind.value)
    return Outcome.STOPPED if site.stopped is not None else Outcome.NOTHING


def discover(
    site: str,
    *,
    strategies: Iterable[StrategyLike] | None = None,
    session: PoliteSession | None = None,
    order: Order = "adaptive",
    thorough: bool = False,
) -> Discovery:
    """Find how a site can be followed.

    Args:
        site: a host, or any URL of the site; https is tried where no scheme is given.
        strategies: objects, registered names, `"package.module:Class"`, or generator functions; None for the built-in
            ones.
        session: the door to the network; None for one of its own.
        order: `adaptive`, by the best chance per request, or `listed`.
        thorough: go on after the first find, within the budget, and return everything.

    Raises:
        InvalidSite: the text cannot name a site.
        UnknownStrategy: a name that no strategy is registered under.
    """
    with Discoverer(strategies, session=session, order=order, thorough=thorough) as discoverer:
        return discoverer.discover(site)
