"""Which sites go together: those of one registrable domain are asked one after another, by one worker."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from sitediscover.errors import InvalidSite
from sitediscover.hosts import registrable_domain
from sitediscover.urls import host_of, parse_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Group: TypeAlias = tuple[str, ...]
"""The sites of one registrable domain, as they were given, each once."""

Shard: TypeAlias = tuple[Group, ...]
"""What goes to a worker of an executor in one piece."""

LARGEST_SHARD = 64
"""Sites of a shard, a group that is larger left aside: a lost worker costs no more than these."""

FEWEST_SHARDS = 32
"""A batch makes at least so many shards where it has so many sites: else most workers would have nothing to do."""


_AT_ONCE = 1_024


class Groups:
    """The sites of a batch by registrable domain, in the order in which the domains first come up.

    A million texts take about 120 bytes each besides the texts themselves.

    Args:
        sites: hosts or URLs; read whole, for a domain may come up again at the very end.
    """

    def __init__(self, sites: Iterable[str]) -> None:
        # By the domain's hash: were two domains ever to share one, they would be asked one after another.
        self._groups: dict[int, str | Counter[str]] = {}
        self.rejected: list[tuple[object, InvalidSite]] = []
        """What cannot name a site, as often as it was given."""
        self.total = 0
        """How many were given."""
        for site in sites:
            self.total += 1
            try:
                self._add(site)
            except InvalidSite as error:
                self.rejected.append((site, error))

    def _add(self, site: str) -> None:
        key = _key(site)
        known = self._groups.get(key)
        if known is None:
            self._groups[key] = site
        elif isinstance(known, str):
            self._groups[key] = Counter([known, site])
        else:
            known[site] += 1

    def take(self, site: str) -> int:
        """Take a site out; return how often it was given.

        Args:
            site: as it was given.
        """
        try:
            key = _key(site)
        except InvalidSite:
            return 0
        group = _counted(self._groups.get(key))
        times = group.pop(site, 0)
        if group:
            self._groups[key] = group
        else:
            self._groups.pop(key, None)
        return times

    def groups(self) -> Iterator[Counter[str]]:
        """Yield each group, and forget it: its sites, and how often each was given."""
        while self._groups:
            # Some at a time: a dict whose first keys are gone finds the next one slowly.
            for key in list(islice(self._groups, _AT_ONCE)):
                yield _counted(self._groups.pop(key))

    def __len__(self) -> int:
        """Return how many different sites are left."""
        return sum(1 if isinstance(group, str) else len(group) for group in self._groups.values())


def _counted(group: str | Counter[str] | None) -> Counter[str]:
    return Counter([group]) if isinstance(group, str) else group or Counter()


def _key(site: str) -> int:
    return hash(registrable_domain(host_of(parse_site(site).origin)))


def shards(groups: Iterable[Group], sites: int) -> Iterator[Shard]:
    """Pack groups for the workers of an executor.

    Args:
        groups: in the order in which they are to be asked.
        sites: how many sites there are in all.
    """
    size = max(1, min(LARGEST_SHARD, sites // FEWEST_SHARDS))
    pack: list[Group] = []
    held = 0
    for group in groups:
        pack.append(group)
        held += len(group)
        if held >= size:
            yield tuple(pack)
            pack, held = [], 0
    if pack:
        yield tuple(pack)
