"""Sections: pages that list articles, where a site offers nothing better to follow."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from sitediscover.errors import FetchError
from sitediscover.links import article_links, furniture_of, section_links, site_map_page
from sitediscover.model import Article, Evidence, Section, Source, SourceKind
from sitediscover.parse.html import parse_page
from sitediscover.shapes import looks_like_section
from sitediscover.strategies.forecasts import SECTIONS, SECTIONS_SITEMAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitediscover.parse.html import PageLinks
    from sitediscover.site import Site
    from sitediscover.strategies.base import Forecast
    from sitediscover.survey import SurveyedSitemap

MIN_ARTICLES = 3
"""Article links that a page must hold to be a section: one or two may be a promotion."""

MAX_PROOFS = 3
"""Section pages asked, one at a time, until one holds article links."""

FEW_SECTIONS = 3
"""Sections on the front page below which its HTML site map is worth a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionPages:
    """Yield the site's sections once one of them has proved to hold article links.

    The sections are those of a sections sitemap, with their lastmod; else those that the front page, or the HTML site
    map that it links, names. The front page joins them where it holds article links itself.
    """

    name: str = "section-pages"

    def discover(self, site: Site) -> Iterator[Source]:
        """Yield one source that carries all sections, and the articles already seen."""
        for _ in site.survey if site.thorough else site.survey.until_useful():
            pass
        listed = next((found for found in site.survey.seen if found.kind is SourceKind.SECTIONS), None)
        sections = self._from_sitemap(site, listed) if listed else self._from_pages(site)
        front = site.front_page
        own = _enough(article_links(front.found, front.url))
        proven = self._prove(site, sections)
        if not proven:
            sections = ()
        if own:
            sections = (*sections, Section(url=front.url, title=front.title))
        if sections:
            yield Source(
                kind=SourceKind.SECTIONS,
                url=listed.url if listed else front.url,
                title=front.title,
                found_by=self.name,
                found_on=listed.found_on if listed else front.url,
                language=front.language,
                articles=_once((*proven, *own)),
                sections=sections,
                siblings=listed.siblings if listed else (),
                evidence=listed.evidence if listed else Evidence(count=len(sections)),
            )

    def forecast(self, site: Site) -> Forecast:
        """Return good chances once a sections sitemap was read, small ones before all else is spent."""
        useful = site.survey.useful
        return SECTIONS_SITEMAP if useful is not None and useful.kind is SourceKind.SECTIONS else SECTIONS

    def _from_sitemap(self, site: Site, listed: SurveyedSitemap) -> tuple[Section, ...]:
        unique = {entry.url: entry for entry in listed.entries if looks_like_section(entry.url)}
        return tuple(
            Section(url=entry.url, title=entry.title, modified=entry.modified)
            for entry in unique.values()
            if site.allowed(entry.url, strategy=self.name)
        )

    def _from_pages(self, site: Site) -> tuple[Section, ...]:
        front = site.front_page
        sections = self._linked(site, front.found, front.url)
        listing = site_map_page(front.links, front.url)
        if len(sections) < FEW_SECTIONS and listing is not None and site.allowed(listing):
            page = self._read(site, listing)
            if page is not None:
                sections = (*sections, *self._linked(site, page, listing))
        unique = {section.url: section for section in reversed(sections)}
        return tuple(reversed(unique.values()))

    def _linked(self, site: Site, found: PageLinks, url: str) -> tuple[Section, ...]:
        return tuple(
            Section(url=link.url, title=link.text or None)
            for link in section_links(found, url)
            if link.url != site.front_page.url and site.allowed(link.url, strategy=self.name)
        )

    def _prove(self, site: Site, sections: tuple[Section, ...]) -> tuple[Article, ...]:
        """Return the articles of the first section that holds enough of them; none where none does."""
        furniture = furniture_of(site.front_page.found)
        for section in _likeliest_first(sections)[:MAX_PROOFS]:
            found = self._read(site, section.url)
            if found is not None:
                articles = _enough(article_links(found, section.url, furniture=furniture))
                if articles:
                    return articles
        return ()

    def _read(self, site: Site, url: str) -> PageLinks | None:
        try:
            page = site.get(url, step=self.name)
        except FetchError as error:
            site.fail(self.name, url, error)
            return None
        if page.status != HTTPStatus.OK:
            site.fail(self.name, url, f"HTTP {page.status}")
            return None
        return parse_page(page.body, page.final_url, page.charset)


def _enough(articles: tuple[Article, ...]) -> tuple[Article, ...]:
    return articles if len(articles) >= MIN_ARTICLES else ()


def _likeliest_first(sections: tuple[Section, ...]) -> list[Section]:
    """Sections that moved last go first; else their order stands."""
    return sorted(sections, key=lambda section: section.modified.timestamp() if section.modified else 0.0, reverse=True)


def _once(articles: Iterable[Article]) -> tuple[Article, ...]:
    unique: dict[str, Article] = {}
    for article in articles:
        unique.setdefault(article.url, article)
    return tuple(unique.values())
