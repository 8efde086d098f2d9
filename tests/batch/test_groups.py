"""Which sites go together, and what they cost in memory."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.batch.groups import FEWEST_SHARDS, LARGEST_SHARD, Groups, shards

NAMES = st.sampled_from(
    ["a.example", "www.a.example", "http://a.example/x", "b.example", "c.co.uk", "d.co.uk", "a b", ""]
)


def test_one_registrable_domain_is_one_group():
    groups = Groups(
        ["www.a.co.uk", "b.co.uk", "http://a.co.uk/news", "alice.github.io", "bob.github.io", "www.a.co.uk"]
    )
    assert [dict(group) for group in groups.groups()] == [
        {"www.a.co.uk": 2, "http://a.co.uk/news": 1},
        {"b.co.uk": 1},
        {"alice.github.io": 1},
        {"bob.github.io": 1},
    ]


@given(st.lists(NAMES), st.lists(NAMES, max_size=3))
def test_nothing_given_is_lost(given_sites, taken):
    groups = Groups(given_sites)
    found = [site for site, _ in groups.rejected]
    for site in taken:
        found += [site] * groups.take(site)
    left = len(groups)
    rest = list(groups.groups())
    assert left == sum(map(len, rest))
    assert sorted([*found, *(text for group in rest for text in group.elements())]) == sorted(given_sites)
    assert groups.total == len(given_sites)


@pytest.mark.parametrize("count, size", [(1, 1), (31, 1), (64, 2), (500, 15), (2_048, 64), (100_000, 64)])
def test_shards_are_many_and_none_is_large(count, size):
    assert size <= LARGEST_SHARD
    packed = list(shards(((str(n),) for n in range(count)), count))
    assert len(packed) >= min(count, FEWEST_SHARDS)
    assert {len(shard) for shard in packed[:-1]} <= {size}
    assert sum(map(len, packed)) == count


def test_a_group_is_never_split():
    assert [len(shard[0]) for shard in shards([tuple(map(str, range(1_000)))], 1_000)] == [1_000]


def test_a_site_costs_little_memory():
    names = [f"site-{n}.example" for n in range(2_000)]
    Groups(names[:10])
    tracemalloc.start()
    groups = Groups(names)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(groups) == 2_000
    assert held / 2_000 < 150
