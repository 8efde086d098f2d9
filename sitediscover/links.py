"""What a page's links tell: which lead to articles, which to sections. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitediscover.identity import once, without_tracking
from sitediscover.model import Article
from sitediscover.paths import Address
from sitediscover.shapes import dominant_segment, looks_like_article, looks_like_section
from sitediscover.urls import same_host
from sitediscover.words import MEDIA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sitediscover.parse.html import Link, PageLinks

DOMINANT_SHARE = 0.6
"""Share of article links, 0 to 1, that must share their first path segment for the others to be left out."""

# Landmarks that hold a site's furniture. Of 434 article-shaped links that stand in them on 111 publishers' front pages
# 67 are articles the site lists elsewhere; nearly all of those carry a headline as their text.
_FURNITURE = frozenset({"nav", "footer"})
_HEADLINE_CHARACTERS, _HEADLINE_WORDS = 40, 6
# Headlines without spaces between words: Chinese, Japanese, Korean.
_CJK_HEADLINE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_CHARACTERS = 16
_TRAILING_ID = re.compile(r"(\d{4,})\D{0,12}$")


def article_links(found: PageLinks, page_url: str, *, furniture: Collection[str] = ()) -> tuple[Article, ...]:
    """Return the articles that a page lists: same-host article-shaped links, each once.

    A link counts by its address, or by a text that can only be a headline; in a navigation or a footer only by both.
    Where at least 60 % of the article-shaped addresses share their first path segment, only those.

    Args:
        found: the page's links.
        page_url: the page's final address.
        furniture: what stands in the navigation of the site's other pages (`furniture_of`): no article.

    Returns:
        Articles in the order of the page; the longest of an address's texts is its title.
    """
    titles: dict[str, str] = {}
    for link in found.links:
        if same_host(link.url, page_url) and _leads_to_article(link) and furniture_id(link.url) not in furniture:
            url = without_tracking(link.url)
            titles[url] = max(titles.get(url, ""), link.text, key=len)
    segment = dominant_segment([url for url in titles if looks_like_article(url)], DOMINANT_SHARE)
    if segment is not None and segment.isdigit():
        segment = None  # a year: on the first of January the new stories would be left out
    articles = (
        Article(url=url, title=title or None, language=found.language, found_on=page_url)
        for url, title in titles.items()
        if segment is None or _first_segment(url) == segment
    )
    return once(articles, lambda article: article.url)


def furniture_of(found: PageLinks) -> frozenset[str]:
    """Return what stands in a page's navigation and footer, and is no headline.

    Systems that number everything give their sections ids too: a number seen here is no article's.

    Args:
        found: the page's links.
    """
    return frozenset(
        furniture_id(link.url) for link in found.links if link.place in _FURNITURE and not is_headline(link.text)
    )


def furniture_id(url: str) -> str:
    """Return what a page is known by in its site: the number its path ends with, else its path.

    Args:
        url: a normalised URL.
    """
    path = urlsplit(url).path
    number = _TRAILING_ID.search(path)
    return number[1] if number else path.rstrip("/")


def _leads_to_article(link: Link) -> bool:
    headline = is_headline(link.text)
    if Address(link.url).ending in MEDIA:
        return False  # a picture under its caption
    if looks_like_article(link.url):
        return headline or link.place not in _FURNITURE
    # A logo's text is as long as a headline: what it links is the site's root or a section at the first level.
    deep = urlsplit(link.url).path.strip("/").count("/") > 0 or "?" in link.url
    return headline and deep and link.place not in _FURNITURE


def is_headline(text: str) -> bool:
    """Say whether an anchor's text can only be a headline: 40 characters and six words, or 16 CJK characters."""
    if len(text) >= _HEADLINE_CHARACTERS and len(text.split()) >= _HEADLINE_WORDS:
        return True
    return len(_CJK_HEADLINE.findall(text)) >= _CJK_CHARACTERS


def _first_segment(url: str) -> str:
    return urlsplit(url).path.lstrip("/").partition("/")[0]


def section_links(found: PageLinks, page_url: str) -> tuple[Link, ...]:
    """Return the same-host section-shaped links of a page, each once, those in its navigation first.

    Args:
        found: the page's links.
        page_url: the page's final address.
    """
    unique: dict[str, Link] = {}
    for link in found.links:
        if same_host(link.url, page_url) and looks_like_section(link.url) and not is_headline(link.text):
            unique.setdefault(link.url.rstrip("/"), link)
    return tuple(sorted(unique.values(), key=lambda link: link.place not in ("nav", "header")))


# What sites call the page that lists all their sections, by its address or by the link's text.
_SITE_MAP_NAMES = (
    r"(?:html[- ]?)?site[-_ ]?map|sitemap\.html?",  # English, and as many use it
    r"plan[-_ ](?:du[-_ ]|de[-_ ])?site",  # French
    r"mapa[-_ ](?:del[-_ ]|do[-_ ])?s[i\u00ed]ti?o|mapa[-_ ]web",  # Spanish, Portuguese
    r"mapp?a[-_ ](?:del[-_ ])?sito|seiten\u00fcbersicht|inhaltsverzeichnis",  # Italian, German
    r"mapa[-_ ](?:strony|str\u00e1nek|serwisu)|peta[-_ ]situs",  # Polish, Czech, Indonesian
    r"site[-_ ]?haritas[i\u0131]|sivukartta|webbplats(?:karta|\u00f6versikt)|nettstedskart",  # Turkish, Nordic
    "\u043a\u0430\u0440\u0442\u0430[-_ ]\u0441\u0430\u0439\u0442\u0430",  # Russian
    "\u30b5\u30a4\u30c8\u30de\u30c3\u30d7|\uc0ac\uc774\ud2b8\ub9f5",  # Japanese, Korean
    "\u7f51\u7ad9\u5730\u56fe|\u7db2\u7ad9\u5730\u5716",  # Chinese
    "\u062e\u0631\u064a\u0637\u0629[-_ ]\u0627\u0644\u0645\u0648\u0642\u0639",  # Arabic
)
_SITE_MAP = re.compile("|".join(_SITE_MAP_NAMES), re.IGNORECASE)


def site_map_page(links: Iterable[Link], page_url: str) -> str | None:
    """Return the address of the HTML site map that a page links, or None.

    Args:
        links: the page's links.
        page_url: the page's final address.
    """
    for link in links:
        last = urlsplit(link.url).path.rstrip("/").rpartition("/")[2]
        named = _SITE_MAP.fullmatch(link.text.strip()) or _SITE_MAP.fullmatch(last.removesuffix(".html"))
        if named and same_host(link.url, page_url) and not last.endswith((".xml", ".gz")):
            return link.url
    return None
