"""Find how a web site can be followed: its feed, its news sitemap, its article sitemap, its sections, or a clear no."""

from sitediscover._version import __version__
from sitediscover.batch import discover_many
from sitediscover.discoverer import Discoverer, discover
from sitediscover.errors import InvalidSite, SitediscoverError
from sitediscover.fetch import Page, PoliteSession
from sitediscover.follow import follow
from sitediscover.model import (
    Article,
    Discovery,
    Evidence,
    Failure,
    Outcome,
    Request,
    Section,
    SitemapEntry,
    Source,
    SourceKind,
    Stop,
    StopReason,
)
from sitediscover.site import Site
from sitediscover.strategies import (
    CLASSIC_PATHS,
    DEFAULT_STRATEGIES,
    AlternateLink,
    ArchivedPages,
    CommonPaths,
    DiscoveryStrategy,
    Forecast,
    Registry,
    SectionPages,
    SitemapArticles,
    SitemapNews,
    register,
    registry,
)
from sitediscover.walk import SitemapWalk, find_news_sitemaps

__all__ = [
    "CLASSIC_PATHS",
    "DEFAULT_STRATEGIES",
    "AlternateLink",
    "ArchivedPages",
    "Article",
    "CommonPaths",
    "Discoverer",
    "Discovery",
    "DiscoveryStrategy",
    "Evidence",
    "Failure",
    "Forecast",
    "InvalidSite",
    "Outcome",
    "Page",
    "PoliteSession",
    "Registry",
    "Request",
    "Section",
    "SectionPages",
    "Site",
    "SitediscoverError",
    "SitemapArticles",
    "SitemapEntry",
    "SitemapNews",
    "SitemapWalk",
    "Source",
    "SourceKind",
    "Stop",
    "StopReason",
    "__version__",
    "discover",
    "discover_many",
    "find_news_sitemaps",
    "follow",
    "register",
    "registry",
]
