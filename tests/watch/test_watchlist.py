"""The public face: add, poll, pause, approve, remove, filters, OPML; on both databases."""

from __future__ import annotations

import builtins
import subprocess
import sys
from datetime import timedelta

import pytest
from onesite import FEED, story
from sqlalchemy import create_engine, inspect, text
from worlds import DAY, HOUR

from sitediscover import Source, SourceKind, discover
from sitediscover.errors import InvalidStore, MissingPackage, NothingToFollow, UnknownSource
from sitediscover.parse.opml import parse_opml
from sitediscover.testing import Answer, FakeWeb, feed, page, redirect, sitemap_index, urlset
from sitediscover.watch import SourceState, Watchlist, database
from sitediscover.watch.schema import metadata

NEW = "https://a.example/new"


def test_the_first_reading_is_noted_and_what_comes_later_is_delivered_once(world):
    world.add()
    assert world.first == []
    world.publish(5, 6)
    assert world.poll() == ["Story 6", "Story 5"]
    assert world.poll(DAY) == []
    assert world.watch.stats().seen == 7


def test_the_backlog_is_delivered_where_it_is_wanted(world):
    world.add(deliver_backlog=True)
    assert len(world.first) == 5


def test_what_is_dated_since_it_was_added_is_delivered_with_the_first_reading(world):
    world.articles = [story(n, world.clock.time() - (10 - n) * DAY) for n in range(9)] + [
        story(9, world.clock.time() + 60)
    ]
    world.watch.add(Source(kind=SourceKind.FEED, url=FEED))
    assert world.poll(120) == ["Story 9"]


def test_an_article_is_delivered_again_unless_the_next_was_asked_for(world):
    world.add()
    world.publish(5, 6)
    world.clock.advance(2 * HOUR)
    polling = world.watch.poll()
    assert next(polling).title == "Story 6"
    polling.close()
    assert world.poll(0) == ["Story 6", "Story 5"]


def test_a_limit_leaves_the_rest_for_the_next_poll(world):
    world.add()
    world.publish(5, 6, 7)
    assert world.poll(limit=2) == ["Story 7", "Story 6"]
    assert world.poll(0, limit=0) == []
    assert world.poll(0) == ["Story 5"]


def test_a_limit_below_zero_is_an_error_of_the_call(world):
    with pytest.raises(ValueError, match="-1"):
        world.watch.poll(-1)


def test_what_is_removed_while_it_is_handed_out_is_not_delivered(world):
    source = world.add()
    world.publish(5, 6, 7)
    world.clock.advance(2 * HOUR)
    polling = world.watch.poll()
    assert next(polling).title == "Story 7"
    world.watch.remove(source.id)
    assert list(polling) == []


def test_an_error_of_the_receiver_leaves_the_host_free_and_the_article_waiting(world):
    world.add()
    world.publish(5, 6)
    world.clock.advance(2 * HOUR)
    polling = world.watch.poll()
    next(polling)
    with pytest.raises(KeyError):
        polling.throw(KeyError("the receiver's"))
    assert world.poll(0) == ["Story 6", "Story 5"]


def test_running_sleeps_until_something_is_due_and_stops_when_told(world):
    world.add()
    world.publish(5)
    end = world.clock.time() + 3 * HOUR
    assert [article.title for article in world.watch.run(lambda: world.clock.time() > end)] == ["Story 5"]
    assert world.clock.time() < end + 60


def test_provisional_articles_wait_for_approval(world):
    source = world.add(provisional=True)
    world.publish(5)
    assert world.poll() == []
    assert [article.title for article in world.watch.collected(source.id)] == ["Story 5"]
    assert world.watch.stats().held == 1
    world.watch.approve(source.id)
    assert world.poll(0) == ["Story 5"]
    world.publish(6)
    assert world.poll() == ["Story 6"]


def test_a_paused_source_is_not_asked_until_it_is_resumed(world):
    source = world.add()
    world.watch.pause(source.id)
    asked = world.asked()
    world.publish(5)
    assert world.poll(3 * DAY) == []
    assert world.asked() == asked
    world.watch.resume(source.id)
    assert world.poll(0) == ["Story 5"]


def test_a_removed_source_is_forgotten(world):
    source = world.add()
    world.watch.remove(source.id)
    assert world.watch.stats().sources == world.watch.stats().seen == 0
    with pytest.raises(UnknownSource):
        world.watch.source(source.id)


