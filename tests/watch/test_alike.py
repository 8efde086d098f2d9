"""Which entries are new: addresses first, guids as second names, never titles."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from sitediscover.parse.entries import FeedEntry
from sitediscover.watch.alike import Scope, fingerprint, tell_apart

DATE = datetime(2026, 1, 1, tzinfo=UTC)


class Memory(dict):
    """What a store remembers, without a store: of one source, which delivers what is new unless it is told not to."""

    scope = Scope(source=1, trees=(1,))

    def read(self, *entries: tuple[str, str | None], days: int | None = None, deliver: bool = True) -> list[str]:
        published = None if days is None else DATE + timedelta(days=days)
        listed = [FeedEntry(url=url, guid=guid, title="The same title", published=published) for url, guid in entries]
        apart = tell_apart(listed, self.scope, lambda names: {name: self[name] for name in names if name in self})
        self.update(apart.names(apart.new if deliver else []))
        newest = None if published is None else published.timestamp()
        self.scope = replace(self.scope, guids=self.scope.guids and not apart.renumbered, newest=newest)
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
    assert memory.scope.guids is False
    assert memory.read((url("four"), "https://a.example/?p=1")) == [url("four")]


@pytest.mark.parametrize(
    "host, tail",
    [
        ("http://a.example", ""),
        ("https://www.a.example", ""),
        ("http://www.a.example", ""),
        ("https://a.example", "/"),
        ("http://a.example", "/"),
        ("https://www.a.example", "/"),
        ("http://www.a.example", "/"),
    ],
)
@pytest.mark.parametrize("deliver", [True, False], ids=["delivered", "noted"])
def test_another_form_of_all_addresses_is_no_news(host, tail, deliver):
    memory = Memory()
    memory.read(*((url(f"story-{n}"), None) for n in range(5)), deliver=deliver)
    again = [(url(f"story-{n}", host) + tail, None) for n in range(5)]
    assert memory.read(*again, (url("fresh", host) + tail, None)) == [url("fresh", host) + tail]


def test_two_addresses_that_differ_by_a_slash_are_two_without_evidence():
    memory = Memory()
    memory.read((url("one"), None), (url("two"), None))
    assert memory.read((url("one") + "/", None)) == [url("one") + "/"]


def test_a_fingerprint_is_of_the_normalised_address():
    assert fingerprint("https://A.example:443/x?fbclid=1") == fingerprint("https://a.example/x")
    assert fingerprint("https://a.example/x") != fingerprint("https://a.example/y")


def test_a_guid_that_is_used_for_the_next_story_keeps_none_back():
    memory = Memory()
    for day, name in enumerate(["one", "two", "three"]):
        assert memory.read((url(name), "tag:a.example,2026:latest"), days=day) == [url(name)]


def test_a_story_that_keeps_its_date_is_the_same_under_a_new_address():
    memory = Memory()
    memory.read((url("typo"), "tag:a.example,2026:1"), days=1)
    assert memory.read((url("no-typo"), "tag:a.example,2026:1"), days=1) == []


def test_a_date_that_lies_ahead_proves_no_other_story():
    memory = Memory()
    memory.scope = Scope(source=1, trees=(1,), newest=DATE.timestamp(), ahead=DATE.timestamp() + 3600)
    memory.read((url("typo"), "tag:a.example,2026:1"), days=1)
    memory.scope = replace(memory.scope, newest=DATE.timestamp())
    assert memory.read((url("no-typo"), "tag:a.example,2026:1"), days=1) == []


@pytest.mark.parametrize("guid", ["https://a.example", "https://a.example/", "http://www.a.example/"])
def test_a_guid_that_names_the_site_names_no_story(guid):
    memory = Memory()
    memory.read((url("one"), guid))
    assert memory.read((url("two"), guid)) == [url("two")]


def test_what_one_tree_has_only_noted_another_one_delivers():
    memory = Memory()
    memory.read((url("one"), None), deliver=False)
    assert memory.read((url("one"), None)) == []
    memory.scope = Scope(source=2, trees=(2,))
    assert memory.read((url("one"), None)) == [url("one")]
    memory.scope = Scope(source=1, trees=(1,))
    assert memory.read((url("one"), None)) == []


def test_a_source_knows_what_those_it_has_replaced_have_noted():
    memory = Memory()
    memory.read((url("one"), None), deliver=False)
    memory.scope = Scope(source=2, trees=(2, 1))
    assert memory.read((url("one"), None), (url("two"), None)) == [url("two")]
