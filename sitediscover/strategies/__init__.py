"""The ways of finding something to follow."""

from sitediscover.strategies.alternate_link import AlternateLink
from sitediscover.strategies.archived_pages import ArchivedPages
from sitediscover.strategies.base import DiscoveryStrategy, Forecast, Forecasting, Stepwise
from sitediscover.strategies.common_paths import CommonPaths
from sitediscover.strategies.guesses import CLASSIC_PATHS
from sitediscover.strategies.registration import FunctionStrategy, Registry
from sitediscover.strategies.section_pages import SectionPages
from sitediscover.strategies.sitemaps import SitemapArticles, SitemapNews

__all__ = [
    "CLASSIC_PATHS",
    "DEFAULT_STRATEGIES",
    "AlternateLink",
    "ArchivedPages",
    "CommonPaths",
    "DiscoveryStrategy",
    "Forecast",
    "Forecasting",
    "FunctionStrategy",
    "Registry",
    "SectionPages",
    "SitemapArticles",
    "SitemapNews",
    "Stepwise",
    "register",
    "registry",
]

DEFAULT_STRATEGIES: tuple[DiscoveryStrategy, ...] = (
    AlternateLink(),
    CommonPaths(),
    SitemapNews(),
    SitemapArticles(),
    SectionPages(),
)
"""The built-in strategies in their order."""

registry = Registry()
"""The registry that names are looked up in."""

register = registry.register

for _strategy in DEFAULT_STRATEGIES:
    register(_strategy.name, _strategy)

# Opt-in: it asks a third party, so it runs only where it is named.
register(ArchivedPages().name, ArchivedPages)