def test_adding_twice_is_adding_once(world):
    assert world.add().id == world.watch.add(Source(kind=SourceKind.FEED, url=FEED)).id
    assert len(list(world.watch.sources())) == 1


def test_filters_leave_out_what_is_not_wanted(world):
    world.add(include=["number-[5-9]"], exclude=["number-6"], max_age=timedelta(days=2))
    world.publish(5, 6)
    world.publish(7, when=world.clock.time() - 3 * DAY)
    world.publish(8, when=world.clock.time() - DAY)
    world.publish(44)
    assert sorted(world.poll()) == ["Story 5", "Story 8"]
    with pytest.raises(ValueError, match="regular expression"):
        world.watch.add(Source(kind=SourceKind.FEED, url=FEED + "2"), include=["("])


@pytest.mark.parametrize(
    "pattern", ["", "(", "*", "a{99999999999}", "(" * 3000 + ")" * 3000, "a\nb", "a\rb", "a\u2028b", "a\x85b"]
)
def test_a_pattern_that_is_none_is_a_value_error(world, pattern):
    with pytest.raises(ValueError):
        world.watch.add(Source(kind=SourceKind.FEED, url=FEED), exclude=[pattern])
    assert world.watch.stats().sources == 0


@pytest.mark.parametrize("age", [-1, float("nan"), timedelta(seconds=-5)])
def test_an_age_below_zero_is_a_value_error(world, age):
    with pytest.raises(ValueError, match="below zero"):
        world.watch.add(Source(kind=SourceKind.FEED, url=FEED), max_age=age)


@pytest.mark.parametrize("number", [-1, 0, 99, 2**31, 2**70])
def test_a_number_that_no_source_has_is_unknown(world, number):
    world.add()
    for ask in (world.watch.source, world.watch.pause, world.watch.resume, world.watch.approve, world.watch.remove):
        with pytest.raises(UnknownSource):
            ask(number)
    assert world.watch.polls(number) == ()


def test_a_site_is_discovered_and_an_address_looked_at(world):
    world.paths["/"] = page(feeds=["/feed"])
    assert world.watch.add("a.example").url == FEED
    world.paths["/sitemap.xml"] = sitemap_index(["https://a.example/s1.xml"])
    assert world.watch.add("https://a.example/sitemap.xml").kind is SourceKind.ARTICLE_SITEMAP
    assert world.watch.add("https://a.example/feed").kind is SourceKind.FEED
    world.paths["/"] = page()
    del world.paths["/sitemap.xml"], world.paths["/feed"]
    with pytest.raises(NothingToFollow):
        world.watch.add("a.example")


def test_a_discovery_is_added_by_its_best_source(world):
    world.paths["/"] = page(feeds=["/feed"])
    assert world.watch.add(discover("a.example", session=world.session)).url == FEED


def test_errors_make_a_source_fail_and_an_answer_makes_it_live(world):
    source = world.add()
    world.paths["/feed"] = Answer(status=404)
    for _ in range(3):
        world.poll(2 * DAY)
    failed = world.watch.source(source.id)
    assert (failed.state, failed.failures, failed.error) == (SourceState.FAILING, 3.0, "HTTP 404")
    world.paths["/feed"] = lambda call: feed(reversed(world.articles))
    world.publish(5)
    assert world.poll(2 * DAY) == ["Story 5"]
    assert world.watch.source(source.id).state is SourceState.LIVE
    assert [record.status for record in world.watch.polls(source.id)][:2] == [200, 404]


def test_gone_is_gone_after_a_day_and_still_looked_at_now_and_then(world):
    source = world.add()
    world.paths["/feed"] = Answer(status=410)
    world.poll()
    assert world.watch.source(source.id).state is SourceState.FAILING
    world.poll(1.2 * DAY)
    assert world.watch.source(source.id).state is SourceState.GONE
    asked = len(world.watch.polls(source.id))
    world.poll(29 * DAY)
    assert len(world.watch.polls(source.id)) == asked
    world.poll(2 * DAY)
    assert len(world.watch.polls(source.id)) == asked + 1


def test_the_second_410_that_makes_a_source_gone_comes_a_day_later_and_not_sooner(world):
    source = world.add()
    world.paths["/feed"] = Answer(status=410)
    before = world.asked()
    for _ in range(100):
        world.poll(HOUR / 4)
    assert (world.asked() - before, world.watch.source(source.id).state) == (1, SourceState.FAILING)
    for _ in range(5):
        world.poll(HOUR / 4)
    assert (world.asked() - before, world.watch.source(source.id).state) == (2, SourceState.GONE)


