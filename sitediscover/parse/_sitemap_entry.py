"""One entry from the texts of its elements. Bad parts are left out; they never cost the entry."""

from __future__ import annotations

from dataclasses import field, fields, make_dataclass
from datetime import datetime
from functools import lru_cache

from sitediscover.dates import parse_date
from sitediscover.model import Alternate, NewsTags, Precision, SitemapEntry, SitemapImage, SitemapVideo
from sitediscover.parse._locations import ABSOLUTE, PLAIN_PATH, written_url
from sitediscover.urls import MAX_URL, origin_of, same_site

Texts = dict[str, str]


def _twin(kind: type) -> type:
    """Return a frozen dataclass's twin that is not frozen, with the same slots.

    A frozen one sets its fields by a call each: 3.2 us for an entry, a third of all the time a file takes. An instance
    of the twin is made, and turned into one of the frozen class, in 0.9 us.
    """
    parts = [(part.name, object, field(default=part.default)) for part in fields(kind)]
    return make_dataclass(f"_{kind.__name__}", parts, slots=True, kw_only=True)


_EntryTwin = _twin(SitemapEntry)
_NewsTwin = _twin(NewsTags)


class Parts:
    """What an entry has several of."""

    __slots__ = ("alternates", "images", "videos")

    def __init__(self) -> None:
        self.alternates: list[Alternate] = []
        self.images: list[SitemapImage] = []
        self.videos: list[SitemapVideo] = []


class Assembler:
    """Builds the entries of one file.

    Args:
        url: the file's final URL.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._home = f"{origin_of(url)}/"
        self._home_length = len(self._home)
        # One look at the list of public suffixes per host, not per address.
        self._is_elsewhere = lru_cache(1_024)(lambda origin: not same_site(url, origin))

    def page(self, texts: Texts, parts: Parts | None = None) -> SitemapEntry | None:
        """Return the entry of a `<url>` or a `<sitemap>`; None where it has no usable address."""
        # The usual case first, and at once: at home, with nothing but a date.
        url = texts.get("loc", "").strip()
        off_site = False
        if not (url.startswith(self._home) and len(url) < MAX_URL and PLAIN_PATH.fullmatch(url, self._home_length)):
            resolved = written_url(self._url, url)
            if resolved is None:
                return None
            url, off_site = resolved, self._off_site(resolved)
        lastmod = texts.get("lastmod", "").strip()
        modified, precision = _date(lastmod)
        if len(texts) == 2 and modified and not parts:  # noqa: PLR2004 - loc and lastmod
            entry: SitemapEntry = _EntryTwin(
                url=url, modified=modified, modified_precision=precision, sitemap=self._url, off_site=off_site
            )
            entry.__class__ = SitemapEntry
            return entry
        news = _news(texts, lastmod, modified)
        entry = _EntryTwin(
            url=url,
            modified=modified,
            modified_precision=precision,
            published=news.published if news else None,
            title=news.title if news else None,
            language=news.language if news else None,
            sitemap=self._url,
            off_site=off_site,
            news=news,
            **(_rare(texts, parts) if parts or texts.get("changefreq") or texts.get("priority") else _NOTHING),
        )
        entry.__class__ = SitemapEntry
        return entry

    def item(self, texts: Texts) -> SitemapEntry | None:
        """Return the entry of a feed's `<item>` or `<entry>`; None where it has no usable address."""
        # A link without rel is the story's own (RFC 4287, 4.2.7.2), before a declared alternate.
        found = (self.address(texts.get(name, "")) for name in ("link", "href", "alternate"))
        url = next(filter(None, found), None) or self._permalink(texts.get("guid", ""))
        if url is None:
            return None
        published, precision = _first_date(texts, "published", "date")
        modified, modified_precision = _date(texts.get("updated", ""))
        entry: SitemapEntry = _EntryTwin(
            url=url,
            # A story that tells one date only was last modified when it was published.
            modified=modified or published,
            modified_precision=modified_precision if modified else precision,
            published=published,
            title=_line(texts.get("title")),
            language=_line(texts.get("language")),
            sitemap=self._url,
            off_site=self._off_site(url),
        )
        entry.__class__ = SitemapEntry
        return entry

    def address(self, text: str) -> str | None:
        """Return the absolute URL that a text means, or None."""
        return written_url(self._url, text)

    def _permalink(self, guid: str) -> str | None:
        # Most of those that are no permalinks fail to say so: `post-123` is not an address relative to the feed's. What
        # is a whole address is the best there is where a story has no link, whatever isPermaLink says.
        return self.address(guid) if ABSOLUTE.match(guid.strip()) else None

    def _off_site(self, url: str) -> bool:
        return not url.startswith(self._home) and self._is_elsewhere(origin_of(url))


