"""The hosts of the miniature web, one function each: paths and what they answer. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from sitediscover.demo.words import headline, slug, stories
from sitediscover.model import Article
from sitediscover.testing import Answer, Call, Reply, feed, page, sitemap_index, urlset

Host: TypeAlias = Mapping[str, Reply | Callable[[Call], Reply]]
_DAY = timedelta(hours=24)


def robots(*sitemaps: str, closed: str = "/search/") -> str:
    """Return a robots.txt that closes one folder and names sitemaps."""
    return "".join([f"User-agent: *\nDisallow: {closed}\n\n", *(f"Sitemap: {url}\n" for url in sitemaps)])


def the_verge(now: datetime) -> Host:
    """Make a site that advertises its feed."""
    site = "https://the-verge.example"
    news = stories(10, now, _DAY, lambda n, _: f"{site}/tech/{812_400 - n}/{slug(n)}")
    return {
        "/robots.txt": robots(f"{site}/sitemaps"),
        "/": page((story.url for story in news), feeds=["/rss/index.xml"], title="The Verge in miniature"),
        "/rss/index.xml": feed(news, title="The Verge in miniature"),
        "/sitemaps": urlset(news),
    }


def techcrunch(now: datetime) -> Host:
    """Make a WordPress site, with the links in its head that only look like feeds."""
    site = "https://techcrunch.example"
    news = stories(20, now, 2 * _DAY, lambda n, date: f"{site}/{date:%Y/%m/%d}/{slug(n)}/")
    head = (
        '<meta name="generator" content="WordPress 6.8">\n'
        '<link rel="alternate" type="application/json" href="/wp-json/wp/v2/pages/1">\n'
        '<link rel="alternate" type="application/json+oembed" href="/wp-json/oembed/1.0/embed?url=%2F">\n'
    )
    return {
        "/robots.txt": robots(f"{site}/sitemap.xml", closed="/wp-admin/"),
        "/": page(
            (story.url for story in news),
            feeds=["/comments/feed/", "/feed/"],
            title="TechCrunch in miniature",
            head=head,
        ),
        "/feed/": feed(news, title="TechCrunch in miniature"),
        "/comments/feed/": feed([], title="Comments for TechCrunch in miniature"),
        "/sitemap.xml": urlset(news),
    }


def _itmedia_news(now: datetime) -> list[Article]:
    site = "https://www.itmedia.example"
    return stories(30, now, _DAY, lambda n, date: f"{site}/news/articles/{date:%y%m/%d}/news{100 - n:03}.html", "ja")


def itmedia(now: datetime) -> Host:
    """Make a site in Shift_JIS whose feeds live on a host of their own."""
    links = [story.url for story in _itmedia_news(now)]
    front = page(
        links, feeds=["https://rss.itmedia.example/rss/2.0/news.xml"], title="ミニチュアのアイティ新聞", language="ja"
    )
    return {
        "/robots.txt": robots(),
        "/": Answer(
            body=front.replace('charset="utf-8"', 'charset="shift_jis"').encode("cp932"),
            headers={"Content-Type": "text/html; charset=Shift_JIS"},
        ),
    }


def itmedia_feeds(now: datetime) -> Host:
    """Make the host that the feeds of `itmedia` live on."""
    return {"/rss/2.0/news.xml": feed(_itmedia_news(now), title="ミニチュアのアイティ新聞")}


def yomiuri(now: datetime) -> Host:
    """Make a site without feeds: robots.txt names an index, which names the news sitemap among others."""
    site, desks = "https://www.yomiuri.example", ("national", "politics", "economy", "world", "sports")
    news = stories(340, now, _DAY, lambda n, date: f"{site}/{desks[n % 5]}/{date:%Y%m%d}-OYT1T5{n:04}/", language="ja")
    children = [
        (f"{site}/sitemap-category.xml", now - 30 * _DAY),
        (f"{site}/sitemap-news.xml", news[0].modified or now),
    ]
    return {
        "/robots.txt": robots(f"{site}/sitemap.xml"),
        "/": page([*(f"/{desk}/" for desk in desks), *(story.url for story in news[:40])], language="ja"),
        "/sitemap.xml": sitemap_index(children),
        "/sitemap-category.xml": urlset(f"{site}/{desk}/" for desk in desks),
        "/sitemap-news.xml": urlset(news, news="ミニチュア読売"),
    }


# The national desk first: stories of the last 24 h, stories of the day before.
_ASAHI_DESKS = {
    "national": (36, 25),
    "business": (14, 10),
    "politics": (9, 12),
    "international": (11, 8),
    "sports": (20, 16),
    "culture": (4, 6),
    "science": (3, 5),
    "region": (17, 9),
}


def asahi(now: datetime) -> Host:
    """Make a site without feeds whose news sitemap is split by desk; one of the usual addresses is refused."""
    site = "https://www.asahi.example"
    desks = {desk: _asahi_desk(site, desk, now) for desk in _ASAHI_DESKS}
    children = [(f"{site}/sitemaps/news/{desk}.xml", news[0].modified or now) for desk, news in desks.items()]
    return {
        "/robots.txt": robots(f"{site}/sitemaps/news/index.xml"),
        "/": page([*(f"/{desk}/" for desk in desks), *(story.url for news in desks.values() for story in news[:5])]),
        "/rss": Answer(status=403, body="<!doctype html><title>Forbidden</title>"),
        "/sitemaps/news/index.xml": sitemap_index(children),
        **{f"/sitemaps/news/{desk}.xml": urlset(news, news="ミニチュア朝日") for desk, news in desks.items()},
    }


def _asahi_desk(site: str, desk: str, now: datetime) -> list[Article]:
    today, yesterday = _ASAHI_DESKS[desk]
    first = 100 * list(_ASAHI_DESKS).index(desk)

    def address(number: int) -> str:
        return f"{site}/articles/AST{now:%j}{first + number:04}UTIL01BM.html"

    return [
        *stories(today, now, _DAY, lambda n, _: address(n), "ja"),
        *stories(yesterday, now - _DAY, _DAY, lambda n, _: address(today + n), "ja"),
    ]


_NIKKEI_TOPICS = (
    *("autos", "banks", "chemicals", "climate", "commodities", "currencies", "economy", "energy", "food", "funds"),
    *("gadgets", "housing", "labour", "logistics", "machines", "medicine", "mobility", "retail", "robots", "startups"),
    *("steel", "travel", "water"),
)
_NIKKEI_ANGLES = ("", "analysis/", "asia/", "columns/", "interviews/", "opinion/", "regions/", "world/")
_NIKKEI_SECTIONS = [f"/{topic}/{angle}" for topic in _NIKKEI_TOPICS for angle in _NIKKEI_ANGLES]
_NIKKEI_CHANGED = 157
# Documents are neither articles nor sections.
_NIKKEI_DOCUMENTS = [f"/documents/prices/{1_300 + 7 * number}.pdf" for number in range(240)]


def nikkei(now: datetime) -> Host:
    """Make a site without feeds whose second sitemap lists sections, in the clothes of a news sitemap."""
    site = "https://www.nikkei.example"
    sections = {path: partial(_nikkei_section, number) for number, path in enumerate(_NIKKEI_SECTIONS)}
    return {
        "/robots.txt": robots(f"{site}/documents_sitemap.xml", f"{site}/sections_sitemap.xml"),
        "/": _nikkei_page(len(sections), stories=30, title="ミニチュア日経"),
        "/documents_sitemap.xml": urlset(site + path for path in _NIKKEI_DOCUMENTS),
        "/sections_sitemap.xml": _nikkei_sections_sitemap(site, now),
        **sections,
    }


def _nikkei_sections_sitemap(site: str, now: datetime) -> str:
    """Make 184 sections, 157 of them changed in the last 24 h, and three pages of service: 187 URLs."""
    service = ("/info/account/login/", "/info/company/privacy/", "/info/help/search/")
    fresh = [now - _DAY * (number + 0.5) / _NIKKEI_CHANGED for number in range(_NIKKEI_CHANGED)]
    dates = [*fresh, *(now - (3 + number) * _DAY for number in range(len(_NIKKEI_SECTIONS) + 3 - _NIKKEI_CHANGED))]
    paths = [*_NIKKEI_SECTIONS, *service]
    entries = [
        Article(url=site + path, modified=at.replace(microsecond=0)) for path, at in zip(paths, dates, strict=True)
    ]
    plain = urlset(entries)
    return plain.replace("<urlset ", '<urlset xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" ')


def _nikkei_section(number: int, _: Call) -> str:
    return _nikkei_page(number, stories=20, title=headline(number, "ja"))


def _nikkei_page(number: int, *, stories: int, title: str) -> str:
    """Make a page of 271 links on its own host: stories, five specials that look like them, and a long way around."""
    news = [f"/article/DGXZQOUC{number:03}{story:02}Q6A1C2000000/" for story in range(stories)]
    specials = [f"/special/{slug(number + special)}/" for special in range(5)]
    around = [*_NIKKEI_SECTIONS, *_NIKKEI_DOCUMENTS][: _NIKKEI_LINKS - len(news) - len(specials)]
    return page([*news, *specials, *around, "https://social.example/nikkei"], title=title, language="ja")


_NIKKEI_LINKS = 271


def apnews() -> Host:
    """Make a site whose robots.txt lets us in and whose front page does not."""
    site = "https://apnews.example"
    denied = Answer(status=403, body="<!doctype html><title>Access denied</title><p>Access denied.")
    return {"/robots.txt": robots(f"{site}/news-sitemap.xml"), "*": denied}


def reuters() -> Host:
    """Make a site whose robots.txt lets crawlers in by name and closes the root to all others."""
    named = "".join(f"User-agent: {name}\n" for name in ("Googlebot", "Bingbot", "Applebot", "archive.org_bot"))
    rules = f"{named}Disallow: /search/\n\nUser-agent: *\nDisallow: /\n\n"
    return {"/robots.txt": f"{rules}Sitemap: https://www.reuters.example/sitemap-index.xml\n", "/": page(["/world/"])}
