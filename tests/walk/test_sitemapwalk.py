"""A walk through a sitemap tree: lazy, bounded, honest."""

from __future__ import annotations

import gzip
from datetime import UTC, date, datetime, timedelta

import pytest

from sitediscover.errors import InvalidSite, RobotsUnreachable
from sitediscover.model import Article, StopReason
from sitediscover.testing import Answer, FakeWeb, page, redirect, sitemap_index, urlset
from sitediscover.walk import WELL_KNOWN_SITEMAPS, LastmodTrust, SitemapStatus, SitemapStub, SitemapWalk, children, tree

SITE = "https://site.example"
SINCE = datetime(2026, 1, 10, tzinfo=UTC)
OLD, NEW = SINCE - timedelta(days=5), SINCE + timedelta(days=5)


def robots(*sitemaps, rules=""):
    return rules + "".join(f"Sitemap: {url}\n" for url in sitemaps)


def pages(*names):
    return urlset(f"{SITE}/{name}" for name in names)


def site_with(files, *, named=("/index.xml",), rules="", others=None):
    """Return a web whose site names some of its files in robots.txt."""
    top = {"/robots.txt": robots(*(SITE + path for path in named), rules=rules)}
    return FakeWeb({SITE: {**top, **files}, **(others or {})})


def walk(web, site=SITE, *, max_requests=100, **options):
    return SitemapWalk(site, session=web.session(max_requests=max_requests), **options)


def names(entries):
    return [entry.url.removeprefix(f"{SITE}/") for entry in entries]


def told(walk):
    return {report.url.removeprefix(SITE): report.status for report in walk.reports}


# -- where it starts ----------------------------------------------------------------------------------------------


def test_the_first_page_of_5000_files_costs_three_requests():
    files = [f"{SITE}/part-{number}.xml" for number in range(5_000)]
    web = site_with({"/index.xml": sitemap_index(files), "/part-0.xml": pages("a", "b")})
    under_way = walk(web)
    assert next(under_way).url == f"{SITE}/a"
    assert web.requests == [f"{SITE}/robots.txt", f"{SITE}/index.xml", f"{SITE}/part-0.xml"]
    assert len(under_way.pending) == 4_999
    assert under_way.pending[0] == SitemapStub(url=files[1], parent=f"{SITE}/index.xml", depth=1)


def test_nothing_is_asked_before_the_first_page_is_wanted():
    web = site_with({"/index.xml": pages("a")})
    walk(web)
    assert web.requests == []


def test_a_page_knows_its_sitemap():
    web = site_with({"/index.xml": sitemap_index([f"{SITE}/1.xml"]), "/1.xml": pages("a")})
    assert [entry.sitemap for entry in walk(web)] == [f"{SITE}/1.xml"]


def test_sitemaps_of_robots_txt_are_read_news_names_first_each_once():
    web = site_with(
        {"/all.xml": pages("a"), "/news.xml": pages("n")}, named=("/all.xml", "/news.xml", "/all.xml", "/robots.txt")
    )
    assert names(walk(web)) == ["n", "a"]
    assert len(web.requests) == 3


def test_usual_names_are_asked_until_one_answers():
    web = FakeWeb({SITE: {"/wp-sitemap.xml": pages("a"), "/sitemap.txt": f"{SITE}/never"}})
    under_way = walk(web)
    assert names(under_way) == ["a"]
    assert [url.removeprefix(SITE) for url in web.requests] == [
        "/robots.txt",
        "/sitemap.xml",
        "/sitemap_index.xml",
        "/wp-sitemap.xml",
    ]
    assert told(under_way)["/sitemap.xml"] is SitemapStatus.ABSENT
    assert under_way.pending == ()


def test_guessing_goes_on_after_an_empty_file():
    web = FakeWeb({SITE: {"/sitemap.xml": urlset([]), "/sitemap_index.xml": pages("a")}})
    assert names(walk(web)) == ["a"]


