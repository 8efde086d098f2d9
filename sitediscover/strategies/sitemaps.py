"""News and article sitemaps: what the shared survey judged useful."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover.judge import newest_first, says_news
from sitediscover.model import Article, Source, SourceKind
from sitediscover.strategies.base import Forecast
from sitediscover.strategies.forecasts import NEWS_NAMED, OTHER_NAMED, UNNAMED_SITEMAP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitediscover.model import SitemapEntry
    from sitediscover.site import Site
    from sitediscover.survey import SurveyedSitemap

NEWS = (SourceKind.NEWS_SITEMAP, SourceKind.FEED)
ARTICLES = (SourceKind.ARTICLE_SITEMAP,)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapNews:
    """Yield the site's news sitemap, and a feed that is named in a Sitemap line."""

    name: str = "sitemap-news"

    def discover(self, site: Site) -> Iterator[Source]:
        """Read the survey on to its first useful file; yield it where it holds news."""
        return _sources(site, self.name, NEWS)

    def steps(self, site: Site) -> Iterator[Source | None]:
        """Yield what `discover` does, with a pause after each file of no use."""
        return _steps(site, self.name, NEWS)

    def forecast(self, site: Site) -> Forecast:
        """Return the chances of the next file by its name."""
        return _forecast(site, NEWS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapArticles:
    """Yield the site's article sitemap with dates."""

    name: str = "sitemap-articles"

    def discover(self, site: Site) -> Iterator[Source]:
        """Read the survey on to its first useful file; yield it where it holds dated articles."""
        return _sources(site, self.name, ARTICLES)

    def steps(self, site: Site) -> Iterator[Source | None]:
        """Yield what `discover` does, with a pause after each file of no use."""
        return _steps(site, self.name, ARTICLES)

    def forecast(self, site: Site) -> Forecast:
        """Return the chances of the next file by its name."""
        return _forecast(site, ARTICLES)


def _steps(site: Site, strategy: str, kinds: tuple[SourceKind, ...]) -> Iterator[Source | None]:
    survey = site.survey if site.thorough else site.survey.until_useful()
    for found in survey:
        source = source_of(found, strategy, language=site.front_page.language) if found.kind in kinds else None
        if source is not None and found.last_resort:
            site.keep(source)
        yield None if found.last_resort else source


def _sources(site: Site, strategy: str, kinds: tuple[SourceKind, ...]) -> Iterator[Source]:
    return (found for found in _steps(site, strategy, kinds) if found is not None)


def source_of(found: SurveyedSitemap, strategy: str, *, language: str | None) -> Source:
    """Return a judged sitemap as a source that carries the articles already read."""
    news = [entry.news for entry in found.entries if entry.news is not None]
    return Source(
        kind=found.kind or SourceKind.ARTICLE_SITEMAP,
        url=found.url,
        title=next((tags.publication for tags in news if tags.publication), None),
        found_by=strategy,
        found_on=found.found_on,
        language=next((tags.language for tags in news if tags.language), language),
        articles=_articles(found),
        siblings=found.siblings,
        evidence=found.evidence,
    )


def _articles(found: SurveyedSitemap) -> tuple[Article, ...]:
    """Each address once, newest first where dates are told."""
    unique: dict[str, SitemapEntry] = {}
    for entry in found.entries:
        unique.setdefault(entry.url, entry)
    return tuple(
        Article(
            url=entry.url,
            title=entry.title,
            published=entry.published,
            modified=entry.modified,
            language=entry.language,
            found_on=found.url,
        )
        for entry in newest_first(unique.values())
    )


def _forecast(site: Site, kinds: tuple[SourceKind, ...]) -> Forecast:
    survey = site.survey
    if survey.useful is not None:
        return Forecast(chance=float(survey.useful.kind in kinds), requests=0.0)
    if not survey.unread:
        return Forecast(chance=0.0, requests=1.0)
    if survey.found_on is None:
        return UNNAMED_SITEMAP
    return NEWS_NAMED if says_news(survey.unread[0]) else OTHER_NAMED
