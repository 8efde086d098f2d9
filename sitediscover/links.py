"""What a page's links tell: which lead to articles, which to sections. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitediscover.identity import once, without_tracking
from sitediscover.model import Article
from sitediscover.shapes import dominant_segment, looks_like_article, looks_like_section
from sitediscover.urls import same_host

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitediscover.parse.html import Link, PageLinks

DOMINANT_SHARE = 0.6
"""Share of article links, 0 to 1, that must share their first path segment for the others to be left out."""

# Where a text is no headline, however long it is.
_NO_HEADLINES = frozenset({"nav", "header", "footer"})
_HEADLINE_CHARACTERS, _HEADLINE_WORDS = 40, 6
# Headlines without spaces between words: Chinese, Japanese, Korean.
_CJK_HEADLINE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_CHARACTERS = 16


def article_links(found: PageLinks, page_url: str) -> tuple[Article, ...]:
    """Return the articles that a page lists: same-host article-shaped links, each once.

    A link counts by its address, or by a text that can only be a headline. Where at least 60 % of the article-shaped
    addresses share their first path segment, only those.

    Args:
        found: the page's links.
        page_url: the page's final address.

    Returns:
        Articles in the order of the page; the longest of an address's texts is its title.
    """
    titles: dict[str, str] = {}
    for link in found.links:
        if same_host(link.url, page_url) and _leads_to_article(link):
            url = without_tracking(link.url)
            titles[url] = max(titles.get(url, ""), link.text, key=len)
    segment = dominant_segment([url for url in titles if looks_like_article(url)], DOMINANT_SHARE)
    articles = (
        Article(url=url, title=title or None, language=found.language, found_on=page_url)
        for url, title in titles.items()
        if segment is None or _first_segment(url) == segment
    )
    return once(articles, lambda article: article.url)


def _leads_to_article(link: Link) -> bool:
    if looks_like_article(link.url):
        return True
    return link.place not in _NO_HEADLINES and is_headline(link.text) and urlsplit(link.url).path not in ("", "/")


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
