"""The one door to the network."""

from sitediscover.fetch.ledger import Ledger
from sitediscover.fetch.options import DEFAULT_USER_AGENT
from sitediscover.fetch.pace import Clock, SystemClock
from sitediscover.fetch.page import Hop, Page, Stream
from sitediscover.fetch.session import PoliteSession

__all__ = ["DEFAULT_USER_AGENT", "Clock", "Hop", "Ledger", "Page", "PoliteSession", "Stream", "SystemClock"]
