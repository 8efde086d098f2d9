"""Find how a web site can be followed: its feed, its news sitemap, its article sitemap, its sections, or a clear no.

Each name is imported from its module when it is first asked for: the import of the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sitediscover._version import __version__
from sitediscover.follow import follow

if TYPE_CHECKING:
    from sitediscover.batch import discover_many
    from sitediscover.discoverer import Discoverer, discover
    from sitediscover.errors import InvalidSite, SitediscoverError
    from sitediscover.fetch import Page, PoliteSession
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
    from sitediscover.watch import Watchlist

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
    "Watchlist",
    "__version__",
    "discover",
    "discover_many",
    "find_news_sitemaps",
    "follow",
    "register",
    "registry",
]

_NAMES = {
    "sitediscover.batch": ("discover_many",),
    "sitediscover.discoverer": (
        "Discoverer",
        "discover",
    ),
    "sitediscover.errors": (
        "InvalidSite",
        "SitediscoverError",
    ),
    "sitediscover.fetch": (
        "Page",
        "PoliteSession",
    ),
    "sitediscover.model": (
        "Article",
        "Discovery",
        "Evidence",
        "Failure",
        "Outcome",
        "Request",
        "Section",
        "SitemapEntry",
        "Source",
        "SourceKind",
        "Stop",
        "StopReason",
    ),
    "sitediscover.site": ("Site",),
    "sitediscover.strategies": (
        "CLASSIC_PATHS",
        "DEFAULT_STRATEGIES",
        "AlternateLink",
        "ArchivedPages",
        "CommonPaths",
        "DiscoveryStrategy",
        "Forecast",
        "Registry",
        "SectionPages",
        "SitemapArticles",
        "SitemapNews",
        "register",
        "registry",
    ),
    "sitediscover.walk": (
        "SitemapWalk",
        "find_news_sitemaps",
    ),
    "sitediscover.watch": ("Watchlist",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

if not TYPE_CHECKING:  # type checkers see the imports above

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
