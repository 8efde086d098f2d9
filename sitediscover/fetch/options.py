"""What a session is told: checked once, when it is made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from sitediscover._version import __version__

DEFAULT_USER_AGENT = f"sitediscover/{__version__} (+https://pypi.org/project/sitediscover/)"

_LONGEST = 24 * 3600.0
_TOKEN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_PRODUCT = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]*)(?:/[^\s;()]*)?")
_COMPATIBLE = re.compile(r"\bcompatible\s*;\s*([A-Za-z0-9_][A-Za-z0-9_.-]*)")
_COMMENT = re.compile(r"\([^()]*\)")
# What browsers call themselves, and therefore bots that want their pages.
_BROWSERS = frozenset(
    ("mozilla", "applewebkit", "khtml", "like", "gecko", "chrome", "chromium", "safari", "version", "mobile", "firefox")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a `PoliteSession`, as its docstring tells them.

    Raises:
        ValueError: one of them makes no sense.
    """

    user_agent: str
    robots_token: str | None
    pause: float
    max_requests: int
    timeout: float
    deadline: float
    max_body: int
    max_sitemap: int
    max_redirects: int
    allow_private: bool
    proxy: str | None

    def __post_init__(self) -> None:
        if not self.user_agent.isascii() or not self.user_agent.isprintable() or not self.user_agent.strip():
            raise ValueError(f"user_agent is one line of ASCII, not {self.user_agent!r:.80}")
        if self.robots_token is not None and not _TOKEN.fullmatch(self.robots_token):
            raise ValueError(f"robots_token is one product token (RFC 9309, 2.2.1), not {self.robots_token!r:.80}")
        for name, least in (("pause", 0.0), ("timeout", 1e-3), ("deadline", 1e-3)):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not least <= value <= _LONGEST:
                raise ValueError(f"{name} is a number of seconds from {least:g} to {_LONGEST:g}, not {value!r:.80}")
        for name, fewest in (("max_requests", 1), ("max_body", 1), ("max_sitemap", 1), ("max_redirects", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < fewest:
                raise ValueError(f"{name} is a whole number, at least {fewest}, not {value!r:.80}")
        if self.proxy is not None and not _is_proxy(self.proxy):
            raise ValueError("proxy is a URL such as http://proxy.example:3128")

    @property
    def token(self) -> str:
        """Return the product token that robots.txt rules are chosen by."""
        return self.robots_token or product_token(self.user_agent)


def at_most(asked: int | None, usual: int) -> int:
    """Return how many bytes one call takes.

    Args:
        asked: as the caller has it, or None.
        usual: the session's.

    Raises:
        ValueError: it makes no sense.
    """
    if asked is not None and asked < 1:
        raise ValueError(f"max_bytes is a whole number, at least 1, not {asked!r:.80}")
    return usual if asked is None else asked


def product_token(user_agent: str) -> str:
    """Return the product token of a User-Agent (RFC 9309, 2.2.1).

    Args:
        user_agent: such as `newsdeskbot/1.0` or `Mozilla/5.0 (compatible; AcmeNews/2.1; +https://acme.example)`.

    Returns:
        `newsdeskbot`, `AcmeNews`: what follows `compatible;`, else the first product that is no browser's.
    """
    named = _COMPATIBLE.search(user_agent)
    if named:
        return named[1]
    products = [found[1] for found in _PRODUCT.finditer(_COMMENT.sub(" ", user_agent))]
    ours = [product for product in products if product.lower() not in _BROWSERS]
    return next(iter([*ours, *products]), "sitediscover")


def _is_proxy(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
