"""What a sitemap lists, as users receive it; `sitediscover.model` hands it on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - serial reads the fields' types at run time
from enum import StrEnum


class Precision(StrEnum):
    """How much of a date its writer told."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternate:
    """The same page in another language (`xhtml:link rel="alternate" hreflang`)."""

    url: str
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsTags:
    """The Google-News tags of a sitemap entry."""

    title: str | None = None
    publication: str | None = None
    language: str | None = None
    published: datetime | None = None
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapImage:
    """An image that a sitemap entry names."""

    url: str
    title: str | None = None
    caption: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapVideo:
    """A video that a sitemap entry names."""

    url: str | None = None
    thumbnail: str | None = None
    title: str | None = None
    published: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapEntry:
    """One entry of a sitemap, a sitemap index or a feed that serves as a sitemap.

    Attributes:
        url: the absolute address.
        modified: the entry's lastmod; aware.
        modified_precision: how much of `modified` was told.
        published: news:publication_date, or a feed entry's date of publication; aware.
        title: the news title, or a feed entry's title.
        language: as the news tags tell it.
        alternates: the same page in other languages.
        sitemap: the file it was read from.
        off_site: it belongs to another registrable domain than its sitemap's site.
        news: the news tags, where there are any.
        images: as listed.
        videos: as listed.
        changefreq: as written.
        priority: as written.
    """

    url: str
    modified: datetime | None = None
    modified_precision: Precision | None = None
    published: datetime | None = None
    title: str | None = None
    language: str | None = None
    alternates: tuple[Alternate, ...] = ()
    sitemap: str | None = None
    off_site: bool = False
    news: NewsTags | None = None
    images: tuple[SitemapImage, ...] = ()
    videos: tuple[SitemapVideo, ...] = ()
    changefreq: str | None = None
    priority: str | None = None
