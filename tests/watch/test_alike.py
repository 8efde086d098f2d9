"""Which entries are new: addresses first, guids as second names, never titles."""

from __future__ import annotations

import pytest

from sitediscover.parse.entries import FeedEntry
from sitediscover.watch.alike import fingerprint, tell_apart


class Memory(dict):
    """What a store remembers, without a store."""

    guids = True

    def read(self, *entries: tuple[str, str | None]) -> list[str]:
        listed = [FeedEntry(url=url, guid=guid, title="The same title") for url, guid in entries]
        apart = tell_apart(
            listed, scope=1, guids=self.guids, lookup=lambda names: {name: self[name] for name in names if name in self}
        )
        self.update(apart.names)
        self.guids = self.guids and not apart.renumbered
        return [each.entry.url for each in apart.new]


def url(name: str, host: str = "https://a.example") -> str:
    return f"{host}/2026/{name}"


def test_an_address_is_new_once_whatever_leads_to_it():
    memory = Memory()
    assert memory.read((url("one"), None)) == [url("one")]
    assert memory.read((url("one") + "?utm_source=feed#top", None)) == []


def test_a_guid_carries_a_story_to_its_new_address():
    memory = Memory()
    memory.read((url("typo"), "tag:a.example,2026:1"))
    assert memory.read((url("no-typo"), "tag:a.example,2026:1")) == []
    assert memory.read((url("no-typo"), None)) == []


def test_a_guid_that_a_document_repeats_means_nothing():
    memory = Memory()
    assert len(memory.read((url("one"), "tag:all"), (url("two"), "tag:all"))) == 2
    assert memory.read((url("three"), "tag:all"), (url("two"), "tag:all")) == [url("three")]


def test_positions_and_counters_are_no_guids():
    memory = Memory()
    memory.read((url("one"), "1"), (url("two"), "2"))
    assert memory.read((url("three"), "1"), (url("one"), "2")) == [url("three")]


def test_a_feed_that_renumbers_its_guids_loses_nothing():
    memory = Memory()
    memory.read((url("two"), "https://a.example/?p=1"), (url("one"), "https://a.example/?p=2"))
    assert memory.read((url("three"), "https://a.example/?p=1"), (url("two"), "https://a.example/?p=2")) == [
        url("three")
    ]
    assert memory.guids is False
    assert memory.read((url("four"), "https://a.example/?p=1")) == [url("four")]


@pytest.mark.parametrize(
    "host, tail",
    [("http://a.example", ""), ("https://www.a.example", ""), ("http://www.a.example", ""), ("https://a.example", "/")],
)
def test_another_form_of_all_addresses_is_no_news(host, tail):
    memory = Memory()
    memory.read(*((url(f"story-{n}"), None) for n in range(5)))
    again = [(url(f"story-{n}", host) + tail, None) for n in range(5)]
    assert memory.read(*again, (url("fresh", host) + tail, None)) == [url("fresh", host) + tail]


def test_two_addresses_that_differ_by_a_slash_are_two_without_evidence():
    memory = Memory()
    memory.read((url("one"), None), (url("two"), None))
    assert memory.read((url("one") + "/", None)) == [url("one") + "/"]


def test_a_fingerprint_is_of_the_normalised_address():
    assert fingerprint("https://A.example:443/x?fbclid=1") == fingerprint("https://a.example/x")
    assert fingerprint("https://a.example/x") != fingerprint("https://a.example/y")
