"""Which addresses are one article (DESIGN.md, "Article identity"). Pure.

www and apex, http and https, a final slash are never merged by guess: sites exist on which they differ.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit, urlunsplit

from sitediscover.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_T = TypeVar("_T")

# Parameters that say where a reader came from and nothing about the page: campaign tags of analytics programs and
# click identifiers of advertisers (the lists that browsers' tracking protection strips: Firefox's
# privacy.query_stripping, AdGuard's TrackParamFilter).
_TRACKING = re.compile(
    r"utm_\w+|at_(?:medium|campaign|custom\d|format|link_\w+|ptr_name|bbc_team)|fbclid|gclid|gclsrc|dclid|gbraid|wbraid"
    r"|msclkid|twclid|ttclid|yclid|igshid|igsh|mc_[ce]id|mkt_tok|_hsenc|_hsmi|hsctatracking|vero_id|oly_(?:anon|enc)_id"
    r"|wickedid|s_cid|icid|ncid|cmpid|ns_(?:campaign|mchannel|source|linkname)|xtor|wt\.?(?:mc|zmc)(?:_\w+)?|pk_\w+"
    r"|mtm_\w+|piwik_\w+|__twitter_impression|ref_src|_ga|_gl|spm|smid|guccounter|guce_\w+|traffic_source",
    re.IGNORECASE,
)
_AMP_HOST = re.compile(r"^(?:amp|www-amp)\.")
_AMP_SEGMENT = re.compile(r"/amp(?=/|$)|\.amp(?=\.html?$|$)", re.IGNORECASE)
# Other views of one article. Only where the article itself is linked too: /news/comments may be anything.
_VIEW = re.compile(r"(?<=[^/])/(?:print|comments|drucken|kommentare|imprimer|commentaires|imprimir|comentarios)/?$")
_AMP_PARAMETER = re.compile(r"(?:amp(?:=(?:1|true)?)?|outputtype=amp|output=amp)", re.IGNORECASE)


def without_tracking(url: str) -> str:
    """Return a URL without the parameters that only tell where a reader came from.

    Args:
        url: a normalised URL; the order and spelling of what stays is kept.
    """
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if not _TRACKING.fullmatch(part.partition("=")[0])]
    return f"{head}?{'&'.join(kept)}" if kept else head


def article_key(url: str) -> str:
    """Return the form of an address that is the same for every way of linking one article.

    Args:
        url: an http(s) URL.

    Raises:
        InvalidUrl: it is none.
    """
    return without_tracking(normalise_url(url))


def without_amp(url: str) -> str:
    """Return the address that an AMP twin is most likely the twin of; any other address as it is.

    Args:
        url: a normalised URL.
    """
    parts = urlsplit(url)
    host = _AMP_HOST.sub("", parts.netloc)
    path = _AMP_SEGMENT.sub("", parts.path, count=1) or "/"
    query = "&".join(part for part in parts.query.split("&") if not _AMP_PARAMETER.fullmatch(part))
    return urlunsplit((parts.scheme, host, path, query, ""))


def once(items: Iterable[_T], url_of: Callable[[_T], str]) -> tuple[_T, ...]:
    """Return each article once, the first mention of it; of twins (AMP, print, comments) in one document the plain one.

    Args:
        items: what stands for articles.
        url_of: gives an item's address.
    """
    unique: dict[str, _T] = {}
    for item in items:
        unique.setdefault(article_key(url_of(item)), item)

    def is_twin(key: str) -> bool:
        plain = _VIEW.sub("", without_amp(key))
        return plain != key and any(form in unique for form in (plain, plain.rstrip("/"), plain + "/", _www(plain)))

    return tuple(item for key, item in unique.items() if not is_twin(key))


def _www(url: str) -> str:
    """amp.example.com is the twin of www.example.com as often as of example.com."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"www.{parts.netloc.removeprefix('www.')}"))