@pytest.mark.parametrize(
    "answer, asked",
    [(Answer(status=403), 3), (page(["/x"]), 2), (Answer(status=404), 8), (Answer(error="tls"), 3)],
)
def test_guessing_ends_at_a_wall_and_where_every_address_is_a_page(answer, asked):
    web = FakeWeb({SITE: {"/robots.txt": "", "*": answer}})
    assert list(walk(web)) == []
    assert len({url for url in web.requests if url != f"{SITE}/robots.txt"}) == asked


def test_guesses_that_robots_txt_closes_are_passed_over():
    closed = "".join(f"Disallow: {path}\n" for path in WELL_KNOWN_SITEMAPS[:5])
    web = FakeWeb({SITE: {"/robots.txt": f"User-agent: *\n{closed}", WELL_KNOWN_SITEMAPS[5]: pages("a")}})
    assert names(walk(web)) == ["a"]
    assert len(web.requests) == 2


def test_a_guess_that_does_not_answer_is_followed_by_the_next():
    web = FakeWeb({SITE: {"/sitemap.xml": Answer(error="timeout"), "/sitemap_index.xml": pages("a")}})
    under_way = walk(web)
    assert names(under_way) == ["a"]
    assert told(under_way)["/sitemap.xml"] is SitemapStatus.UNREACHABLE


def test_a_robots_txt_that_names_itself_names_no_sitemap():
    web = FakeWeb({SITE: {"/robots.txt": robots(f"{SITE}/robots.txt"), "/sitemap.xml": pages("a")}})
    assert names(walk(web)) == ["a"]


def test_the_address_of_a_sitemap_is_walked_alone():
    web = site_with({"/deep/map.xml.gz": pages("a"), "/index.xml": pages("never")})
    assert names(walk(web, f"{SITE}/deep/map.xml.gz")) == ["a"]
    assert f"{SITE}/index.xml" not in web.requests


def test_any_other_address_stands_for_its_site():
    web = site_with({"/index.xml": pages("a")})
    assert names(walk(web, "site.example/some/page.html")) == ["a"]


def test_http_is_asked_where_the_https_port_does_not_answer():
    plain = "http://old.example"
    web = FakeWeb({plain: {"/robots.txt": robots(f"{plain}/s.xml"), "/s.xml": urlset([f"{plain}/a"])}})
    under_way = walk(web, "old.example")
    assert [entry.url for entry in under_way] == [f"{plain}/a"]
    assert under_way.site == plain


def test_a_text_that_names_no_site_is_an_error():
    with pytest.raises(InvalidSite):
        SitemapWalk("ftp://a.example")


def test_a_depth_below_zero_is_an_error():
    with pytest.raises(ValueError, match="max_depth"):
        SitemapWalk(SITE, max_depth=-1)


def test_a_walk_closes_the_session_that_is_its_own():
    with SitemapWalk(SITE) as under_way:
        assert under_way.session is not None


# -- going on -----------------------------------------------------------------------------------------------------


def test_a_second_loop_goes_on_where_the_first_was_left():
    web = site_with({"/index.xml": pages("a", "b", "c")})
    under_way = walk(web)
    for entry in under_way:
        assert names([entry]) == ["a"]
        break
    assert names(under_way) == ["b", "c"]
    assert len(web.requests) == 2


def test_other_pages_can_be_asked_with_the_same_session_in_the_loop():
    web = site_with({"/index.xml": pages("a", "b"), "/a": page(), "/b": page()})
    session = web.session()
    assert [session.get(entry.url).status for entry in SitemapWalk(SITE, session=session)] == [200, 200]


def test_a_walk_shows_where_it_is():
    web = site_with({"/index.xml": sitemap_index([f"{SITE}/{n}.xml" for n in range(3)]), "/0.xml": pages("a")})
    under_way = walk(web)
    next(under_way)
    assert repr(under_way) == "<SitemapWalk https://site.example: 1 sitemaps read, 2 pending>"


