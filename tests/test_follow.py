from datetime import UTC, datetime, timedelta

import pytest

from sitediscover import Article, Discovery, Outcome, Section, Source, SourceKind, discover
from sitediscover.errors import BadStatus, BlockedAddress, RobotsDisallow, UnreadableSource
from sitediscover.follow import follow
from sitediscover.testing import Answer, FakeClock, FakeWeb, feed, page, sitemap_index, urlset

HOST = "https://paper.example"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def story(number, *, days=0, section="news"):
    at = NOW - timedelta(days=days)
    return Article(
        url=f"{HOST}/{section}/2026/11/30/mayor-opens-library-{number}",
        title=f"Story {number}",
        published=at,
        modified=at,
    )


def on(paths, **options):
    web = FakeWeb({HOST: paths}, clock=FakeClock(NOW))
    return web, web.session(**options)


def numbers(articles):
    return [int(article.url.rpartition("-")[2]) for article in articles]


def source(kind, path="/s", **more):
    return Source(kind=kind, url=HOST + path, **more)


@pytest.mark.parametrize(
    "kind, body",
    [
        (SourceKind.FEED, feed([story(1, days=3), story(2)])),
        (SourceKind.NEWS_SITEMAP, urlset([story(1, days=3), story(2)], news="P")),
        (SourceKind.ARTICLE_SITEMAP, urlset([story(1, days=3), story(2)])),
    ],
)
def test_every_kind_gives_articles_newest_first(kind, body):
    web, session = on({"/s": body})
    articles = list(follow(source(kind), session=session))
    assert numbers(articles) == [2, 1]
    assert {article.found_on for article in articles} == {f"{HOST}/s"}
    assert numbers(follow(source(kind), session=session, since=timedelta(days=1))) == [2]
    assert numbers(follow(source(kind), session=session, since=NOW - timedelta(days=1))) == [2]
    assert web.requests[:2] == [f"{HOST}/robots.txt", f"{HOST}/s"]


def test_articles_without_a_date_stay_whatever_since_says():
    _, session = on({"/s": urlset([story(1).url])})
    assert numbers(follow(source(SourceKind.ARTICLE_SITEMAP), session=session, since=timedelta(days=1))) == [1]


def test_nothing_is_asked_before_the_first_article_is_wanted():
    web, session = on({"/s": feed([story(1)])})
    articles = follow(source(SourceKind.FEED), session=session)
    assert web.requests == []
    assert next(articles).title == "Story 1"


def test_sections_are_read_one_after_another_and_each_article_comes_once():
    paths = {"/a": page([story(n).url for n in range(4)]), "/b": page([story(n).url for n in range(2, 6)])}
    web, session = on(paths)
    sections = (Section(url=f"{HOST}/a"), Section(url=f"{HOST}/b"))
    articles = follow(source(SourceKind.SECTIONS, "/", sections=sections), session=session)
    assert next(articles)
    assert f"{HOST}/b" not in web.requests
    assert numbers(articles) == [1, 2, 3, 4, 5]


def test_only_sections_that_moved_are_fetched_where_their_sitemap_tells():
    listing = [Article(url=f"{HOST}/a/", modified=NOW), Article(url=f"{HOST}/b/", modified=NOW - timedelta(days=9))]
    paths = {"/sections.xml": urlset(listing), "/a/": page([story(1).url]), "/b/": page([story(2).url])}
    web, session = on(paths)
    old = NOW - timedelta(days=20)
    sections = (Section(url=f"{HOST}/a/", modified=old), Section(url=f"{HOST}/b/", modified=old))
    told = source(SourceKind.SECTIONS, "/sections.xml", sections=sections)
    assert numbers(follow(told, session=session, since=timedelta(days=1))) == [1]
    assert f"{HOST}/b/" not in web.requests


def test_all_sections_are_read_where_their_sitemap_cannot_be_had():
    _web, session = on({"/sections.xml": Answer(status=404), "/a/": page([story(1).url])})
    told = source(
        SourceKind.SECTIONS, "/sections.xml", sections=(Section(url=f"{HOST}/a/", modified=NOW - timedelta(days=9)),)
    )
    assert numbers(follow(told, session=session, since=timedelta(days=1))) == [1]


def test_a_section_that_fails_costs_only_itself():
    _, session = on({"/a": Answer(status=500), "/b": page([story(1).url])})
    sections = (Section(url=f"{HOST}/a"), Section(url=f"{HOST}/b"))
    assert numbers(follow(source(SourceKind.SECTIONS, "/", sections=sections), session=session)) == [1]


def test_an_index_leads_to_its_children_and_old_ones_are_not_asked():
    children = [(f"{HOST}/old.xml", NOW - timedelta(days=90)), (f"{HOST}/new.xml", NOW)]
    web, session = on({"/s": sitemap_index(children), "/new.xml": urlset([story(1)]), "/old.xml": urlset([story(2)])})
    told = source(SourceKind.ARTICLE_SITEMAP)
    assert numbers(follow(told, session=session, since=timedelta(days=2))) == [1]
    assert f"{HOST}/old.xml" not in web.requests
    assert numbers(follow(told, session=session)) == [1, 2]


def test_the_budget_ends_the_reading_and_what_was_read_stays():
    paths = {
        "/s": sitemap_index([f"{HOST}/{n}.xml" for n in range(9)]),
        **{f"/{n}.xml": urlset([story(n)]) for n in range(9)},
    }
    web, session = on(paths, max_requests=4)
    assert len(list(follow(source(SourceKind.ARTICLE_SITEMAP), session=session))) == 2
    assert len(web.requests) == 4


@pytest.mark.parametrize(
    "body, count",
    [
        (feed([story(1), story(2)]), 2),
        (urlset([story(1), story(2), story(3)]), 3),
        (page([story(n).url for n in range(5)]), 5),
    ],
)
def test_an_address_is_followed_as_what_its_content_is(body, count):
    _, session = on({"/s": body})
    assert len(list(follow(f"{HOST}/s", session=session))) == count


def test_a_discovery_is_followed_by_its_best_source():
    _, session = on({"/": page(feeds=["/feed"]), "/feed": feed([story(1)])})
    assert numbers(follow(discover("paper.example", session=session), session=session)) == [1]


def test_a_discovery_that_found_nothing_cannot_be_followed():
    with pytest.raises(ValueError, match="nothing to follow"):
        follow(Discovery(site=HOST, outcome=Outcome.NOTHING))


def test_a_date_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        follow(source(SourceKind.FEED), since=datetime(2026, 1, 1))  # noqa: DTZ001 - that is the point


@pytest.mark.parametrize(
    "answer, error",
    [
        (Answer(status=404), BadStatus),
        (page(), UnreadableSource),
    ],
)
def test_a_source_that_is_gone_or_another_thing_raises(answer, error):
    _, session = on({"/s": answer})
    with pytest.raises(error):
        list(follow(source(SourceKind.FEED), session=session))


def test_robots_txt_binds_following_too():
    _, session = on({"/robots.txt": "User-agent: *\nDisallow: /s", "/s": feed([story(1)])})
    with pytest.raises(RobotsDisallow):
        list(follow(source(SourceKind.FEED), session=session))


def test_tracking_parameters_make_no_second_article():
    twice = [story(1), Article(url=story(1).url + "?utm_source=rss", title="again")]
    _, session = on({"/s": feed(twice)})
    assert len(list(follow(source(SourceKind.FEED), session=session))) == 1


def test_an_own_session_is_made_and_closed():
    with pytest.raises(BlockedAddress):
        list(follow("http://127.0.0.1/feed"))