def image(url: str, texts: Texts) -> SitemapImage:
    """Return an image with its words."""
    return SitemapImage(url=url, title=_line(texts.get("title")), caption=_line(texts.get("caption")))


def video(texts: Texts, assembler: Assembler) -> SitemapVideo:
    """Return a video: its file, or else its player."""
    return SitemapVideo(
        url=assembler.address(texts.get("loc", "")) or assembler.address(texts.get("player", "")),
        thumbnail=assembler.address(texts.get("thumbnail", "")),
        title=_line(texts.get("title")),
        published=_date(texts.get("published", ""))[0],
    )


_NOTHING: dict[str, object] = {}


def _rare(texts: Texts, parts: Parts | None) -> dict[str, object]:
    """Return the fields that most entries lack: naming them for each costs a tenth of its time."""
    return {
        "alternates": tuple(parts.alternates) if parts else (),
        "images": tuple(parts.images) if parts else (),
        "videos": tuple(parts.videos) if parts else (),
        "changefreq": _word(texts.get("changefreq")),
        "priority": _word(texts.get("priority")),
    }


def _news(texts: Texts, lastmod: str, modified: datetime | None) -> NewsTags | None:
    """Return the news tags; their date often is the lastmod once more, as it was read."""
    title, date = _line(texts.get("news_title")), texts.get("news_date", "").strip()
    publication, language = _word(texts.get("news_publication")), _word(texts.get("news_language"))
    keywords = _line(texts.get("news_keywords"))
    if not (title or date or publication or language or keywords):
        return None
    tags: NewsTags = _NewsTwin(
        title=title,
        publication=publication,
        language=language,
        published=modified if date == lastmod else _date(date)[0],
        keywords=tuple(filter(None, (word.strip() for word in keywords.split(",")))) if keywords else (),
    )
    tags.__class__ = NewsTags
    return tags


def _line(text: str | None) -> str | None:
    """Return a text on one line, without CDATA marks that were escaped with it; None where there is nothing in it."""
    line = " ".join(text.split()) if text else ""
    if line.startswith("<![CDATA["):
        line = line.removeprefix("<![CDATA[").removesuffix("]]>").strip()
    return line or None


_word = lru_cache(256)(_line)
"""The same for what every entry of a file repeats."""


def _first_date(texts: Texts, *names: str) -> tuple[datetime | None, Precision | None]:
    read = (_date(texts.get(name, "")) for name in names)
    return next((found for found in read if found[0]), (None, None))


_SHORTEST_INSTANT = len("2024-01-01T00:00Z")


def _date(text: str) -> tuple[datetime | None, Precision | None]:
    # What nearly every sitemap writes goes straight to C: 0.5 us, where asking what else it might be costs 3 us.
    if len(text) >= _SHORTEST_INSTANT and text[10] == "T" and text[4] == "-" and text[:2] == "20":
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            return _other_date(text)
        if at.tzinfo is not None:
            return at, Precision.SECOND
    return _other_date(text)


# Other dates repeat: a day, or the second of a build that stamped all the pages of a site.
@lru_cache(2_048)
def _other_date(text: str) -> tuple[datetime | None, Precision | None]:
    moment = parse_date(text)
    return (moment.at, moment.precision) if moment else (None, None)
