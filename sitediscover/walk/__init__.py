"""Through a site's sitemap tree: all its pages, or its news sitemaps only."""

from sitediscover.walk.model import LastmodTrust, SitemapReport, SitemapStatus, SitemapStub
from sitediscover.walk.names import WELL_KNOWN_NEWS, WELL_KNOWN_SITEMAPS
from sitediscover.walk.news import NewsSearch, find_news_sitemaps
from sitediscover.walk.sitemapwalk import SitemapWalk

__all__ = [
    "WELL_KNOWN_NEWS",
    "WELL_KNOWN_SITEMAPS",
    "LastmodTrust",
    "NewsSearch",
    "SitemapReport",
    "SitemapStatus",
    "SitemapStub",
    "SitemapWalk",
    "find_news_sitemaps",
]
