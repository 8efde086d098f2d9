"""A web in a dict, for tests of custom strategies: no network, no waiting, every request counted.

::

    web = FakeWeb({"https://news.example": {"/": page(feeds=["/feed"]), "/feed": feed([])}})
    found = discover("news.example", session=web.session())
    assert web.requests == ["https://news.example/robots.txt", "https://news.example/"]
"""

from sitediscover.testing.answers import Answer, Call, Reply, Web, redirect, respond
from sitediscover.testing.bodies import feed, page, sitemap_index, urlset
from sitediscover.testing.clock import FakeClock
from sitediscover.testing.web import FakeWeb

__all__ = [
    "Answer",
    "Call",
    "FakeClock",
    "FakeWeb",
    "Reply",
    "Web",
    "feed",
    "page",
    "redirect",
    "respond",
    "sitemap_index",
    "urlset",
]