def test_what_chooses_may_fail_and_nothing_is_lost():
    web = site_with({"/index.xml": sitemap_index([f"{SITE}/1.xml"]), "/1.xml": pages("a")})
    failing = [True]

    def choose(children):
        if failing.pop():
            raise KeyboardInterrupt
        return children

    failing.insert(0, False)
    under_way = walk(web, choose=choose)
    with pytest.raises(KeyboardInterrupt):
        next(under_way)
    assert [stub.url for stub in under_way.pending] == [f"{SITE}/index.xml"]
    assert names(under_way) == ["a"]
    assert len(under_way.reports) == 2


def test_an_interrupt_in_the_middle_of_a_file_loses_nothing(monkeypatch):
    web = site_with({"/index.xml": pages("a", "b", "c")})
    under_way = walk(web)
    next(under_way)
    with monkeypatch.context() as patch:
        patch.setattr(under_way, "_kept", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            next(under_way)
    assert [stub.url for stub in under_way.pending] == [f"{SITE}/index.xml"]
    assert names(under_way) == ["b", "c"]
    assert under_way.reports[0].entries == 3


# -- what is wanted -----------------------------------------------------------------------------------------------


def test_children_whose_lastmod_is_older_are_skipped_and_undated_ones_are_not():
    web = site_with(
        {
            "/index.xml": sitemap_index([(f"{SITE}/old.xml", OLD), (f"{SITE}/new.xml", NEW), f"{SITE}/undated.xml"]),
            "/new.xml": pages("new"),
            "/undated.xml": pages("undated"),
        }
    )
    under_way = walk(web, since=SINCE)
    assert names(under_way) == ["new", "undated"]
    assert under_way.reports[0].skipped == 1
    assert f"{SITE}/old.xml" not in web.requests


def test_pages_older_than_since_are_left_out_and_counted():
    articles = [Article(url=f"{SITE}/{name}", modified=at) for name, at in (("old", OLD), ("new", NEW), ("none", None))]
    under_way = walk(site_with({"/index.xml": urlset(articles)}), since=SINCE)
    assert names(under_way) == ["new", "none"]
    assert (under_way.reports[0].entries, under_way.reports[0].older) == (3, 1)


@pytest.mark.parametrize(
    "lastmod, stays",
    [("2026", True), ("2026-01", True), ("2026-01-10", True), ("2026-01-09", False), ("2025", False), ("9999", True)],
)
def test_a_date_that_may_reach_since_stays(lastmod, stays):
    file = f"<urlset><url><loc>{SITE}/a</loc><lastmod>{lastmod}</lastmod></url></urlset>"
    noon = datetime(2026, 1, 10, 12, tzinfo=UTC)
    assert names(walk(site_with({"/index.xml": file}), since=noon)) == ["a"] * stays


@pytest.mark.parametrize("published, stays", [("2026-01-10", True), ("2026-01-10T11:00:00Z", False)])
def test_news_is_dated_by_its_publication(published, stays):
    file = (
        '<urlset xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">'
        f"<url><loc>{SITE}/a</loc><news:news><news:publication_date>{published}</news:publication_date></news:news></url>"
        "</urlset>"
    )
    noon = datetime(2026, 1, 10, 12, tzinfo=UTC)
    assert names(walk(site_with({"/index.xml": file}), since=noon)) == ["a"] * stays


@pytest.mark.parametrize(
    "since",
    [date(2026, 1, 10), datetime(2026, 1, 10), timedelta(days=20)],  # noqa: DTZ001 - a naive one is what is tested
)
def test_since_is_a_moment_a_day_or_a_time_before_now(since):
    articles = [Article(url=f"{SITE}/{name}", modified=at) for name, at in (("old", OLD), ("new", NEW))]
    web = site_with({"/index.xml": urlset(articles)})
    web.clock.advance((SINCE + timedelta(days=20) - web.clock.now).total_seconds())
    assert names(walk(web, since=since)) == ["new"]


def test_choose_filters_and_orders_the_children():
    children = [f"{SITE}/{name}.xml" for name in ("pages", "posts-1", "posts-2")]
    web = site_with({"/index.xml": sitemap_index(children), "/posts-1.xml": pages("p1"), "/posts-2.xml": pages("p2")})
    given = []

    def choose(stubs):
        given.extend(stubs)
        return (stub for stub in reversed(stubs) if "posts" in stub.url)

    under_way = walk(web, choose=choose)
    assert names(under_way) == ["p2", "p1"]
    assert [stub.url for stub in given] == children
    assert under_way.reports[0].skipped == 1
    assert f"{SITE}/pages.xml" not in web.requests


def test_choose_may_only_return_what_it_was_given():
    web = site_with({"/index.xml": sitemap_index([f"{SITE}/1.xml"])})
    with pytest.raises(ValueError, match="not given"):
        next(walk(web, choose=lambda _: [SitemapStub(url=f"{SITE}/other.xml")]))


def test_without_choose_news_goes_first_then_the_newest():
    children = [(f"{SITE}/old.xml", OLD), (f"{SITE}/new.xml", NEW), f"{SITE}/google-news.xml"]
    web = site_with(
        {"/index.xml": sitemap_index(children), **{f"/{n}.xml": pages(n) for n in ("old", "new", "google-news")}}
    )
    assert names(walk(web)) == ["google-news", "new", "old"]


# -- bounds -------------------------------------------------------------------------------------------------------


def test_a_site_that_lists_its_own_sitemap_among_its_pages_is_no_index():
    web = site_with({"/index.xml": pages("sitemap.xml", "a", "b"), "/sitemap.xml": pages("a")})
    under_way = walk(web)
    assert names(under_way) == ["sitemap.xml", "a", "b"]
    assert len(web.requests) == 2


def test_a_urlset_of_sitemaps_is_an_index():
    web = site_with({"/index.xml": pages("sitemap-1.xml", "sitemap-2.xml"), "/sitemap-1.xml": pages("a")})
    under_way = walk(web)
    assert names(under_way) == ["a"]
    assert told(under_way)["/sitemap-2.xml"] is SitemapStatus.ABSENT


def test_the_budget_bounds_a_walk_and_the_rest_stays_pending():
    web = site_with(
        {
            "/index.xml": sitemap_index([f"{SITE}/{n}.xml" for n in range(5)]),
            **{f"/{n}.xml": pages(f"p{n}") for n in range(5)},
        }
    )
    under_way = walk(web, max_requests=4)
    assert names(under_way) == ["p0", "p1"]
    assert under_way.stopped.reason is StopReason.BUDGET_SPENT
    assert [stub.url for stub in under_way.pending] == [f"{SITE}/{n}.xml" for n in (2, 3, 4)]
    assert len(under_way.requests) == len(web.requests) == 4
    assert next(under_way, None) is None


def test_a_site_that_lists_itself_ends():
    web = site_with(
        {
            "/index.xml": sitemap_index([f"{SITE}/index.xml", f"{SITE}/b.xml"]),
            "/b.xml": sitemap_index([f"{SITE}/index.xml", f"{SITE}/b.xml", f"{SITE}/c.xml"]),
            "/c.xml": pages("a"),
        }
    )
    assert names(walk(web)) == ["a"]
    assert len(web.requests) == len(set(web.requests)) == 4


def test_a_file_that_leads_to_another_one_is_read_once():
    web = site_with(
        {
            "/index.xml": sitemap_index([f"{SITE}/{name}.xml" for name in ("a", "b", "c", "d")]),
            "/a.xml": redirect("/d.xml"),
            "/b.xml": redirect("/d.xml"),
            "/c.xml": pages("c"),
            "/d.xml": pages("d"),
        }
    )
    under_way = walk(web)
    entries = list(under_way)
    assert names(entries) == ["d", "c"]
    assert entries[0].sitemap == f"{SITE}/a.xml"
    assert told(under_way)["/b.xml"] is told(under_way)["/d.xml"] is SitemapStatus.REPEATED
    assert under_way.reports[1].final_url == f"{SITE}/d.xml"
    assert web.requests.count(f"{SITE}/d.xml") == 2  # once for each redirect; never as a child of its own


def test_a_child_of_two_indexes_is_fetched_once():
    web = site_with(
        {
            "/1.xml": sitemap_index([f"{SITE}/a.xml", f"{SITE}/a.xml"]),
            "/2.xml": sitemap_index([f"{SITE}/a.xml"]),
            "/a.xml": pages("a"),
        },
        named=("/1.xml", "/2.xml"),
    )
    assert names(walk(web)) == ["a"]


def nested(levels):
    files = {f"/{level}.xml": sitemap_index([f"{SITE}/{level + 1}.xml"]) for level in range(levels)}
    return site_with({**files, f"/{levels}.xml": pages("deep")}, named=("/0.xml",))


def test_files_below_max_depth_are_reported_and_not_asked():
    web = nested(4)
    under_way = walk(web)
    assert names(under_way) == []
    assert under_way.reports[-1].url == f"{SITE}/4.xml"
    assert under_way.reports[-1].status is SitemapStatus.TOO_DEEP
    assert under_way.reports[-1].depth == 4
    assert f"{SITE}/4.xml" not in web.requests


@pytest.mark.parametrize("levels, options", [(3, {}), (0, {"max_depth": 0}), (4, {"max_depth": 4})])
def test_files_at_max_depth_are_read(levels, options):
    assert names(walk(nested(levels), **options)) == ["deep"]


def test_many_children_that_are_too_deep_are_counted_and_not_all_reported():
    web = site_with({"/index.xml": sitemap_index(f"{SITE}/{n}.xml" for n in range(500))})
    under_way = walk(web, max_depth=0)
    assert list(under_way) == []
    assert under_way.reports[0].skipped == 500
    assert 0 < len(under_way.reports) < 200


def test_more_children_than_anyone_needs_are_counted_and_flagged(monkeypatch):
    monkeypatch.setattr(children, "MAX_CHILDREN", 3)
    web = site_with({"/index.xml": sitemap_index([f"{SITE}/{n}.xml" for n in (0, 0, 1, 2, 3, 4)])})
    under_way = walk(web, max_requests=2)
    assert list(under_way) == []
    report = under_way.reports[0]
    assert (report.status, report.truncated, report.skipped) == (SitemapStatus.TRUNCATED, True, 2)


def test_more_files_than_a_walk_keeps_in_mind_are_counted_and_flagged(monkeypatch):
    monkeypatch.setattr(tree, "MAX_PENDING", 2)
    web = site_with({"/index.xml": sitemap_index([f"{SITE}/{n}.xml" for n in range(5)])})
    under_way = walk(web, max_requests=2)
    assert list(under_way) == []
    assert len(under_way.pending) == 2
    assert (under_way.reports[0].truncated, under_way.reports[0].skipped) == (True, 3)


# -- other hosts --------------------------------------------------------------------------------------------------


def test_children_on_another_domain_are_flagged_and_not_asked():
    spam = "https://spam.example.net"
    web = site_with(
        {"/index.xml": sitemap_index([f"{spam}/s.xml", "https://cdn.site.example/s.xml"])},
        others={spam: {"*": pages("x")}, "https://cdn.site.example": {"/s.xml": pages("a")}},
    )
    under_way = walk(web)
    assert names(under_way) == ["a"]
    assert not any(url.startswith(spam) for url in web.requests)
    assert told(under_way)[f"{spam}/s.xml"] is SitemapStatus.OFF_SITE


def test_a_host_that_robots_txt_names_is_the_sites_own():
    maps = "https://maps.example.net"
    web = FakeWeb(
        {
            SITE: {"/robots.txt": robots(f"{maps}/site/index.xml")},
            maps: {"/site/index.xml": sitemap_index([f"{maps}/site/1.xml"]), "/site/1.xml": pages("a")},
        }
    )
    under_way = walk(web)
    assert [(entry.url, entry.off_site) for entry in under_way] == [(f"{SITE}/a", False)]
    assert f"{maps}/robots.txt" in web.requests


def test_pages_of_another_domain_are_flagged_and_counted():
    under_way = walk(site_with({"/index.xml": urlset([f"{SITE}/a", "https://ads.example.net/b"])}))
    assert [entry.off_site for entry in under_way] == [False, True]
    assert under_way.reports[0].off_site == 1


# -- robots.txt ---------------------------------------------------------------------------------------------------

CLOSED = "User-agent: *\nDisallow: /closed/\n"


def test_pages_that_robots_txt_closes_are_left_out_and_counted():
    under_way = walk(site_with({"/index.xml": pages("a", "closed/b", "c")}, rules=CLOSED))
    assert names(under_way) == ["a", "c"]
    assert (under_way.reports[0].entries, under_way.reports[0].closed) == (3, 1)


def test_closed_pages_are_given_where_the_caller_says_so():
    web = site_with({"/index.xml": pages("a", "closed/b")}, rules=CLOSED)
    assert names(walk(web, respect_robots=False)) == ["a", "closed/b"]


def test_a_page_is_judged_by_the_rules_of_its_own_host():
    web = site_with(
        {},
        named=(),
        rules=f"Sitemap: https://www.site.example/s.xml\n{CLOSED}",
        others={
            "https://www.site.example": {
                "/robots.txt": "User-agent: *\nDisallow: /secret/\n",
                "/s.xml": urlset(
                    f"https://{host}/{path}/x"
                    for host in ("www.site.example", "site.example", "unknown.example")
                    for path in ("secret", "closed")
                ),
            }
        },
    )
    assert [entry.url for entry in walk(web)] == [
        "https://www.site.example/closed/x",
        "https://site.example/secret/x",
        "https://unknown.example/secret/x",
        "https://unknown.example/closed/x",
    ]


def test_pages_of_a_host_whose_rules_are_not_known_are_open(monkeypatch):
    maps = "https://maps.site.example"
    web = FakeWeb(
        {
            SITE: {"/robots.txt": robots(f"{maps}/s.xml", rules=CLOSED)},
            maps: {"/s.xml": urlset([f"{maps}/closed/a", f"{SITE}/closed/b"])},
        }
    )
    session = web.session()
    ask = session.robots

    def forgetful(url, **options):
        if url.startswith(maps):
            raise RobotsUnreachable(url)
        return ask(url, **options)

    monkeypatch.setattr(session, "robots", forgetful)
    assert [entry.url for entry in SitemapWalk(SITE, session=session)] == [f"{maps}/closed/a"]


@pytest.mark.parametrize("respect_robots", [True, False])
def test_a_sitemap_that_robots_txt_closes_is_never_asked(respect_robots):
    web = site_with(
        {"/index.xml": sitemap_index([f"{SITE}/closed/1.xml", f"{SITE}/2.xml"]), "/2.xml": pages("a")}, rules=CLOSED
    )
    under_way = walk(web, respect_robots=respect_robots)
    assert names(under_way) == ["a"]
    assert told(under_way)["/closed/1.xml"] is SitemapStatus.BLOCKED
    assert f"{SITE}/closed/1.xml" not in web.requests


@pytest.mark.parametrize(
    "answer, reason",
    [
        ("User-agent: *\nDisallow: /\n", StopReason.ROBOTS_DISALLOW),
        (Answer(status=503), StopReason.ROBOTS_UNREACHABLE),
        (Answer(status=429), StopReason.RATE_LIMITED),
        (Answer(error="refused"), StopReason.UNREACHABLE),
    ],
)
def test_a_site_that_does_not_let_us_in_gives_nothing_and_says_why(answer, reason):
    under_way = walk(FakeWeb({SITE: {"/robots.txt": answer, "/sitemap.xml": pages("a")}}))
    assert list(under_way) == []
    assert under_way.stopped.reason is reason
    assert under_way.state()["begun"] is False


# -- reports ------------------------------------------------------------------------------------------------------


def test_reports_tell_every_kind_of_bad_file_apart():
    bad = {
        "/absent.xml": (Answer(status=404), SitemapStatus.ABSENT),
        "/gone.xml": (Answer(status=410), SitemapStatus.ABSENT),
        "/refused.xml": (Answer(status=403), SitemapStatus.BLOCKED),
        "/wall.xml": (Answer(status=202, body=page()), SitemapStatus.BLOCKED),
        "/challenge.xml": (Answer(headers={"cf-mitigated": "challenge"}, body=page()), SitemapStatus.BLOCKED),
        "/page.xml": (page(["/x"], title="Not here"), SitemapStatus.SOFT_404),
        "/malformed.xml": ("<nothing><of/></nothing>", SitemapStatus.MALFORMED),
        "/words.xml": ("no sitemap at all", SitemapStatus.MALFORMED),
        "/cut.xml": (pages("cut", "lost")[:-40], SitemapStatus.TRUNCATED),
        "/hollow.xml": (urlset([]), SitemapStatus.EMPTY),
        "/nothing.xml": ("", SitemapStatus.EMPTY),
        "/cut.xml.gz": (gzip.compress(pages("cut").encode())[:9], SitemapStatus.TRUNCATED),
        "/useless.xml": ("<urlset><url><loc>mailto:a@b.example</loc></url></urlset>", SitemapStatus.MALFORMED),
        "/no-content.xml": (Answer(status=204), SitemapStatus.EMPTY),
        "/down.xml": (Answer(status=500), SitemapStatus.UNREACHABLE),
        "/silent.xml": (Answer(error="timeout"), SitemapStatus.UNREACHABLE),
        "/odd.xml": (Answer(status=299), SitemapStatus.MALFORMED),
        "/fine.xml": (pages("fine"), SitemapStatus.OK),
    }
    web = site_with({path: answer for path, (answer, _) in bad.items()}, named=tuple(bad))
    under_way = walk(web)
    assert sorted(names(under_way)) == ["cut", "fine"]
    assert told(under_way) == {path: status for path, (_, status) in bad.items()}
    assert under_way.stopped is None
    reports = {report.url.removeprefix(SITE): report for report in under_way.reports}
    assert reports["/cut.xml"].truncated
    assert reports["/absent.xml"].error == "HTTP 404"
    assert reports["/fine.xml"].error is None
    assert [reports[path].dropped for path in ("/useless.xml", "/cut.xml", "/fine.xml")] == [1, 1, 0]
    assert reports["/silent.xml"].error.startswith("DeadlineExceeded: ")


def test_a_broken_file_gives_what_can_be_read():
    file = pages("a", "b").replace("</url>\n<url>", "</url>\n<oops><url>", 1)
    under_way = walk(site_with({"/index.xml": file}))
    assert names(under_way) == ["a", "b"]
    assert under_way.reports[0].status in (SitemapStatus.MALFORMED, SitemapStatus.TRUNCATED)
    assert under_way.reports[0].error


def test_a_body_that_broke_off_before_anything_came_is_no_empty_file():
    broken = Answer(headers={"Content-Length": "500"}, body=b"")
    under_way = walk(site_with({"/index.xml": broken}))
    assert list(under_way) == []
    assert under_way.reports[0].status in (SitemapStatus.UNREACHABLE, SitemapStatus.TRUNCATED)


def test_feeds_and_lists_of_addresses_are_walked_too():
    feed = f"<rss version='2.0'><channel><item><title>T</title><link>{SITE}/f</link></item></channel></rss>"
    under_way = walk(site_with({"/f.xml": feed, "/t.txt": f"{SITE}/t\n"}, named=("/f.xml", "/t.txt")))
    assert [(entry.url, entry.title) for entry in under_way] == [(f"{SITE}/f", "T"), (f"{SITE}/t", None)]
    assert [report.kind for report in under_way.reports] == ["feed", "text"]


def test_lastmod_is_judged_by_file_and_for_the_site():
    dated = urlset(Article(url=f"{SITE}/d{n}", modified=OLD - timedelta(days=n)) for n in range(10))
    same = urlset(Article(url=f"{SITE}/s{n}", modified=OLD) for n in range(30))
    web = site_with({"/d.xml": dated, "/s.xml": same}, named=("/d.xml", "/s.xml"))
    web.clock.advance(timedelta(days=30).total_seconds())
    under_way = walk(web)
    assert under_way.lastmod_trust is None
    assert len(list(under_way)) == 40
    assert [report.lastmod_trust for report in under_way.reports] == [LastmodTrust.FINE, LastmodTrust.ALL_SAME]
    assert under_way.lastmod_trust is LastmodTrust.ALL_SAME


# -- hosts that fall silent ---------------------------------------------------------------------------------------


def test_a_host_that_falls_silent_leaves_its_files_for_another_day():
    files = [f"https://maps.site.example/{n}.xml" for n in range(6)]
    web = site_with(
        {"/index.xml": sitemap_index([*files, f"{SITE}/own.xml"]), "/own.xml": pages("own")},
        others={"https://maps.site.example": {"/robots.txt": "", "*": Answer(error="timeout")}},
    )
    under_way = walk(web)
    assert names(under_way) == ["own"]
    assert [stub.url for stub in under_way.pending] == files
    assert {failure.url for failure in under_way.failures} == set(files[:3])
    resumed = SitemapWalk.resume(under_way.state(), session=web.session(max_requests=100))
    assert [stub.url for stub in resumed.pending] == files


def test_silent_files_between_answers_are_reported_and_do_not_end_a_walk():
    silent = Answer(error="timeout")
    files = {"/1.xml": silent, "/2.xml": silent, "/3.xml": pages("c"), "/4.xml": silent, "/5.xml": silent}
    under_way = walk(site_with(files, named=tuple(files)))
    assert names(under_way) == ["c"]
    assert sorted(path for path, status in told(under_way).items() if status is SitemapStatus.UNREACHABLE) == [
        "/1.xml",
        "/2.xml",
        "/4.xml",
        "/5.xml",
    ]
    assert under_way.pending == ()


def test_another_host_that_answers_429_is_left_alone_and_the_site_goes_on():
    files = [f"https://maps.site.example/{n}.xml" for n in range(3)]
    web = site_with(
        {"/index.xml": sitemap_index([*files, f"{SITE}/own.xml"]), "/own.xml": pages("own")},
        others={"https://maps.site.example": {"/robots.txt": "", "*": Answer(status=429)}},
    )
    under_way = walk(web)
    assert names(under_way) == ["own"]
    assert [stub.url for stub in under_way.pending] == files
    assert sum(url.startswith("https://maps") for url in web.requests) == 2


def test_429_of_the_site_itself_ends_the_walk():
    web = site_with(
        {
            "/index.xml": sitemap_index([f"{SITE}/{n}.xml" for n in range(3)]),
            "/0.xml": pages("a"),
            "*": Answer(status=429),
        }
    )
    under_way = walk(web)
    assert names(under_way) == ["a"]
    assert under_way.stopped.reason is StopReason.RATE_LIMITED
    assert [stub.url for stub in under_way.pending] == [f"{SITE}/1.xml", f"{SITE}/2.xml"]
