"""What an answer's body says, before the store is asked anything. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from sitediscover.model import SitemapEntry, SourceKind
from sitediscover.reading import read_document
from sitediscover.shapes import looks_like_section
from sitediscover.urls import same_site
from sitediscover.watch.schedule import cache_hint, usable_date
from sitediscover.watch.verdict import Trouble, Verdict

if TYPE_CHECKING:
    from sitediscover.reading import Reading
    from sitediscover.watch.schema import Watched
    from sitediscover.watch.verdict import Answer

MAX_SITEMAP = 50 * 2**20
"""Most bytes of a sitemap that are read, gzip of its own taken off while it is parsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What a document brought.

    Attributes:
        reading: as it was read; None where it is the same as the last time.
        listing: the documents that it lists, where it is an index or a sections sitemap.
        whole: it was read to its end.
        hint: seconds that the site asks to wait.
        etag: to be sent back.
        last_modified: to be sent back, where it can be.
        body_hash: of the body.
    """

    reading: Reading | None
    listing: tuple[SitemapEntry, ...] | None
    whole: bool
    hint: float | None
    etag: str | None
    last_modified: str | None
    body_hash: bytes


def read_answer(row: Watched, answer: Answer, now: float) -> tuple[Verdict, Brought | None]:
    """Read a body, unless it is the one that was read the last time.

    Args:
        row: the source.
        answer: a 200.
        now: seconds since 1970.

    Returns:
        A verdict, and what was read; None where there is nothing to read.
    """
    body_hash = blake2b(answer.body, digest_size=16).digest()
    same = body_hash == row.body_hash and not answer.truncated
    listing, reading = (None, None) if same else _read(row, answer)
    if reading is not None and not reading.readable and not answer.body.strip():
        return Verdict(trouble=Trouble.BROKEN, note="an empty body"), None
    if reading is not None and not reading.readable:
        return Verdict(trouble=Trouble.NOT_ITSELF, note=f"not a {row.kind}: {reading.error or ''}"[:200]), None
    hints = [hint for hint in (reading and reading.refresh, cache_hint(answer.headers, now)) if hint]
    last_modified = answer.headers.get("Last-Modified")
    brought = Brought(
        reading=reading,
        listing=listing,
        whole=not (answer.truncated or (reading is not None and (reading.truncated or reading.capped))),
        hint=max(hints, default=None),
        etag=answer.headers.get("ETag"),
        last_modified=last_modified if usable_date(last_modified, now) else None,
        body_hash=body_hash,
    )
    return Verdict(trouble=Trouble.NONE, note="the same body" if same else ""), brought


def _read(row: Watched, answer: Answer) -> tuple[tuple[SitemapEntry, ...] | None, Reading]:
    content_type = answer.headers.get("Content-Type")
    if row.kind is SourceKind.SECTIONS and row.parent_id is None:
        # Its address may be a sections sitemap or a page: a page is no sitemap.
        reading = read_document(SourceKind.ARTICLE_SITEMAP, answer.body, answer.url)
        if reading.readable and reading.articles:
            return _sections(row, reading), reading
    reading = read_document(row.kind, answer.body, answer.url, content_type=content_type)
    if not reading.children:
        return None, reading
    own = tuple(child for child in reading.children if _own(row, child.url))
    return own, replace(reading, articles=())


def _sections(row: Watched, reading: Reading) -> tuple[SitemapEntry, ...]:
    return tuple(
        SitemapEntry(url=entry.url, modified=entry.modified)
        for entry in reading.articles
        if looks_like_section(entry.url) and _own(row, entry.url)
    )


def _own(row: Watched, url: str) -> bool:
    return same_site(url, row.url) or same_site(url, f"https://{row.site}")
