"""Eight news sites in miniature, and what discovering each has to give. Pure.

Each is made like a real one was found to be. The names are those of the sites that were measured; hosts, words and
stories are made up.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta, timezone
from typing import TYPE_CHECKING

from sitediscover.demo import hosts
from sitediscover.model import Outcome

if TYPE_CHECKING:
    from datetime import datetime

    from sitediscover.testing import Web

_JAPAN = timezone(timedelta(hours=9))


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoSite:
    """One site of the miniature web, and what discovering it has to give.

    Attributes:
        name: the site it is modelled on.
        host: its host in the miniature web.
        listed: requests in listed order, with the classic nine addresses.
        adaptive: requests in adaptive order, at most.
        outcome: the verdict.
        found: what was found, in the words of `sitediscover.demo.report.describe`.
    """

    name: str
    host: str
    listed: int
    adaptive: int
    outcome: Outcome
    found: str


# Listed order asks robots.txt (1), the front page (2) and nine guesses (3-11) before the first sitemap (12).
SITES = (
    DemoSite(
        name="The Verge",
        host="the-verge.example",
        listed=2,
        adaptive=2,
        outcome=Outcome.FEED,
        found="the-verge.example/rss/index.xml",
    ),
    DemoSite(
        name="TechCrunch",
        host="techcrunch.example",
        listed=2,
        adaptive=2,
        outcome=Outcome.FEED,
        found="techcrunch.example/feed/",
    ),
    DemoSite(
        name="ITmedia",
        host="www.itmedia.example",
        listed=2,
        adaptive=2,
        outcome=Outcome.FEED,
        found="rss.itmedia.example/rss/2.0/news.xml",
    ),
    DemoSite(
        name="Yomiuri",
        host="www.yomiuri.example",
        listed=13,
        adaptive=4,
        outcome=Outcome.NEWS_SITEMAP,
        found="340 articles, 340 of the last 24 h; siblings: 1",
    ),
    DemoSite(
        name="Asahi",
        host="www.asahi.example",
        listed=13,
        adaptive=4,
        outcome=Outcome.NEWS_SITEMAP,
        found="61 articles, 36 of the last 24 h; siblings: 7",
    ),
    DemoSite(
        name="Nikkei",
        host="www.nikkei.example",
        listed=14,
        adaptive=5,
        outcome=Outcome.SECTIONS,
        found="185 sections, 157 changed in the last 24 h",
    ),
    DemoSite(
        name="AP", host="apnews.example", listed=2, adaptive=2, outcome=Outcome.STOPPED, found="front page refused"
    ),
    DemoSite(
        name="Reuters",
        host="www.reuters.example",
        listed=1,
        adaptive=1,
        outcome=Outcome.STOPPED,
        found="robots disallow",
    ),
)


def build_web(now: datetime) -> Web:
    """Return the eight sites as a web in a dict, for `FakeWeb` or `sitediscover.demo.server.serve`.

    Args:
        now: an aware time of day; every date in the web is relative to it.
    """
    japan = now.astimezone(_JAPAN)
    return {
        "https://the-verge.example": hosts.the_verge(now),
        "https://techcrunch.example": hosts.techcrunch(now),
        "https://www.itmedia.example": hosts.itmedia(japan),
        "https://rss.itmedia.example": hosts.itmedia_feeds(japan),
        "https://www.yomiuri.example": hosts.yomiuri(japan),
        "https://www.asahi.example": hosts.asahi(japan),
        "https://www.nikkei.example": hosts.nikkei(japan),
        "https://apnews.example": hosts.apnews(),
        "https://www.reuters.example": hosts.reuters(),
    }
