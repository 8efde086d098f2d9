"""The tree of exceptions.

::

    SitediscoverError
    ├── InvalidUrl                  a text that is no http(s) URL
    │   └── InvalidSite             a text that cannot name a site
    ├── InvalidData                 plain data that does not describe what it should
    ├── MissingPackage              an optional package that is asked for and not installed
    ├── WatchError                  something that a Watchlist cannot do
    │   ├── HostIsBusy              a host that another worker is asking, or that is at rest
    │   ├── InvalidStore            a store that cannot be had: no such database, or a newer version's
    │   ├── NothingToFollow         a site that was searched in vain
    │   ├── StoreFailed             a database that cannot be opened, is full, or does not answer
    │   └── UnknownSource           a number that no watched source has
    ├── StrategyError               a strategy that cannot be had
    │   ├── UnknownStrategy
    │   └── DuplicateStrategy
    ├── SiteStopped                 a site that is not to be asked any more
    ├── EnoughFound                 a request that is not wanted: something was found already
    └── FetchError                  a request that was not made, or brought no answer
        ├── UnsupportedUrl          scheme, port or credentials that are never asked
        ├── BlockedAddress          a private or otherwise special address
        ├── RobotsDisallow          closed to us by robots.txt
        ├── RobotsUnreachable       robots.txt answered 5xx
        ├── RateLimited             429, now or a while ago
        ├── CrawlDelayTooLong       the site asks for more seconds between requests than we wait
        ├── BudgetSpent             the site's requests are used up
        ├── TooManyRedirects        a circle, or more hops than allowed
        ├── BadStatus               an answer that is none of what was asked for: 404, 500, ...
        ├── UnreadableSource        a document that is not what its source says it is
        └── Unreachable             no answer
            ├── NoConnection        DNS, refused, connect timeout
            ├── TlsFailure          certificate or handshake
            └── DeadlineExceeded    the answer did not end in time

Every error survives pickling: process pools send them back.
"""

from __future__ import annotations


class SitediscoverError(Exception):
    """Anything this library raises on purpose."""


class InvalidUrl(SitediscoverError, ValueError):
    """Raised for a text that is no http(s) URL with a valid host and port."""


class InvalidSite(InvalidUrl):
    """Raised for a text that cannot name a web site."""


class InvalidData(SitediscoverError, ValueError):
    """Raised for plain data (JSON) that does not describe the object asked for."""


class MissingPackage(SitediscoverError, ImportError):
    """Raised where an optional package is asked for and not installed."""


class WatchError(SitediscoverError):
    """Raised for something that a Watchlist cannot do."""


class HostIsBusy(WatchError):
    """Raised for a host that another worker of the store is asking just now, or that has asked for rest."""


class InvalidStore(WatchError, ValueError):
    """Raised for a store that cannot be had: no such database, or one that a newer version has written."""


class StoreFailed(WatchError):
    """Raised where a store's database cannot be opened, is full, or does not answer."""


class NothingToFollow(WatchError):
    """Raised for a site in which nothing was found that can be followed.

    Args:
        text: which, and why.
        reason: why the search was stopped: a StopReason's value; none where it came to its end.
    """

    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(text, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownSource(WatchError, LookupError):
    """Raised for a number that no watched source has."""


class StrategyError(SitediscoverError):
    """Raised for a strategy that cannot be had."""


class UnknownStrategy(StrategyError, LookupError):
    """Raised for a strategy name that nothing is registered under."""


class DuplicateStrategy(StrategyError):
    """Raised when a strategy name is registered twice."""


class SiteStopped(SitediscoverError):
    """Raised when a site is not to be asked any more.

    Args:
        reason: why: a StopReason's value.
        url: where it happened.
        detail: what happened, in words.
    """

    def __init__(self, reason: str, url: str, detail: str = "") -> None:
        super().__init__(reason, url, detail)
        self.reason = reason
        self.url = url
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.url}: {self.reason}" + (f": {self.detail}" if self.detail else "")


class EnoughFound(SitediscoverError):
    """Raised instead of a request once a source was found and no more are wanted."""


class FetchError(SitediscoverError):
    """Raised for a request that was not made or brought no answer.

    Args:
        url: the address that was to be asked.
        detail: what happened, in a few words.
    """

    def __init__(self, url: str, detail: str = "") -> None:
        super().__init__(url, detail)
        self.url = url
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.url}: {self.detail}" if self.detail else self.url


class UnsupportedUrl(FetchError):
    """Raised for a URL whose scheme, port or credentials we never use."""


class BlockedAddress(FetchError):
    """Raised for a host that is, or resolves to, an address that is not public."""


class RobotsDisallow(FetchError):
    """Raised for a URL that robots.txt closes to our product token."""


class RobotsUnreachable(FetchError):
    """Raised where robots.txt answered 5xx, which means stay out (RFC 9309, 2.3.1.4)."""


class RateLimited(FetchError):
    """Raised where the host has answered 429 and its time is not over.

    Args:
        url: the address that was to be asked.
        detail: what happened, in a few words.
        retry_after: seconds until the host may be asked again, where it said so.
    """

    def __init__(self, url: str, detail: str = "", retry_after: float | None = None) -> None:
        super().__init__(url, detail)
        self.args = (url, detail, retry_after)
        self.retry_after = retry_after


class CrawlDelayTooLong(FetchError):
    """Raised where Crawl-delay asks for a longer gap than we are ready to wait."""


class BudgetSpent(FetchError):
    """Raised when a site's budget of requests is used up."""


class TooManyRedirects(FetchError):
    """Raised for a circle of redirects, or more hops than allowed."""


class BadStatus(FetchError):
    """Raised for an answer whose status says that it is not what was asked for.

    Args:
        url: the address that was asked.
        detail: what happened, in a few words.
        status: the HTTP status.
    """

    def __init__(self, url: str, detail: str = "", status: int = 0) -> None:
        super().__init__(url, detail)
        self.args = (url, detail, status)
        self.status = status


class UnreadableSource(FetchError):
    """Raised for a document that is not what its source says it is."""


class Unreachable(FetchError):
    """Raised where no usable answer came."""


class NoConnection(Unreachable):
    """Raised where no connection could be made: DNS, refused, connect timeout."""


class TlsFailure(Unreachable):
    """Raised where the certificate or the handshake failed."""


class DeadlineExceeded(Unreachable):
    """Raised where the answer did not end in time."""
