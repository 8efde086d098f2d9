"""Watch sources for years: what is followed, what was seen, when to ask again."""

from sitediscover.watch.model import PollRecord, Role, SourceInfo, SourceState, Stats
from sitediscover.watch.watchlist import Watchlist

__all__ = ["PollRecord", "Role", "SourceInfo", "SourceState", "Stats", "Watchlist"]
