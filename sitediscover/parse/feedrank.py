"""The order of the feeds of one page: one table of questions, the first that tells two feeds apart decides."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitediscover.parse.feedlinks import address_of
from sitediscover.urls import host_of, same_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitediscover.parse.feedlinks import FeedLink


class Setting(NamedTuple):
    """What the rank of a feed depends on beside itself."""

    page: str
    asked_path: str
    language: str | None


_NOWHERE = Setting(page="", asked_path="/", language=None)


class Rank(NamedTuple):
    """One question asked of every feed; lower answers go first, equal ones leave it to the next question."""

    name: str
    of: Callable[[FeedLink, Setting], int]


# Words for comments: by title in the languages of WordPress, Blogger and others, by address in those seen.
# 1,103 of 3,244 advertised feeds on 1,051 news pages are comment feeds (EVIDENCE.md); simplepie#215, wp-calypso#752.
# Stems where the language inflects.
_COMMENT_TITLE = re.compile(
    r"\bcomments?\b|\bcommentaires?\b|\bcomment[io]\b|\bcoment[aá]ri(?!st)|\bkom+ent[aāáä]+[rř]|\bkom+entt?[ei]"
    r"|\b(?:reactie|opmerking|yorum|iruzkin|athugasemd|hozzászólás|bình luận)|\bdiscussions?\b|\brepl(?:y|ies)\b"
    r"|коммент|коментар|каментар|σχ[οό]λ[ιί]|评论|評論|留言|迴響|コメント|댓글|תגוב|تعليق|دیدگاه|نظرات|टिप्पणी|ความ(?:คิด)?เห็น",
    re.IGNORECASE,
)
_COMMENT_ADDRESS = re.compile(
    r"(?<![a-z])(?:comm?ents?|commentaires?|comentarios?|kommentare?|kommentarer|reacties|yorumlar|komentarze|replies)(?![a-z])"
    r"|commentrss|rss[-_]?comments?"
)
_PODCAST_TITLE = re.compile(r"\bpodcasts?\b|подкаст|播客|ポッドキャスト|팟캐스트|\bhörspiel", re.IGNORECASE)
_PODCAST_ADDRESS = re.compile(r"(?<![a-z])(?:podcasts?|itunes|audio)(?![a-z])")
_PODCAST_HOST = re.compile(
    r"(?:^|\.)(?:anchor|libsyn|buzzsprout|podbean|simplecast|megaphone|acast|art19|transistor|captivate|podigee|spreaker"
    r"|omny|soundcloud|blubrry|fireside|redcircle|podcaster|audioboom)\.(?:fm|com|io|co|de|net)$"
)
_POST_ADDRESS = re.compile(r"/\d{4}/\d{1,2}/|[?&]p=\d|/(?:[^/?-]+-){3}[^/?]+/(?:feed|rss|atom)")
_TAXONOMY_ADDRESS = re.compile(
    r"/(?:category|categories|categor[iy]a|categorie|kategorie[n]?|cat|tags?|label|-|etiquetas?|etiquette|schlagwort"
    r"|topics?|thema|themen|tema|temas|theme|rubriky?|rubrique|author|authors|autor|auteur|autore|users?|people|profile)/[^/?]"
    r"|[?&](?:cat|tag|author|category|category_name|topic|s|q|search)=|/search[/?]"
)
# Words in a feed's address that say nothing about which part of the site it covers.
_WHOLE_SITE = re.compile(
    r"feeds?\d?|rss|rss20?|rdf|atom|xml|json|index|default|main|all|latest|recent|news|new|newest|newsfeed|full|complete"
    r"|home|homepage|top|toppage|front|frontpage|site|syndication|posts?|articles|stories|blog|summary|php|aspx?|www|\d"
)


def _is_comments(feed: FeedLink, _setting: Setting) -> int:
    return bool(_COMMENT_TITLE.search(feed.title or "") or _COMMENT_ADDRESS.search(address_of(feed.url)))


def _is_podcast(feed: FeedLink, _setting: Setting) -> int:
    named = _PODCAST_TITLE.search(feed.title or "") or _PODCAST_ADDRESS.search(address_of(feed.url))
    return bool(named or _PODCAST_HOST.search(host_of(feed.url)))


def _segments(path: str) -> list[str]:
    return [segment for segment in path.partition("?")[0].split("/") if segment]


def _shared(one: Iterable[str], other: Iterable[str]) -> int:
    """Count the leading segments that two paths have in common."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _under_asked_path(feed: FeedLink, setting: Setting) -> int:
    # NetNewsWire#5299: /blog advertises the master feed too.
    if not same_host(feed.url, setting.page):
        return 0
    return -_shared(_segments(unquote(setting.asked_path).lower()), _segments(address_of(feed.url)))


