"""Which entries of a document are new. Pure: what the store remembers is asked through a function.

An address decides first. A guid is a second name for it, never when a document repeats it, when it is no identifier at
all (a position, a counter), or once the source has renumbered its guids (miniflux#4197, #3186). A title never decides.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
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


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry and what it is known by."""

    entry: FeedEntry
    fingerprint: bytes
    guid: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A document's entries told apart.

    Attributes:
        listed: all of them.
        new: those that are not known.
        names: every fingerprint to remember, and what a guid stands for.
        renumbered: its guids cannot be relied on.
    """

    listed: tuple[Listed, ...]
    new: tuple[Listed, ...]
    names: Mapping[bytes, bytes | None]
    renumbered: bool


def fingerprint(url: str) -> bytes:
    """Return the 16 bytes that an address is remembered by.

    Args:
        url: an http(s) URL.
    """
    return _digest(article_key(url))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def tell_apart(
    entries: Sequence[FeedEntry],
    *,
    scope: int,
    guids: bool,
    lookup: Callable[[Iterable[bytes]], Mapping[bytes, bytes | None]],
) -> Apart:
    """Tell new entries from known ones.

    Args:
        entries: a document's, each address once.
        scope: the number of the source: its guids mean nothing elsewhere.
        guids: whether its guids have been reliable so far.
        lookup: gives those of some fingerprints that are remembered, and what they stand for.
    """
    listed = _names(entries, scope, guids=guids)
    known = lookup([each.fingerprint for each in listed] + [each.guid for each in listed if each.guid])
    renumbered = _renumbered(listed, known)
    if renumbered:
        listed = tuple(Listed(each.entry, each.fingerprint, None) for each in listed)
    new = [each for each in listed if each.fingerprint not in known and each.guid not in known]
    if new:
        twins = _twins(listed, new, lookup)
        new = [each for each in new if each.fingerprint not in twins]
    names: dict[bytes, bytes | None] = {each.guid: each.fingerprint for each in listed if each.guid}
    names.update(dict.fromkeys((each.fingerprint for each in listed), None))
    return Apart(listed=listed, new=tuple(new), names=names, renumbered=renumbered)


def _names(entries: Sequence[FeedEntry], scope: int, *, guids: bool) -> tuple[Listed, ...]:
    often = Counter(entry.guid for entry in entries)
    unique: dict[bytes, Listed] = {}
    for entry in entries:
        try:
            own = fingerprint(entry.url)
        except InvalidUrl:
            continue
        guid = entry.guid if guids and often[entry.guid] == 1 else None
        unique.setdefault(own, Listed(entry, own, _digest(f"{scope}\0{guid}") if guid and _unique(guid) else None))
    return tuple(unique.values())


def _unique(guid: str) -> bool:
    return ":" in guid or len(guid) >= LONG_GUID


def _renumbered(listed: Iterable[Listed], known: Mapping[bytes, bytes | None]) -> bool:
    """Say whether a guid stands for another article of this document, or for another one than it did."""
    here = {each.fingerprint for each in listed}
    for each in listed:
        before = known.get(each.guid) if each.guid else None
        if before is not None and before != each.fingerprint and (before in here or each.fingerprint in known):
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


_FORMS = (_slash, _scheme, _www, lambda url: _scheme(_www(url)))


def _twins(
    listed: Sequence[Listed],
    new: Sequence[Listed],
    lookup: Callable[[Iterable[bytes]], Mapping[bytes, bytes | None]],
) -> set[bytes]:
    """Return the new ones that are known under another form of their address, where the document proves the form."""
    keys = {each.fingerprint: article_key(each.entry.url) for each in listed}
    found: set[bytes] = set()
    # Nearly always there is nothing: one question for all forms of the new ones tells.
    if not lookup(_digest(form(keys[each.fingerprint])) for each in new for form in _FORMS):
        return found
    for form in _FORMS:
        others = {own: _digest(form(key)) for own, key in keys.items()}
        known = lookup(others.values())
        proven = {own for own, other in others.items() if other in known}
        if len(proven) >= max(EVIDENCE, EVIDENCE_SHARE * len(listed)):
            found |= proven
    return found
