"""Platforms whose feed follows from the address: no page is read, nothing is guessed. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitediscover.errors import InvalidUrl
from sitediscover.platform_rules import GROUPS, PLATFORMS, RESERVED
from sitediscover.urls import normalise_url

if TYPE_CHECKING:
    from sitediscover.platform_rules import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformFeed:
    """A feed that an address on a known platform has.

    Attributes:
        url: the feed's address.
        title: what it holds.
        platform: the platform's name.
    """

    url: str
    title: str
    platform: str


@lru_cache(maxsize=256)  # a discovery asks for one address several times
def platform_feeds(url: str) -> tuple[PlatformFeed, ...]:
    """Return the feeds that follow from an address on a known platform, best first.

    Args:
        url: an absolute http(s) address with its path; anything else has none.
    """
    try:
        parts = urlsplit(normalise_url(url))
    except InvalidUrl:
        return ()
    path = parts.path if len(parts.path) > 1 else ""
    host = re.sub(r"^(?:www|m|mobile|old|new|np)\.", "", parts.netloc)
    # A repository's address is also written as one clones it.
    subject = host + re.sub(r"\.git/?$", "", path) + (f"?{parts.query}" if parts.query else "")
    found = [feed for name, rules in PLATFORMS.items() for rule in rules if (feed := _feed(name, rule, subject))]
    # A project's own feed and that of its page of commits may be one: the first mention counts.
    return tuple({feed.url: feed for feed in found}.values())


def _feed(platform: str, rule: Rule, subject: str) -> PlatformFeed | None:
    match = _pattern(rule.address).match(subject)
    if not match:
        return None
    names = match.groupdict()
    named = {names.get(key, "").lower() for key in ("name", "owner", "member")}
    if not named.isdisjoint(RESERVED.get(platform, "").split()):
        return None
    return PlatformFeed(url="https://" + rule.feed.format(**names), title=rule.title.format(**names), platform=platform)


@cache
def _pattern(address: str) -> re.Pattern[str]:
    """Return a pattern for the start of host, path and query; each name ends with its segment."""
    text = re.sub(r"\\\{(\w+)\\\}", lambda name: f"(?P<{name[1]}>{GROUPS.get(name[1], '[^/?&]+')})", re.escape(address))
    # Other parameters may stand before the one that counts.
    return re.compile(text.replace(r"\?", r"\?(?:.*&)?") + r"(?=[/?&]|$)")
