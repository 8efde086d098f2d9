"""Chances and costs behind the adaptive order: measured shares, each with its source.

docs/explanation/forecasts.md says from what data they come.
"""

from __future__ import annotations

from sitediscover.strategies.base import Forecast

NEWS_NAMED = Forecast(chance=0.85, requests=1.3)
"""Of a sitemap in robots.txt whose name says news: of 119 hand-kept news sitemaps 103 say so in their path; they are
read in one request, or two by an index. Of 543 news hosts 46 % name one."""

OTHER_NAMED = Forecast(chance=0.5, requests=2.0)
"""Of a sitemap in robots.txt with any other name: about half hold articles, directly or one level down."""

UNNAMED_SITEMAP = Forecast(chance=0.02, requests=1.5)
"""Of /sitemap.xml where robots.txt names none: asked once the likely guesses are spent."""

SECTIONS = Forecast(chance=0.01, requests=1.5)
"""Of section pages: they nearly always work where there are any, but are the dearest thing to poll,
so they are worth stopping for only once all else is spent."""

SECTIONS_SITEMAP = Forecast(chance=0.95, requests=1.0)
"""Of section pages once a sections sitemap was read: one page is asked to prove it."""

# Share of news sites, 0 to 1, that the n-th guess brings: the first three bring 40 %, twelve more 9 points
# (3,803 news sites).
GUESS_CHANCES = (0.2, 0.12, 0.08, 0.03, 0.02)
LATER_GUESS = 0.01
"""Share of news sites that any later guess brings."""

LAST_GUESS = 0.005
"""Chance of /feed/ where /feed is not there, after section pages: nearly every site that has one sends the other on."""

GUESS_REQUESTS = 1.2
"""Requests that a guess takes: one in five is redirected."""

GIVEN_GUESS = 0.95
"""Chance of the address that the user gave as the site's, where it looks like a feed's: people paste feeds."""

PLATFORM_GUESS = 0.95
"""Chance of the feed that follows from a platform's own address by its documented rule."""

LINKED_GUESS = 0.3
"""Chance of a plain link that looks like a feed: as often it leads to a page about feeds (publishers' /rss, /feeds)."""

NAMED_GUESS = 0.8
"""Chance of a feed that a page about feeds names, which is there to name them. Not measured."""

HINTED_GUESS = 0.9
"""Chance of the address that a generator tag or a header points to: such addresses are built in."""
