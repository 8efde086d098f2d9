"""Several sources of one site: what one of them notes, leaves out or holds back is no loss to another."""

from __future__ import annotations

import pytest
from onesite import FEED, World, story
from worlds import DAY, HOUR

from sitediscover import Article, Section, Source, SourceKind
from sitediscover.testing import Answer, page, urlset
from sitediscover.watch import SourceState

NEWS = Source(kind=SourceKind.NEWS_SITEMAP, url="https://a.example/news.xml")


@pytest.fixture
def world(store):
    made = World(store)
    made.paths["/news.xml"] = lambda call: urlset(reversed(made.articles), news="A")
    yield made
    made.watch.close()


def polls(world, count=6):
    return [title for _ in range(count) for title in world.poll(HOUR)]


def test_the_first_reading_of_a_second_source_keeps_nothing_back(world):
    world.add()
    world.clock.advance(600)
    world.publish(5)
    world.clock.advance(60)
    world.watch.add(NEWS)
    assert world.poll(0) == []
    assert polls(world) == ["Story 5"]


@pytest.mark.parametrize("filters", [{"include": ["sport"]}, {"exclude": ["story"]}, {"max_age": 60}])
def test_what_one_source_leaves_out_another_delivers(world, filters):
    world.watch.add(NEWS, **filters)
    world.poll(0)
    world.add()
    world.publish(5, when=world.clock.time() - HOUR)
    assert polls(world) == ["Story 5"]


def test_what_a_provisional_source_holds_a_live_one_delivers(world):
    source = world.watch.add(NEWS, provisional=True)
    world.poll(0)
    world.add()
    world.publish(5)
    assert polls(world) == ["Story 5"]
    assert world.watch.stats().held == 0
    world.watch.approve(source.id)
    assert polls(world) == []


def test_what_was_delivered_by_approval_is_not_delivered_by_another_source(world):
    provisional = world.watch.add(NEWS, provisional=True)
    world.poll(0)
    live = world.add()
    world.watch.pause(live.id)
    world.publish(5)
    assert world.poll() == []
    world.watch.approve(provisional.id)
    assert world.poll(0) == ["Story 5"]
    world.watch.resume(live.id)
    assert polls(world) == []


def test_what_a_removed_provisional_source_held_is_still_delivered(world):
    provisional = world.watch.add(NEWS, provisional=True)
    world.poll(0)
    live = world.add()
    world.watch.pause(live.id)
    world.publish(5)
    world.poll()
    world.watch.remove(provisional.id)
    world.watch.resume(live.id)
    assert world.poll(0) == ["Story 5"]


def test_a_story_that_moves_in_a_feed_is_not_told_again_by_the_news_sitemap(world):
    listed = ["a-typo-in-the-address"]
    item = "<item><link>https://a.example/2026/{}</link><guid>tag:a.example,2026:1</guid></item>"
    world.paths["/feed"] = lambda call: f"<rss version='2.0'><channel>{item.format(listed[-1])}</channel></rss>"
    world.articles = []
    world.watch.add(NEWS)
    world.add(deliver_backlog=True)
    assert len(world.first) == 1
    listed.append("no-typo-in-the-address")
    assert world.poll() == []
    world.articles = [Article(url=f"https://a.example/2026/{listed[-1]}", title="No typo")]
    assert polls(world, 12) == []


def test_a_feed_and_the_sections_of_a_site_tell_a_story_once(world):
    links = [f"/2026/01/01/a-bridge-opens-in-the-harbour-{number}" for number in range(8)]
    world.paths["/feed"] = lambda call: page(links)
    world.paths |= {"/harbour/": world.paths["/feed"], "/": page(["/about"])}
    world.paths["/feed"] = lambda call: urlset(f"https://a.example{link}" for link in links)
    world.watch.add(Source(kind=SourceKind.NEWS_SITEMAP, url=FEED))
    sections = (Section(url="https://a.example/harbour/"),)
    world.watch.add(Source(kind=SourceKind.SECTIONS, url="https://a.example/", sections=sections))
    assert world.polled(5) == []
    links.insert(0, "/2026/01/02/the-council-votes-on-the-harbour-again")
    assert world.polled(48) == [f"https://a.example{links[0]}"]


