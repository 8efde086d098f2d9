"""What the tests of batches share."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

from sitediscover.testing import FakeClock, FakeWeb, page

NOW = datetime(2026, 11, 30, 5, 20, tzinfo=UTC)


def timeless(found):
    """Return a Discovery without what differs from one run to the next: how long each request took."""
    return replace(found, requests=tuple(replace(request, seconds=0.0) for request in found.requests))


def as_set(discoveries):
    """Return Discoveries as they can be compared whatever their order; each counts as often as it is there."""
    return Counter(repr(timeless(found)) for found in discoveries)


def nothing_at(*names):
    """Return the web of sites with nothing to follow, by their addresses."""
    return {f"https://{name}": {"/": page(["/imprint.html"], title=name)} for name in names}


def fake(*names):
    """Return such a web in memory."""
    return FakeWeb(nothing_at(*names), clock=FakeClock(NOW))


def sites_of(discoveries):
    """Return the hosts of some Discoveries."""
    return sorted(found.site.removeprefix("https://") for found in discoveries)
