from __future__ import annotations

import sys
from pathlib import Path

import pytest

# Workers import strategies by name: a process that is spawned gets this path.
sys.path.insert(0, str(Path(__file__).parent))

from batch_help import NOW

from sitediscover import PoliteSession, discover
from sitediscover.demo import build_many
from sitediscover.demo.server import serve

SITES = 500


@pytest.fixture(scope="session")
def many():
    """Many sites on loopback: the web as it is served, and the answers as they come one by one."""
    web, verdicts = build_many(SITES, NOW)
    with serve(web) as served, PoliteSession(proxy=served.proxy, pause=0) as session:
        yield served, [discover(site, session=session) for site in verdicts]