def test_a_section_page_that_is_empty_for_a_day_tells_nothing_twice(world):
    links = [f"/2026/01/01/a-bridge-opens-in-the-harbour-{number}" for number in range(8)]
    world.paths |= {"/harbour/": lambda call: page(links), "/": page(["/about"])}
    sections = (Section(url="https://a.example/harbour/"),)
    world.watch.add(Source(kind=SourceKind.SECTIONS, url="https://a.example/", sections=sections))
    assert world.polled(5) == []
    kept, links = links, []
    assert world.polled(30) == []
    links = [*kept, "/2026/01/02/the-council-votes-on-the-harbour-again"]
    assert world.polled(48) == [f"https://a.example{links[-1]}"]


def failing(world):
    """Let the feed fail for so long that its successor is proposed; return both."""
    world.add()
    world.paths |= {"/": page(feeds=["/rss"]), "/rss": world.paths["/feed"], "/feed": Answer(status=404)}
    while len(sources := list(world.watch.sources())) < 2:
        world.poll(DAY)
    return sources


def test_a_source_that_recovers_while_its_successor_waits_delivers_all(world):
    feed, successor = failing(world)
    assert successor.state is SourceState.PROVISIONAL
    world.paths["/feed"] = world.paths["/rss"]
    told = world.poll(2 * DAY)
    for number in range(5, 10):
        world.publish(number)
        told += polls(world, 4)
    told += world.poll(DAY) + world.poll(DAY)
    assert sorted(told) == [f"Story {number}" for number in range(5, 10)]
    world.watch.approve(successor.id)
    assert world.watch.source(feed.id).state is SourceState.SUPERSEDED
    world.publish(10)
    assert world.poll(DAY) + world.poll(DAY) == ["Story 10"]


def test_a_source_that_is_removed_while_its_site_is_searched_has_no_successor(world):
    source = world.add()
    world.paths["/feed"] = Answer(status=404)
    world.paths["/rss"] = page()

    def front(call):
        world.watch.remove(source.id)
        return page(feeds=["/rss"])

    world.paths["/"] = front
    for _ in range(20):
        world.poll(DAY)
    assert list(world.watch.sources()) == []


def test_a_feed_that_was_gone_for_months_brings_no_flood_and_no_loss(sqlite_store):
    world = World(sqlite_store)
    world.articles = [story(number, world.clock.time() - (20 - number) * DAY) for number in range(10)]
    source = world.add()
    world.paths["/news.xml"] = lambda call: urlset([f"https://a.example/2026/of-day-{call.at // DAY:.0f}"], news="A")
    world.watch.add(NEWS)
    back, world.paths["/feed"] = world.paths["/feed"], Answer(status=410)
    world.polled(24 * 130, every=DAY)
    assert world.watch.source(source.id).state is SourceState.GONE
    world.paths["/feed"] = back
    world.publish(77, when=world.clock.time())
    assert [url for url in world.polled(24 * 40, every=DAY) if "story" in url] == [story(77).url]
    world.watch.close()


def test_each_of_110_sources_of_one_host_has_its_turn(sqlite_store):
    world = World(sqlite_store)
    urls = [f"https://a.example/{number}" for number in range(110)]
    for url in urls:
        world.paths[url.removeprefix("https://a.example")] = world.paths["/feed"]
        world.watch.add(Source(kind=SourceKind.FEED, url=url))
    for turn in (1, 2, 3):
        world.poll(0)
        assert [world.web.requests.count(url) for url in urls] == [turn] * 110
        world.clock.advance(2 * HOUR)
    world.watch.close()