def _scope(feed: FeedLink, setting: Setting) -> int:
    """0 the whole site, 1 a part of it, 2 a category, tag or author, 3 one post."""
    path = address_of(feed.url)
    if _POST_ADDRESS.search(path):
        return 3
    if _TAXONOMY_ADDRESS.search(path):
        return 2
    if not same_host(feed.url, setting.page):
        return 0
    segments = _segments(path)
    own = segments[_shared(segments, _segments(address_of(setting.page))) :]
    return int(any(not _WHOLE_SITE.fullmatch(word) for segment in own for word in re.split(r"[-_.]+", segment) if word))


def _is_other_language(feed: FeedLink, setting: Setting) -> int:
    told = feed.language or _language_in(address_of(feed.url), address_of(setting.page))
    return bool(told and setting.language) and _primary(told) != _primary(setting.language)


def _primary(language: str | None) -> str:
    return re.split(r"[-_]", (language or "").lower())[0]


# Editions of countries; that some are languages too (Ukrainian, Catalan) matters less.
_COUNTRIES = frozenset({"at", "au", "br", "ca", "ch", "gb", "in", "nz", "uk", "us"})


def _language_in(path: str, page: str) -> str | None:
    """Return the language that an address names, where the page's own address does not name the same."""
    match = re.match(r"/([a-z]{2})(?:[-_][a-z]{2})?/", path) or re.search(
        r"[?&](?:lang|language|hl)=([a-z]{2})\b", path
    )
    return match[1] if match and match[1] not in _COUNTRIES and not page.startswith(match[0]) else None


def _is_uncertain(feed: FeedLink, _setting: Setting) -> int:
    return not feed.certain


def _is_json(feed: FeedLink, _setting: Setting) -> int:
    return "json" in (feed.media_type or "") or ".json" in address_of(feed.url)


RANKS: tuple[Rank, ...] = (
    Rank("comments last", _is_comments),
    Rank("under the asked path first", _under_asked_path),
    Rank("podcasts last", _is_podcast),
    Rank("the whole site before its parts, before one post", _scope),
    Rank("the page's language first", _is_other_language),
    Rank("RSS and Atom before JSON (NetNewsWire#4136, #4518: index.json is often a search index)", _is_json),
    Rank("declared ones before those that only look like it", _is_uncertain),
)
"""The order of feeds; what is equal in all of these stays as the page has it."""

# Feeds that follow something else than the site: of use only where it has nothing better.
_LESSER: tuple[tuple[str, Callable[[FeedLink], bool]], ...] = (
    ("comments", lambda feed: bool(_is_comments(feed, _NOWHERE))),
    ("podcast", lambda feed: bool(_is_podcast(feed, _NOWHERE))),
    ("post", lambda feed: bool(_POST_ADDRESS.search(address_of(feed.url)))),
)


def lesser(feed: FeedLink) -> str | None:
    """Return what a feed follows instead of the site: `comments`, `podcast`, `post`; None where it follows the site."""
    return next((name for name, holds in _LESSER if holds(feed)), None)


def ranked(feeds: Iterable[FeedLink], setting: Setting) -> tuple[FeedLink, ...]:
    """Return feeds best first, each address once (bridgy-fed#2255: one address under two types)."""
    unique: dict[str, FeedLink] = {}
    for feed in feeds:
        unique[feed.url] = _merged(unique[feed.url], feed) if feed.url in unique else feed
    return tuple(sorted(unique.values(), key=lambda feed: tuple(rank.of(feed, setting) for rank in RANKS)))


def _merged(first: FeedLink, again: FeedLink) -> FeedLink:
    """Return the first mention, with what only the other one tells."""
    kind = first if first.certain or not again.certain else again
    return replace(
        first,
        title=first.title or again.title,
        media_type=kind.media_type or first.media_type,
        language=first.language or again.language,
        certain=kind.certain,
    )