def test_an_empty_body_is_an_error_and_no_reason_to_search_the_site(world):
    world.paths["/"] = page(feeds=["/rss"])
    source = world.add()
    world.paths["/feed"] = ""
    for _ in range(10):
        world.poll(DAY)
    assert world.watch.source(source.id).error == "an empty body"
    assert [each.id for each in world.watch.sources()] == [source.id]


def test_a_redirect_to_a_host_at_rest_is_tried_again_when_that_may_be_asked(world):
    there = {"/": Answer(status=429, headers={"Retry-After": str(int(2 * DAY))})}
    world.hosts["https://b.example"] = there
    world.watch.add(Source(kind=SourceKind.FEED, url="https://b.example/"))
    world.poll(0)
    world.paths["/feed"] = redirect("https://b.example/other", 302)
    world.add()
    for _ in range(40):
        world.poll(HOUR)
    assert world.asked() == 1
    there["/"] = there["/other"] = feed(world.articles)
    world.poll(10 * HOUR)
    assert "https://b.example/other" in world.web.requests


def test_retry_after_keeps_everybody_off_the_host(world):
    world.add()
    world.watch.add(Source(kind=SourceKind.FEED, url=FEED + "/other"))
    world.paths["/feed"] = Answer(status=429, headers={"Retry-After": str(int(5 * DAY))})
    world.poll()
    asked = len(world.web.calls)
    world.poll(4 * DAY)
    assert len(world.web.calls) == asked


def test_https_is_taken_at_once_and_another_address_after_a_week(world):
    source = world.watch.add(Source(kind=SourceKind.FEED, url="http://a.example/feed"))
    web = {
        "http://a.example": {"/feed": Answer(status=301, headers={"Location": FEED})},
        "https://a.example": world.paths,
    }
    world.session = FakeWeb(web, clock=world.clock).session()
    world.watch._worker._session = world.session
    world.poll(0)
    assert world.watch.source(source.id).url == FEED
    old = world.paths["/feed"]
    world.paths |= {"/feed": Answer(status=308, headers={"Location": "/new"}), "/new": old}
    world.poll(DAY)
    assert world.watch.source(source.id).moved_to == "https://a.example/new"
    for _ in range(8):
        world.poll(1.1 * DAY)
    assert world.watch.source(source.id).url == "https://a.example/new"


@pytest.mark.parametrize("hindrance", ["provisional", "paused"])
def test_a_source_that_moves_onto_one_that_delivers_nothing_goes_on(world, hindrance):
    source = world.add()
    world.paths["/new"] = world.paths["/feed"]
    other = world.watch.add(Source(kind=SourceKind.FEED, url=NEW), provisional=hindrance == "provisional")
    world.poll(0)
    if hindrance == "paused":
        world.watch.pause(other.id)
    world.paths["/feed"] = redirect("/new")
    for _ in range(10):
        world.poll(DAY)
    world.publish(5)
    assert world.poll(1.2 * DAY) == ["Story 5"]
    assert world.watch.source(source.id).moved_to == NEW


def test_a_source_that_moves_onto_one_that_delivers_is_superseded(world):
    source = world.add()
    world.paths["/new"] = world.paths["/feed"]
    world.watch.add(Source(kind=SourceKind.FEED, url=NEW))
    world.poll(0)
    world.paths["/feed"] = redirect("/new")
    for _ in range(10):
        world.poll(DAY)
    assert world.watch.source(source.id).state is SourceState.SUPERSEDED
    world.publish(5)
    assert world.poll(1.2 * DAY) == ["Story 5"]


def test_a_successor_is_proposed_and_takes_over_once_approved(world):
    source = world.add()
    world.paths["/feed"] = page(title="No feed any more")
    world.paths["/"] = page(feeds=["/rss"])
    world.articles.append(story(5, world.clock.time() + HOUR))
    world.paths["/rss"] = lambda call: feed(reversed(world.articles))
    for _ in range(4):
        assert world.poll(2 * DAY) == []
    (proposed,) = world.watch.sources(state=SourceState.PROVISIONAL)
    assert (proposed.url, proposed.replaces) == ("https://a.example/rss", source.id)
    world.watch.approve(proposed.id)
    assert world.watch.source(source.id).state is SourceState.SUPERSEDED
    world.publish(6)
    assert "Story 6" in world.poll(2 * DAY)


