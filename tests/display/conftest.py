"""Results to be shown: of sound sites, and of one whose every text is meant to do harm."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from sitediscover import Article, Discovery, Evidence, Failure, Outcome, Request, Section, Source, SourceKind, Stop
from sitediscover.model import StopReason
from sitediscover.testing import Answer, FakeClock, FakeWeb, feed, page, sitemap_index, urlset
from sitediscover.walk import SitemapWalk
from sitediscover.watch import Watchlist

NOW = datetime(2026, 3, 2, 12, 30, tzinfo=UTC)
SITE = "https://paper.example"
HARM = "\"'><script>alert(1)</script><img src=x onerror=alert(1)></style><style>*{display:none}</style>&#106;\u202e\x00\ud800"


@pytest.fixture
def found():
    """Return a discovery with a bit of everything."""
    return Discovery(
        site=SITE,
        outcome=Outcome.FEED,
        sources=(
            Source(
                kind=SourceKind.FEED,
                url=f"{SITE}/feed.xml",
                title="The Paper",
                found_by="alternate-link",
                found_on=f"{SITE}/",
                media_type="application/rss+xml",
                language="en",
                articles=(Article(url=f"{SITE}/a", title="A story", published=NOW), Article(url=f"{SITE}/b")),
                siblings=(f"{SITE}/other.xml",),
                evidence=Evidence(count=40, article_share=0.975, newest=NOW, flags=("stale", "mixed")),
            ),
            Source(kind=SourceKind.SECTIONS, url=f"{SITE}/s.xml", sections=(Section(url=f"{SITE}/sport/"),)),
        ),
        stopped=Stop(reason=StopReason.RATE_LIMITED, url=f"{SITE}/atom.xml", detail="429 for 60 s"),
        failures=(Failure(strategy="common-paths", url=f"{SITE}/rss", error="BadStatus: 403"),),
        requests=(
            Request(step="robots", url=f"{SITE}/robots.txt", status=301, size=0, seconds=0.25, note="/r.txt"),
            Request(step="front-page", url=f"{SITE}/", status=200, size=12_345, seconds=0.75),
            Request(step="common-paths", url=f"{SITE}/rss", status=403, size=10, seconds=0.5),
            Request(step="common-paths", url=f"{SITE}/atom.xml", seconds=0.5, note="NoConnection"),
        ),
    )


@pytest.fixture
def hostile():
    """Return a discovery of a site that wishes its readers ill."""
    early = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9)))
    article = Article(url=f"javascript:alert(1)//{HARM}", title=HARM, published=early, language=HARM)
    return Discovery(
        site=f"https://{HARM}",
        outcome=Outcome.STOPPED,
        sources=(
            Source(
                kind=SourceKind.FEED,
                url=f"https://bad.example/{HARM}",
                title=HARM * 50,
                found_by=HARM,
                found_on=f"data:text/html,{HARM}",
                media_type=HARM,
                language=HARM,
                articles=(article,),
                sections=(Section(url="vbscript:x", title=HARM), Section(url="https://[bad", title=None)),
                siblings=("//bad.example/", f"https://bad.example/{'x' * 5_000}"),
                evidence=Evidence(count=1, newest=early, flags=(HARM,)),
            ),
        ),
        stopped=Stop(reason=StopReason.UNREACHABLE, url=f"https://bad.example/{HARM}", detail=HARM),
        failures=(Failure(strategy=HARM, url=HARM, error=HARM),),
        requests=(Request(step=HARM, url=f"https://bad.example/?{HARM}", status=200, seconds=1e-9, note=HARM),),
    )


def paper(clock):
    """Make a small site with a tree of sitemaps, some of which are out of order."""
    news = [
        Article(
            url=f"{SITE}/2026/02/{28 - n:02}/story-number-{n}",
            title=f"Story {n}",
            published=NOW - timedelta(days=2 + n),
            modified=NOW - timedelta(days=2 + n),
        )
        for n in range(20)
        if n != 7
    ]
    web = {
        SITE: {
            "/robots.txt": f"User-agent: *\nDisallow: /members/\nSitemap: {SITE}/index.xml\n",
            "/": page(feeds=["/feed.xml"]),
            "/feed.xml": lambda call: feed(news[:10], title="The Paper"),
            "/index.xml": sitemap_index([(f"{SITE}/news.xml", NOW), f"{SITE}/old.xml", f"{SITE}/gone.xml"]),
            "/news.xml": urlset(news, news="The Paper"),
            "/old.xml": urlset([f"{SITE}/members/wine", f"{SITE}/2020/01/01/an-old-story-of-ours"]),
            "/gone.xml": Answer(status=404),
        }
    }
    return FakeWeb(web, clock=clock)


@pytest.fixture
def clock():
    return FakeClock(NOW)


@pytest.fixture
def web(clock):
    return paper(clock)


@pytest.fixture
def walk(web):
    return SitemapWalk("paper.example", session=web.session())


@pytest.fixture
def watch(web):
    with Watchlist("sqlite://", session=web.session()) as watch:
        yield watch
