"""Which entries of a document are new. Pure: what the store remembers is asked through a function.

An address decides first. A guid is a second name for it, never when a document repeats it, when it is no identifier at
all (a position, a counter, the site itself), for what is dated after all that was read before, or once the source has
renumbered its guids (miniflux#4197, #3186). A title never decides.

What was stored for delivery is known to the whole site. What was only noted (a first reading, what a filter leaves out,
what waits for approval) is known to its own tree alone: it is no reason for another source to keep it back.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from sitediscover.errors import InvalidUrl
from sitediscover.identity import article_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitediscover.parse.entries import FeedEntry

LONG_GUID = 16
"""Characters from which a guid that is no URI (no `tag:`, `urn:`, `https:`) can be taken for unique."""

EVIDENCE = 3
"""Articles of one document that must be known under the other form of their address for the two forms to be one."""

EVIDENCE_SHARE = 0.5
"""Share of the document, 0 to 1, that these must be."""

_SAMPLE = 100
"""New articles whose other forms are looked for first: of a document that has changed its form, some of these have."""

_SITE = re.compile(r"https?://[^/?#]*/?")


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry and what it is known by: to the site; where it was only noted, to trees; by its guid."""

    entry: FeedEntry
    fingerprint: bytes
    noted: tuple[bytes, ...]
    guid: bytes | None

    @property
    def names(self) -> tuple[bytes, ...]:
        """Return what its address may be remembered by."""
        return (self.fingerprint, *self.noted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A document's entries told apart.

    Attributes:
        listed: all of them.
        new: those that are not known.
        known: fingerprints of the others' addresses that were found, and those of addresses that are new forms of one.
        guids: what the guids stand for.
        renumbered: its guids cannot be relied on.
    """

    listed: tuple[Listed, ...]
    new: tuple[Listed, ...]
    known: Sequence[bytes]
    guids: Mapping[bytes, bytes]
    renumbered: bool

    def names(self, stored: Iterable[Listed]) -> dict[bytes, bytes | None]:
        """Return every fingerprint to remember, and what a guid stands for.

        Args:
            stored: the new ones that are to be delivered: these are known to the whole site.
        """
        wide = {each.fingerprint for each in stored}
        new = (each.fingerprint if each.fingerprint in wide else each.noted[0] for each in self.new)
        return {**self.guids, **dict.fromkeys(self.known), **dict.fromkeys(new)}


def fingerprint(url: str) -> bytes:
    """Return the 16 bytes that an address is remembered by.

    Args:
        url: an http(s) URL.
    """
    return _digest(article_key(url))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Who reads, and what it has read before.

    Attributes:
        source: its number: its guids mean nothing elsewhere.
        trees: the number of the source that stands above all others of its tree, then those that it has replaced.
        guids: whether its guids have been reliable so far.
        newest: the newest date that it listed before, seconds since 1970.
        ahead: seconds since 1970 from which on a date proves nothing.
    """

    source: int
    trees: tuple[int, ...]
    guids: bool = True
    newest: float | None = None
    ahead: float = float("inf")


def tell_apart(
    entries: Sequence[FeedEntry], scope: Scope, lookup: Callable[[Iterable[bytes]], Mapping[bytes, bytes | None]]
) -> Apart:
    """Tell new entries from known ones.

    Args:
        entries: a document's, each address once.
        scope: who lists them.
        lookup: gives those of some fingerprints that are remembered, and what they stand for.
    """
    listed = _names(entries, scope)
    known = lookup(name for each in listed for name in (*each.names, each.guid) if name)
    renumbered = _renumbered(listed, known)
    if renumbered:
        listed = tuple(Listed(each.entry, each.fingerprint, each.noted, None) for each in listed)
    there = [name for each in listed for name in each.names if name in known]
    unknown = [each for each in listed if known.keys().isdisjoint(each.names)]
    new = [each for each in unknown if each.guid not in known or _is_later(each.entry, scope)]
    if new:
        twins = _twins(listed, new, scope, lookup)
        new = [each for each in new if each.fingerprint not in twins]
    told = {each.fingerprint for each in new}
    return Apart(
        listed=listed,
        new=tuple(new),
        known=(*there, *(each.fingerprint for each in unknown if each.fingerprint not in told)),
        guids={each.guid: each.fingerprint for each in listed if each.guid},
        renumbered=renumbered,
    )


def _is_later(entry: FeedEntry, scope: Scope) -> bool:
    """Say whether an entry is dated after all that was read before: its guid was another's, it cannot have moved."""
    if scope.newest is None or entry.published is None:
        return False
    return scope.newest < entry.published.timestamp() < scope.ahead


def _noted(key: str, scope: Scope) -> tuple[bytes, ...]:
    return tuple(_digest(f"{tree}\n{key}") for tree in scope.trees)


def _names(entries: Sequence[FeedEntry], scope: Scope) -> tuple[Listed, ...]:
    often = Counter(entry.guid for entry in entries)
    unique: dict[bytes, Listed] = {}
    for entry in entries:
        try:
            key = article_key(entry.url)
        except InvalidUrl:
            continue
        guid = entry.guid if scope.guids and often[entry.guid] == 1 else None
        name = _digest(f"{scope.source}\0{guid}") if guid and _unique(guid) else None
        own = _digest(key)
        unique.setdefault(own, Listed(entry, own, _noted(key, scope), name))
    return tuple(unique.values())


def _unique(guid: str) -> bool:
    return (":" in guid or len(guid) >= LONG_GUID) and not _SITE.fullmatch(guid)


def _renumbered(listed: Iterable[Listed], known: Mapping[bytes, bytes | None]) -> bool:
    """Say whether a guid stands for another article of this document, or for another one than it did."""
    here = {each.fingerprint for each in listed}
    for each in listed:
        before = known.get(each.guid) if each.guid else None
        if before is None or before == each.fingerprint:
            continue
        if before in here or not known.keys().isdisjoint(each.names):
            return True
    return False


# The forms that a site changes on all its addresses at once.
def _slash(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path.rstrip("/") if parts.path.endswith("/") else parts.path + "/"
    return urlunsplit(parts._replace(path=path or "/"))


def _scheme(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{'http' if scheme == 'https' else 'https'}://{rest}"


def _www(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.removeprefix('www.') if rest.startswith('www.') else f'www.{rest}'}"


def _form(*changes: Callable[[str], str]) -> Callable[[str], str]:
    def changed(url: str) -> str:
        for change in changes:
            url = change(url)
        return url

    return changed


_CHANGES = (_slash, _scheme, _www)
# Each alone first: a site that moves often changes two at once, rarely all.
_FORMS = tuple(_form(*chosen) for count in (1, 2, 3) for chosen in combinations(_CHANGES, count))


def _twins(
    listed: Sequence[Listed],
    new: Sequence[Listed],
    scope: Scope,
    lookup: Callable[[Iterable[bytes]], Mapping[bytes, bytes | None]],
) -> set[bytes]:
    """Return the new ones that are known under another form of their address, where the document proves the form."""
    found: set[bytes] = set()

    def names(key: str, form: Callable[[str], str]) -> tuple[bytes, ...]:
        other = form(key)
        return (_digest(other), *_noted(other, scope))

    # Nearly always there is nothing: one question tells.
    few = [article_key(each.entry.url) for each in new[:: len(new) // _SAMPLE + 1]]
    if not lookup(name for key in few for form in _FORMS for name in names(key, form)):
        return found
    keys = {each.fingerprint: article_key(each.entry.url) for each in listed}
    for form in _FORMS:
        others = {own: names(key, form) for own, key in keys.items()}
        known = lookup(name for other in others.values() for name in other)
        proven = {own for own, other in others.items() if not known.keys().isdisjoint(other)}
        if len(proven) >= max(EVIDENCE, EVIDENCE_SHARE * len(listed)):
            found |= proven
    return found