def test_nothing_known_is_a_gap_and_quarters_the_interval(world):
    source = world.add()
    world.articles = [story(number) for number in range(50, 55)]
    assert len(world.poll()) == 5
    told = world.watch.source(source.id)
    assert (told.gaps, told.interval) == (1, source.interval / 4)


def test_the_first_story_of_a_feed_is_no_gap(world):
    world.articles = []
    source = world.add()
    world.publish(1, when=world.clock.time() + HOUR)
    assert world.poll() == ["Story 1"]
    assert world.watch.source(source.id).gaps == 0


def test_a_news_sitemap_whose_two_days_went_by_without_news_has_no_gap(world):
    world.articles = [story(1, world.clock.time())]
    listed = lambda call: [a for a in world.articles if call.at - a.published.timestamp() < 2 * DAY]  # noqa: E731
    world.paths["/news.xml"] = lambda call: urlset(listed(call), news="A")
    source = world.watch.add(Source(kind=SourceKind.NEWS_SITEMAP, url="https://a.example/news.xml"))
    for _ in range(6):
        world.poll(DAY / 2)
    world.publish(2, when=world.clock.time())
    assert world.poll(1.2 * DAY) == ["Story 2"]
    assert world.watch.source(source.id).gaps == 0


def test_what_is_dated_ahead_belongs_to_the_first_reading(world):
    now = world.clock.time()
    world.articles = [story(n, now - (20 - n) * HOUR) for n in range(19)] + [story(30, now + 20 * HOUR)]
    world.add()
    assert world.first == []


def test_two_versions_behind_a_balancer_tell_each_story_once(world):
    versions = []

    def answer(call):
        versions.append(world.articles[-5:] if len(versions) % 2 else world.articles[-6:-1])
        return Answer(body=feed(versions[-1]), headers={"ETag": f'"{len(versions) % 2}"'})

    world.paths["/feed"] = answer
    world.add()
    told = []
    for number in range(5, 15):
        world.publish(number)
        told += world.poll(HOUR)
    told += world.poll(DAY) + world.poll(DAY)
    assert sorted(told) == sorted(f"Story {number}" for number in range(4, 15)), "the first version lacked one"


def test_the_same_story_in_two_sources_of_a_site_is_delivered_once(world):
    world.add()
    world.paths["/news.xml"] = lambda call: urlset(reversed(world.articles), news="A")
    world.watch.add(Source(kind=SourceKind.NEWS_SITEMAP, url="https://a.example/news.xml"))
    world.poll(0)
    world.publish(5)
    assert world.poll() == ["Story 5"]


def test_thirty_304s_in_a_row_are_followed_by_a_request_without_validators(world):
    world.paths["/feed"] = lambda call: Answer(body=feed(world.articles), headers={"ETag": '"always"'})
    world.add()
    for _ in range(35):
        world.poll(1.2 * DAY)
    asked = [call for call in world.web.calls if call.url == FEED]
    assert [("If-None-Match" in call.headers) for call in asked].count(False) == 2


def test_addresses_are_forgotten_90_days_after_nobody_lists_them(world):
    world.add()
    del world.articles[0]
    for day in range(120):
        world.publish(100 + day)
        world.articles = world.articles[-4:]
        world.poll(DAY)
    assert world.watch.stats().seen < 100


def test_an_address_is_remembered_for_as_long_as_a_file_may_list_it(world):
    world.paths["/feed"] = lambda call: Answer(body=feed(world.articles), headers={"ETag": f'"{len(world.articles)}"'})
    world.add()
    for _ in range(100):
        world.poll(1.2 * DAY)
    world.publish(5)
    assert world.poll(1.2 * DAY) == ["Story 5"]


def test_opml_goes_out_and_comes_back(world):
    world.add()
    world.watch.add(Source(kind=SourceKind.NEWS_SITEMAP, url="https://a.example/news.xml?a=1&b=2", title='A "B" <C>'))
    exported = world.watch.export_opml()
    lines = parse_opml(exported)
    assert [(line.kind, line.url) for line in lines] == [
        ("feed", FEED),
        ("news_sitemap", "https://a.example/news.xml?a=1&b=2"),
    ]
    assert lines[1].title == 'A "B" <C>'
    assert [source.id for source in world.watch.import_opml(exported)] == [1, 2]


