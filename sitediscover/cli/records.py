"""What only the command line writes: answers that no other part of the library gives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsAnswer:
    """What a robots.txt says about one address.

    Attributes:
        site: the origin whose robots.txt was read.
        url: the address in question.
        token: the product token that the rules were chosen by.
        allowed: it may be asked for.
        rule: the rule that decides, percent-encoded; null where none does.
        reason: why, in words.
        crawl_delay: seconds that it asks to be left between two requests.
        sitemaps: the sitemaps it names.
    """

    site: str
    url: str
    token: str
    allowed: bool
    rule: str | None
    reason: str
    crawl_delay: float | None
    sitemaps: tuple[str, ...]
