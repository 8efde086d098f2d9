"""One site with a feed, a store, and a clock, for the tests that look at one behaviour."""

from __future__ import annotations

from worlds import HOUR, at

from sitediscover import Article, Source, SourceKind
from sitediscover.testing import FakeClock, FakeWeb, feed
from sitediscover.watch import Watchlist

FEED = "https://a.example/feed"


def story(number: int, when: float | None = None) -> Article:
    moment = at(when) if when else None
    return Article(url=f"https://a.example/2026/01/a-story-number-{number}", title=f"Story {number}", published=moment)


class World:
    """One site with a feed, a store, and a clock."""

    def __init__(self, store: str, clock: FakeClock | None = None) -> None:
        self.clock = clock or FakeClock()
        self.articles = [story(number) for number in range(5)]
        self.paths: dict[str, object] = {"/feed": lambda call: feed(reversed(self.articles))}
        self.hosts: dict[str, dict[str, object]] = {"https://a.example": self.paths}
        self.web = FakeWeb(self.hosts, clock=self.clock)
        self.session = self.web.session()
        self.watch = Watchlist(store, session=self.session)

    def add(self, **options):
        source = self.watch.add(Source(kind=SourceKind.FEED, url=FEED), **options)
        self.first = self.poll(0)
        return source

    def publish(self, *numbers: int, when: float | None = None) -> None:
        self.articles += [story(number, when) for number in numbers]

    def poll(self, seconds: float = 2 * HOUR, limit: int | None = None) -> list[str]:
        self.clock.advance(seconds)
        return [article.title or article.url for article in self.watch.poll(limit)]

    def asked(self) -> int:
        return sum(call.url == FEED for call in self.web.calls)

    def polled(self, hours: float, every: float = HOUR) -> list[str]:
        """Poll now and then; return the addresses that were delivered."""
        end, found = self.clock.time() + hours * HOUR, []
        while self.clock.time() < end:
            found += [article.url for article in self.watch.poll()]
            self.clock.advance(every)
        return found