@pytest.mark.parametrize("kind", list(SourceKind))
def test_every_kind_of_source_comes_back_from_opml_as_it_was(world, kind, sqlite_store):
    world.watch.add(Source(kind=kind, url=FEED))
    with Watchlist(sqlite_store + "2", session=world.session) as other:
        other.import_opml(world.watch.export_opml())
        told = [(source.kind, source.url, source.origin) for source in other.sources(children=True)]
    assert told == [(kind, FEED, "https://a.example")]


@pytest.mark.parametrize(
    "title, kept",
    [
        ("<b>A</b> & 'B'", "<b>A</b> & 'B'"),
        ("A\u00a0B\u3000C\nD", "A B C D"),
        ("\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0645\u06cc\u200c\u0634\u0648\u062f"),
        ("a\x00b\x07\ufffe\ud800c", "abc"),
    ],
)
def test_titles_survive_opml(world, title, kept):
    world.watch.add(Source(kind=SourceKind.FEED, url=FEED, title=title))
    assert parse_opml(world.watch.export_opml().encode())[0].title == kept


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"])
def test_opml_is_read_in_any_encoding(encoding):
    name = encoding.removesuffix("-sig")
    text = (
        f'<?xml version="1.0" encoding="{name}"?><opml><body><outline text="Z\u00fcrich" xmlUrl="{FEED}?a=1&amp;b=2"/>'
    )
    for data in (text, text.encode(encoding)):
        assert [(line.title, line.url) for line in parse_opml(data)] == [("Z\u00fcrich", f"{FEED}?a=1&b=2")]


def test_folders_and_repeated_outlines_of_opml_give_each_source_once():
    data = (
        f'<opml><body><outline text="News"><outline xmlUrl="{FEED}"/><outline text="deep"><outline xmlUrl="{FEED}#x"/>'
        '<outline xmlUrl="HTTPS://B.example:443/f"/><outline xmlUrl="ftp://x/y"/><outline xmlUrl="http://u:p@c.example/"/>'
    )
    assert [line.url for line in parse_opml(data)] == [FEED, "https://b.example/f"]


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"\xff\xfe\x00", b"<a", "<opml><body><outline xmlUrl='nonsense'/></body></opml>"]
)
def test_broken_opml_gives_what_can_be_read(data):
    assert parse_opml(data) == ()


def test_opml_with_bare_ampersands_and_strange_spellings_is_read():
    data = '<opml><body><outline TEXT="x" xmlURL="feed://a.example/rss?a=1&b=2"/><outline xmlUrl="http://b.example/'
    assert parse_opml(data)[0].url == "http://a.example/rss?a=1&b=2"


# -- the store


def test_a_store_of_a_newer_version_is_refused(world, store):
    engine = create_engine(store.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE meta SET schema_version = 999"))
    engine.dispose()
    with pytest.raises(InvalidStore, match="999"):
        Watchlist(store, session=world.session)


@pytest.mark.parametrize("version", range(len(database.STEPS) + 1))
def test_a_store_of_every_older_version_is_brought_up_to_date(store, version, monkeypatch):
    newest = database.STEPS
    monkeypatch.setattr(database, "STEPS", newest[:version])
    database.Database(store).close() if version else None
    # One step more than there is: the way from the newest version to the next has to work too.
    step = lambda connection: connection.execute(text("ALTER TABLE source ADD COLUMN one_more INTEGER"))  # noqa: E731
    monkeypatch.setattr(database, "STEPS", (*newest, step))
    opened = database.Database(store)
    columns = {column["name"] for column in inspect(opened.engine).get_columns("source")}
    assert columns == {column.name for column in metadata.tables["source"].columns} | {"one_more"}
    with opened.reading() as connection:
        assert connection.scalar(text("SELECT schema_version FROM meta")) == len(newest) + 1
    opened.close()


@pytest.mark.parametrize("url", ["mysql://a/b", "nonsense", "oracle://x"])
def test_another_database_is_refused(url):
    with pytest.raises(InvalidStore):
        Watchlist(url)


def test_without_sqlalchemy_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *args):
        if name.startswith("sqlalchemy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name="sqlalchemy")
        return real(name, *args)

    for name in [name for name in sys.modules if name.startswith("sitediscover.watch.") and "watchlist" not in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingPackage, match=r"sitediscover\[watch\]"):
        Watchlist()


def test_importing_the_package_imports_no_sqlalchemy():
    program = "import sys, sitediscover.watch; print('sqlalchemy' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )
