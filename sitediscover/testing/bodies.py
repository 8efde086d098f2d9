"""Small pages, feeds and sitemaps for a web in a dict. Pure."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sitediscover.model import Article

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


def page(
    links: Iterable[str] = (), *, feeds: Iterable[str] = (), title: str = "A page", language: str = "en", head: str = ""
) -> str:
    """Return a page of HTML.

    Args:
        links: what its links lead to.
        feeds: the RSS feeds it advertises.
        title: its title.
        language: its language.
        head: more HTML for its head, taken as it is.
    """
    head += "".join(f'<link rel="alternate" type="application/rss+xml" href="{escape(href)}">\n' for href in feeds)
    body = "".join(f'<li><a href="{escape(href)}">{escape(href.strip("/"))}</a>\n' for href in links)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>\n{head}</head>\n<body><ul>\n{body}</ul></body></html>\n"
    )


def feed(articles: Iterable[Article], *, title: str = "A feed") -> str:
    """Return an RSS 2.0 feed.

    Args:
        articles: its items, with what of title, date and summary they have.
        title: its title.
    """
    items = "".join(f"<item>{_rss_item(article)}</item>\n" for article in articles)
    return (
        f'<?xml version="1.0"?>\n<rss version="2.0"><channel><title>{escape(title)}</title>\n{items}</channel></rss>\n'
    )


def _rss_item(article: Article) -> str:
    published = article.published and f"{article.published:%a, %d %b %Y %H:%M:%S %z}"
    tags = (("title", article.title), ("link", article.url), ("pubDate", published), ("description", article.summary))
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in tags if text)


def urlset(entries: Iterable[str | Article], *, news: str | None = None) -> str:
    """Return a sitemap.

    Args:
        entries: addresses, or articles where `modified` is to become their lastmod.
        news: the publication's name, for a Google-News sitemap: titles, languages and dates are told too.
    """
    lines = "".join(f"<url>{_sitemap_entry(entry, news)}</url>\n" for entry in entries)
    namespace = f'xmlns="{_SITEMAPS}"' + (f' xmlns:news="{_NEWS}"' if news else "")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {namespace}>\n{lines}</urlset>\n'


_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_NEWS = "http://www.google.com/schemas/sitemap-news/0.9"


def _sitemap_entry(entry: str | Article, news: str | None) -> str:
    article = Article(url=entry) if isinstance(entry, str) else entry
    text = f"<loc>{escape(article.url)}</loc>" + _lastmod(article.modified)
    if news is None:
        return text
    dated = (
        f"<news:publication_date>{article.published.isoformat()}</news:publication_date>" if article.published else ""
    )
    return (
        f"{text}<news:news><news:publication><news:name>{escape(news)}</news:name>"
        f"<news:language>{escape(article.language or 'en')}</news:language></news:publication>"
        f"{dated}<news:title>{escape(article.title or '')}</news:title></news:news>"
    )


def _lastmod(moment: datetime | None) -> str:
    return f"<lastmod>{moment.isoformat()}</lastmod>" if moment else ""


def sitemap_index(children: Iterable[str | tuple[str, datetime]]) -> str:
    """Return a sitemap index.

    Args:
        children: the sitemaps' addresses, with their lastmod or without.
    """
    pairs = ((child, None) if isinstance(child, str) else child for child in children)
    lines = "".join(f"<sitemap><loc>{escape(url)}</loc>{_lastmod(at)}</sitemap>\n" for url, at in pairs)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_SITEMAPS}">\n{lines}</sitemapindex>\n'
