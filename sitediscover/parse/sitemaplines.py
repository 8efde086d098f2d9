"""What stands in the Sitemap lines of a robots.txt: an address, in spellings that nobody laid down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitediscover.urls import host_of, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

_BETWEEN = re.compile(r"(?<![\s,;])[\s,;]++(?=https?://)", re.IGNORECASE)  # each run of them is looked at once
_BARE_HOST = re.compile(r"(?:www\.)?([\w-]+(?:\.[\w-]+)+)/")


def addresses(line: str, url: str | None) -> Iterator[str]:
    """Yield the addresses of one Sitemap line.

    Several stand in some lines; others wear quotes, the angle brackets of a mail, or no scheme.

    Args:
        line: the line's value.
        url: the address of the file, which relative ones are resolved with; without it they stay as written.
    """
    for part in _BETWEEN.split(line):
        written = part.strip("<>\"' \t")
        address = written if url is None else resolve(url, _with_scheme(written, url))
        if address:
            yield address


def _with_scheme(written: str, url: str) -> str:
    """Read `www.example.com/sitemap.xml` as an address where it begins with the site's own host."""
    host = _BARE_HOST.match(written.lower())
    return f"//{written}" if host and host[1] == host_of(url).removeprefix("www.") else written
