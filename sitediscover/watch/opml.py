"""Sources as OPML 2.0 (opml.org/spec2.opml)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from sitediscover.model import SourceKind
from sitediscover.parse.opml import NAMESPACE
from sitediscover.watch.model import SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitediscover.watch.model import SourceInfo

_UNWRITABLE = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_LEFT_OUT = (SourceState.SUPERSEDED, SourceState.GONE)


def write_opml(sources: Iterable[SourceInfo], now: float) -> str:
    """Return an OPML file.

    Args:
        sources: what is listed; gone and superseded ones are left out.
        now: seconds since 1970.
    """
    lines = [_outline(source) for source in sources if source.state not in _LEFT_OUT]
    created = format_datetime(datetime.fromtimestamp(now, UTC))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<opml version="2.0" xmlns:sitediscover="{NAMESPACE}">\n'
        f"<head><title>sitediscover</title><dateCreated>{created}</dateCreated></head>\n"
        f"<body>\n{''.join(lines)}</body>\n</opml>\n"
    )


def _outline(source: SourceInfo) -> str:
    title = quoteattr(_printable(source.title or source.url))
    page, url = quoteattr(_printable(source.origin)), quoteattr(_printable(source.url))
    if source.kind is SourceKind.FEED:
        return f'<outline type="rss" text={title} title={title} xmlUrl={url} htmlUrl={page}/>\n'
    # Feed readers would ask for an xmlUrl; what a link leads to they leave alone.
    return f'<outline type="link" text={title} url={url} htmlUrl={page} sitediscover:kind="{source.kind}"/>\n'


def _printable(text: str) -> str:
    """Leave out what XML 1.0 (2.2) has no way to write; an attribute's line breaks are read as blanks anyway."""
    return _UNWRITABLE.sub("", " ".join(text.split()))
