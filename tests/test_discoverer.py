"""The procedure: what is asked, in which order, and what it means."""

from datetime import UTC, datetime, timedelta

import pytest

from sitediscover import (
    CLASSIC_PATHS,
    AlternateLink,
    Article,
    CommonPaths,
    Discoverer,
    Discovery,
    Forecast,
    InvalidSite,
    Outcome,
    SitemapArticles,
    Source,
    SourceKind,
    StopReason,
    discover,
    registry,
)
from sitediscover.errors import RobotsDisallow, UnknownStrategy, Unreachable
from sitediscover.testing import Answer, FakeClock, FakeWeb, feed, page, redirect, sitemap_index, urlset

HOST = "https://paper.example"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def stories(count, *, at=NOW, section="news"):
    return [
        Article(
            url=f"{HOST}/{section}/2026/11/{n + 1:02}/mayor-opens-library-{n}",
            title=f"Story {n}",
            published=at,
            modified=at,
        )
        for n in range(count)
    ]


def robots(*lines):
    return "User-agent: *\n" + "\n".join(lines or ("Disallow: /private/",)) + "\n"


def asked(web):
    return [url.removeprefix(HOST) for url in web.requests]


def found_on(paths, *, site="paper.example", hosts=None, **options):
    web = FakeWeb({HOST: {"/robots.txt": robots(), "/": page(), **paths}, **(hosts or {})}, clock=FakeClock(NOW))
    session = web.session(**options.pop("session", {}))
    return Discoverer(session=session, **options).discover(site), web


# -- the two stops above all


def test_a_root_closed_to_us_ends_the_search_after_one_request():
    found, web = found_on({"/robots.txt": robots("Disallow: /", f"Sitemap: {HOST}/news.xml")})
    assert (found.outcome, found.stopped.reason, asked(web)) == (
        Outcome.STOPPED,
        StopReason.ROBOTS_DISALLOW,
        ["/robots.txt"],
    )


@pytest.mark.parametrize(
    "answer, reason",
    [
        (Answer(status=503), StopReason.ROBOTS_UNREACHABLE),
        (Answer(status=429), StopReason.RATE_LIMITED),
        (Answer(error="timeout"), StopReason.UNREACHABLE),
        (Answer(error="tls"), StopReason.UNREACHABLE),
    ],
)
def test_without_readable_rules_the_site_is_left_alone(answer, reason):
    found, web = found_on({"/robots.txt": answer}, site=HOST)
    assert found.stopped.reason is reason
    assert set(asked(web)) == {"/robots.txt"}


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_robots_txt_that_answers_4xx_means_no_rules(status):
    found, _ = found_on({"/robots.txt": Answer(status=status), "/": page(feeds=["/feed"])})
    assert found.outcome is Outcome.FEED


@pytest.mark.parametrize(
    "answer, reason",
    [
        (Answer(status=401), StopReason.FRONT_PAGE_REFUSED),
        (Answer(status=403), StopReason.FRONT_PAGE_REFUSED),
        (Answer(status=202), StopReason.FRONT_PAGE_REFUSED),
        (Answer(status=429), StopReason.RATE_LIMITED),
        (Answer(body=page(), headers={"cf-mitigated": "challenge"}), StopReason.FRONT_PAGE_REFUSED),
    ],
)
def test_a_refusing_front_page_ends_the_search_after_two_requests(answer, reason):
    found, web = found_on({"/": answer})
    assert (found.outcome, found.stopped.reason, asked(web)) == (Outcome.STOPPED, reason, ["/robots.txt", "/"])
    assert found.stopped.url == f"{HOST}/"


def test_a_front_page_that_fails_is_unreachable():
    found, _ = found_on({"/": Answer(status=500)})
    assert found.stopped.reason is StopReason.UNREACHABLE
    assert "500" in found.stopped.detail


def test_a_missing_front_page_does_not_end_the_search():
    found, _ = found_on({"/": Answer(status=404), "/feed": feed([])})
    assert (found.outcome, found.best.url) == (Outcome.FEED, f"{HOST}/feed")


def test_a_site_that_does_not_answer_is_unreachable():
    found = discover("https://gone.example", session=FakeWeb({}).session())
    assert (found.outcome, found.stopped.reason) == (Outcome.STOPPED, StopReason.UNREACHABLE)


@pytest.mark.parametrize("site", ["http://10.0.0.1/", "localhost", "http://[::ffff:127.0.0.1]/", "2130706433"])
def test_a_private_address_costs_no_request(site):
    web = FakeWeb({})
    found = discover(site, session=web.session())
    assert (found.stopped.reason, web.requests) == (StopReason.BLOCKED_ADDRESS, [])


@pytest.mark.parametrize(
    "site",
    [
        "",
        "   ",
        "not a host",
        "ftp://paper.example",
        "paper.example:99999",
        "https://u:p@paper.example",
        "mailto:me@paper.example",
    ],
)
def test_a_text_that_names_no_site_raises_one_sentence(site):
    with pytest.raises(InvalidSite) as raised:
        discover(site, session=FakeWeb({}).session())
    assert str(raised.value)
    assert "\n" not in str(raised.value)


# -- which site is meant


@pytest.mark.parametrize(
    "site", ["paper.example", "PAPER.example.", "https://Paper.Example/", "feed://paper.example/", "//paper.example"]
)
def test_spellings_of_one_site(site):
    found, _ = found_on({"/": page(feeds=["/feed"])}, site=site)
    assert (found.site, found.best.url, len(found.requests)) == (HOST, f"{HOST}/feed", 2)


def test_an_international_host_is_asked_in_ascii():
    web = FakeWeb({"https://xn--bcher-kva.example": {"/": page(feeds=["/neu.xml"])}})
    assert discover("b\u00fccher.example", session=web.session()).best.url == "https://xn--bcher-kva.example/neu.xml"


def test_a_deep_address_means_its_site_and_feeds_under_its_path_go_first():
    found, web = found_on({"/": page(feeds=["/all.xml", "/blog/feed.xml"])}, site=f"{HOST}/blog/")
    assert asked(web) == ["/robots.txt", "/"]
    assert found.best.url == f"{HOST}/blog/feed.xml"


def test_http_is_tried_where_https_does_not_answer_and_no_scheme_was_given():
    web = FakeWeb({"http://paper.example": {"/": page(feeds=["/feed"])}})
    found = discover("paper.example", session=web.session())
    assert (found.site, found.best.url) == ("http://paper.example", "http://paper.example/feed")


@pytest.mark.parametrize("site", ["https://paper.example", "https://paper.example/x"])
def test_an_explicit_https_never_falls_back_to_http(site):
    web = FakeWeb({"http://paper.example": {"/": page(feeds=["/feed"])}})
    assert discover(site, session=web.session()).outcome is Outcome.STOPPED
    assert not [url for url in web.requests if url.startswith("http:")]


def test_a_certificate_failure_never_leads_to_http():
    web = FakeWeb({HOST: {"*": Answer(error="tls")}, "http://paper.example": {"/": page(feeds=["/feed"])}})
    assert discover("paper.example", session=web.session()).stopped.reason is StopReason.UNREACHABLE
    assert web.requests == [f"{HOST}/robots.txt"]


# -- where the site is now


def test_a_site_that_has_moved_for_good_is_followed_there():
    hosts = {"https://new.example": {"/": page(), "/feed": feed([])}}
    found, _ = found_on({"/": redirect("https://new.example/", 301)}, hosts=hosts)
    assert found.best.url == "https://new.example/feed"


def test_guesses_stay_at_home_where_a_consent_wall_is_passing():
    hosts = {"https://consent.other.example": {"/": page(), "/feed": feed([])}}
    found, web = found_on({"/": redirect("https://consent.other.example/", 302), "/feed": feed([])}, hosts=hosts)
    assert found.best.url == f"{HOST}/feed"
    assert "https://consent.other.example/feed" not in web.requests


def test_a_redirect_inside_the_domain_moves_the_guesses():
    hosts = {"https://www.paper.example": {"/": page(), "/feed": feed([])}}
    found, _ = found_on({"/": redirect("https://www.paper.example/", 302)}, hosts=hosts)
    assert found.best.url == "https://www.paper.example/feed"


def test_the_sitemaps_that_the_new_place_names_go_first():
    new = "https://www.paper.example"
    hosts = {
        new: {
            "/robots.txt": robots(f"Sitemap: {new}/today.xml"),
            "/": page(),
            "/today.xml": urlset(stories(9), news="P"),
        }
    }
    found, _ = found_on({"/": redirect(f"{new}/")}, hosts=hosts)
    assert found.best.url == f"{new}/today.xml"


def test_a_meta_refresh_counts_as_a_redirect():
    shell = page(head='<meta http-equiv="refresh" content="0; url=/start">')
    found, web = found_on({"/": shell, "/start": page(feeds=["/feed"])})
    assert (found.best.url, asked(web)) == (f"{HOST}/feed", ["/robots.txt", "/", "/start"])


def test_a_front_page_that_leads_to_a_closed_host_ends_the_search():
    hosts = {"https://www.paper.example": {"/robots.txt": robots("Disallow: /"), "/": page(feeds=["/feed"])}}
    found, web = found_on({"/": redirect("https://www.paper.example/")}, hosts=hosts)
    assert found.stopped.reason is StopReason.ROBOTS_DISALLOW
    assert "https://www.paper.example/" not in web.requests


def test_a_front_page_that_leads_to_a_private_address_ends_the_search():
    found, web = found_on({"/": redirect("http://169.254.169.254/latest/")})
    assert (found.stopped.reason, asked(web)) == (StopReason.BLOCKED_ADDRESS, ["/robots.txt", "/"])


def test_a_circle_of_redirects_is_unreachable_with_the_reason_in_words():
    found, _ = found_on({"/": redirect("/a"), "/a": redirect("/")})
    assert found.stopped.reason is StopReason.UNREACHABLE
    assert found.stopped.detail


# -- sources


def test_an_advertised_feed_is_trusted_unfetched_wherever_it_lives():
    found, web = found_on({"/": page(feeds=["https://feeds.other.example/paper", "/feed"])})
    assert [source.url for source in found.sources] == ["https://feeds.other.example/paper", f"{HOST}/feed"]
    assert (found.outcome, len(found.requests), asked(web)) == (Outcome.FEED, 2, ["/robots.txt", "/"])
    assert {source.found_by for source in found.sources} == {"alternate-link"}


def test_an_advertised_feed_that_robots_txt_closes_is_no_source_but_a_failure():
    found, _ = found_on({"/robots.txt": robots("Disallow: /rss"), "/": page(feeds=["/rss", "/feed"])})
    assert [source.url for source in found.sources] == [f"{HOST}/feed"]
    assert [(failure.url, failure.strategy) for failure in found.failures] == [(f"{HOST}/rss", "alternate-link")]


@pytest.mark.parametrize(
    "address", ["http://10.0.0.1/feed", "https://localhost/feed", "http://169.254.169.254/latest/"]
)
def test_an_advertised_address_of_a_private_network_is_no_source_but_a_failure(address):
    found, _ = found_on({"/": page(feeds=[address, "/feed"])})
    assert [source.url for source in found.sources] == [f"{HOST}/feed"]
    assert found.failures[0].error.startswith("BlockedAddress")


def test_feeds_of_comments_alone_are_a_last_resort():
    comments = page(feeds=["/comments/feed/"])
    found, _ = found_on({"/": comments})
    assert (found.best.url, found.best.evidence.flags) == (f"{HOST}/comments/feed/", ("unverified", "comments"))
    assert found_on({"/": comments, "/rss": feed([])})[0].best.url == f"{HOST}/rss"


def test_a_plain_link_that_looks_like_a_feed_is_asked_before_it_is_believed():
    found, web = found_on({"/": page(["/rss.php", "/about"]), "/rss.php": feed(stories(3))})
    assert (found.best.url, asked(web)) == (f"{HOST}/rss.php", ["/robots.txt", "/", "/rss.php"])
    assert len(found.best.articles) == 3
    assert found_on({"/": page(["/rss.php"]), "/rss.php": page()})[0].outcome is Outcome.NOTHING


def test_a_front_page_that_is_a_feed_is_the_source():
    found, web = found_on({"/": feed(stories(3), title="All of it")})
    assert (found.best.url, found.best.title, len(web.requests)) == (f"{HOST}/", "All of it", 2)


def test_the_address_of_a_feed_given_as_the_site_is_asked_first():
    found, web = found_on({"/news/rss.xml": feed([])}, site=f"{HOST}/news/rss.xml")
    assert (found.best.url, asked(web)) == (f"{HOST}/news/rss.xml", ["/robots.txt", "/", "/news/rss.xml"])


def test_a_guess_is_a_feed_only_by_its_body():
    found, web = found_on({"/feed": Answer(status=404), "/rss": feed([])}, order="listed")
    assert found.best.url == f"{HOST}/rss"
    assert asked(web)[-1] == "/rss"


def test_the_classic_paths_are_asked_in_their_order():
    _, web = found_on({}, order="listed", strategies=[CommonPaths(paths=CLASSIC_PATHS)])
    assert asked(web) == ["/robots.txt", "/", *CLASSIC_PATHS]


def test_a_news_sitemap_gives_its_articles_and_its_siblings():
    lines = [f"Sitemap: {HOST}/index.xml"]
    paths = {
        "/robots.txt": robots(*lines),
        "/index.xml": sitemap_index([f"{HOST}/sport.xml", f"{HOST}/news.xml"]),
        "/news.xml": urlset(stories(12), news="The Paper"),
    }
    found, web = found_on(paths)
    assert (found.outcome, asked(web)) == (Outcome.NEWS_SITEMAP, ["/robots.txt", "/", "/index.xml", "/news.xml"])
    best = found.best
    assert (best.url, best.title, best.found_on, best.siblings) == (
        f"{HOST}/news.xml",
        "The Paper",
        f"{HOST}/index.xml",
        (f"{HOST}/sport.xml",),
    )
    assert [(a.title, a.published) for a in best.articles] == [(f"Story {n}", NOW) for n in range(12)]
    assert best.evidence.article_share == 1.0


def test_the_strategies_share_one_survey():
    names = [f"{HOST}/{n}.xml" for n in range(6)]
    useless = {f"/{n}.xml": urlset([]) for n in range(6)}
    found, web = found_on({"/robots.txt": robots(*(f"Sitemap: {name}" for name in names)), **useless}, order="listed")
    read = [path for path in asked(web) if path.endswith(".xml") and path[1].isdigit()]
    assert read == ["/0.xml", "/1.xml", "/2.xml", "/3.xml"]
    assert found.outcome is Outcome.NOTHING


def test_five_children_of_an_index_are_read_and_each_once():
    children = [f"{HOST}/c{n}.xml" for n in (0, 0, 0, 1, 2, 3, 4, 5, 6)]
    paths = {
        "/robots.txt": robots(f"Sitemap: {HOST}/i.xml"),
        "/i.xml": sitemap_index(children),
        **{f"/c{n}.xml": urlset([]) for n in range(7)},
    }
    _, web = found_on(paths)
    assert [path for path in asked(web) if path.startswith("/c")] == [f"/c{n}.xml" for n in range(5)]


def test_an_index_that_lists_itself_ends():
    paths = {"/robots.txt": robots(f"Sitemap: {HOST}/i.xml"), "/i.xml": sitemap_index([f"{HOST}/i.xml"])}
    _, web = found_on(paths)
    assert asked(web).count("/i.xml") == 1


def test_a_feed_named_in_a_sitemap_line_is_a_feed():
    found, _ = found_on({"/robots.txt": robots(f"Sitemap: {HOST}/latest"), "/latest": feed(stories(5))})
    assert (found.outcome, found.best.url, len(found.best.articles)) == (Outcome.FEED, f"{HOST}/latest", 5)


def test_a_sitemap_that_robots_txt_closes_is_never_asked():
    found, web = found_on(
        {
            "/robots.txt": robots("Disallow: /maps/", f"Sitemap: {HOST}/maps/news.xml"),
            "/maps/news.xml": urlset(stories(9), news="P"),
        }
    )
    assert "/maps/news.xml" not in asked(web)
    assert f"{HOST}/maps/news.xml" in [failure.url for failure in found.failures]


def test_a_stale_sitemap_is_a_last_resort_and_flagged():
    old = stories(9, at=NOW - timedelta(days=900))
    found, _ = found_on({"/robots.txt": robots(f"Sitemap: {HOST}/old.xml"), "/old.xml": urlset(old)})
    assert (found.outcome, found.best.url) == (Outcome.ARTICLE_SITEMAP, f"{HOST}/old.xml")
    assert "stale" in found.best.evidence.flags


def test_a_stale_sitemap_gives_way_to_a_guessed_feed():
    old = stories(9, at=NOW - timedelta(days=900))
    found, _ = found_on({"/robots.txt": robots(f"Sitemap: {HOST}/old.xml"), "/old.xml": urlset(old), "/rss": feed([])})
    assert [source.kind for source in found.sources] == [SourceKind.FEED]


def test_sitemap_xml_is_asked_where_robots_txt_names_none():
    found, _ = found_on({"/sitemap.xml": urlset(stories(9))})
    assert (found.outcome, found.best.url, found.best.found_on) == (
        Outcome.ARTICLE_SITEMAP,
        f"{HOST}/sitemap.xml",
        None,
    )


SECTIONS = ["/politics/", "/sport/", "/culture/", "/business/", "/world/", "/science/", "/travel/", "/opinion/"]


def section_page(count=12):
    return page([story.url for story in stories(count)])


def test_sections_of_a_sitemap_carry_their_lastmod_and_one_is_read_as_a_proof():
    listed = [Article(url=HOST + path, modified=NOW) for path in SECTIONS]
    paths = {
        "/robots.txt": robots(f"Sitemap: {HOST}/sections.xml"),
        "/sections.xml": urlset(listed),
        **dict.fromkeys(SECTIONS, section_page()),
    }
    found, web = found_on(paths)
    assert (found.outcome, asked(web)) == (Outcome.SECTIONS, ["/robots.txt", "/", "/sections.xml", "/politics/"])
    assert [(s.url, s.modified) for s in found.best.sections] == [(HOST + path, NOW) for path in SECTIONS]
    assert len(found.best.articles) == 12


def test_sections_that_the_front_page_links_are_the_last_way():
    found, web = found_on({"/": page(SECTIONS), "/politics/": section_page()})
    assert found.outcome is Outcome.SECTIONS
    assert asked(web)[-1] == "/politics/"
    assert [section.url for section in found.best.sections] == [HOST + path for path in SECTIONS]


def test_the_front_page_joins_the_sections_where_it_lists_articles():
    found, _ = found_on({"/": page([*SECTIONS, *(story.url for story in stories(9))]), "/politics/": section_page()})
    assert found.best.sections[-1].url == f"{HOST}/"
    assert len(found.best.sections) == len(SECTIONS) + 1


def test_sections_that_list_no_articles_are_none():
    found, _ = found_on({"/": page(SECTIONS), **dict.fromkeys(SECTIONS, page(SECTIONS))})
    assert found.outcome is Outcome.NOTHING


def test_closed_sections_are_neither_asked_nor_offered():
    closed = robots("Disallow: /politics/", "Disallow: /sport/")
    found, web = found_on({"/robots.txt": closed, "/": page(SECTIONS), **dict.fromkeys(SECTIONS, section_page())})
    assert {"/politics/", "/sport/"}.isdisjoint(asked(web))
    assert {f"{HOST}/politics/", f"{HOST}/sport/"}.isdisjoint(section.url for section in found.best.sections)


def test_an_html_site_map_is_one_more_place_where_sections_are_listed():
    paths = {"/": page(["/sitemap.html"]), "/sitemap.html": page(SECTIONS), **dict.fromkeys(SECTIONS, section_page())}
    found, web = found_on(paths)
    assert [section.url for section in found.best.sections] == [HOST + path for path in SECTIONS]
    assert asked(web)[-2:] == ["/sitemap.html", "/politics/"]


def test_a_section_that_fails_as_a_proof_gives_way_to_the_next():
    paths = {"/": page(SECTIONS), "/politics/": Answer(status=404), "/sport/": page(), "/culture/": section_page()}
    found, web = found_on(paths)
    assert found.outcome is Outcome.SECTIONS
    assert asked(web)[-3:] == ["/politics/", "/sport/", "/culture/"]


# -- refusals on the way


def test_three_refusals_in_a_row_end_guessing():
    refused = dict.fromkeys(CLASSIC_PATHS, Answer(status=403))
    _, web = found_on(refused, strategies=[CommonPaths(paths=CLASSIC_PATHS)])
    assert asked(web) == ["/robots.txt", "/", *CLASSIC_PATHS[:3]]


def test_a_429_on_the_way_ends_the_site():
    found, web = found_on({"/rss": Answer(status=429), "/feed.xml": feed([])})
    assert found.stopped.reason is StopReason.RATE_LIMITED
    assert asked(web)[-1] == "/rss"


def test_a_site_that_answers_everything_with_a_page_is_noticed_after_two_guesses():
    _, web = found_on({"*": page()}, strategies=[CommonPaths()])
    assert len(asked(web)) == 4


def test_a_site_that_sends_every_missing_page_home_is_noticed_after_two_guesses():
    _, web = found_on({"*": redirect("/", 302)}, strategies=[CommonPaths()])
    assert [path for path in asked(web) if path not in ("/", "/robots.txt")] == ["/feed", "/rss"]


def test_an_address_that_a_guess_led_to_is_not_guessed_again():
    _, web = found_on({"/feed": redirect("/feed/")}, strategies=[CommonPaths(paths=CLASSIC_PATHS)])
    assert asked(web).count("/feed/") == 1


def test_a_guess_that_gets_no_answer_counts_as_a_refusal():
    silent = dict.fromkeys(CLASSIC_PATHS, Answer(error="timeout"))
    found, web = found_on(silent, strategies=[CommonPaths(paths=CLASSIC_PATHS)])
    assert asked(web) == ["/robots.txt", "/", *CLASSIC_PATHS[:3]]
    assert len(found.failures) == 3


def test_the_budget_ends_the_search_and_is_said():
    found, web = found_on({}, session={"max_requests": 4})
    assert (found.outcome, found.stopped.reason, len(web.requests)) == (Outcome.STOPPED, StopReason.BUDGET_SPENT, 4)


def test_what_was_found_before_the_budget_was_spent_stays():
    found, _ = found_on({"/": page(feeds=["/feed"])}, session={"max_requests": 3}, thorough=True)
    assert (found.outcome, found.stopped.reason) == (Outcome.FEED, StopReason.BUDGET_SPENT)


def test_the_log_is_the_whole_cost_in_order():
    found, web = found_on({"/feed": redirect("/feeds/"), "/feeds/": feed([])})
    assert [request.url for request in found.requests] == web.requests
    assert [request.step for request in found.requests][:2] == ["robots", "front-page"]


# -- orders, strategies of one's own


def test_a_generator_tag_moves_its_address_to_the_front():
    found, web = found_on({"/": page(head='<meta name="generator" content="Ghost 5.0">'), "/rss/": feed([])})
    assert (found.best.url, len(web.requests)) == (f"{HOST}/rss/", 3)


def test_a_header_that_names_the_platform_does_so_too():
    front = Answer(body=page(), headers={"Link": f'<{HOST}/wp-json/>; rel="https://api.w.org/"'})
    found, web = found_on({"/": front, "/feed/": feed([])})
    assert (found.best.url, len(web.requests)) == (f"{HOST}/feed/", 3)


@pytest.mark.parametrize(
    "mark, path",
    [
        ('<link rel="stylesheet" href="/wp-content/themes/paper/style.css">', "/feed/"),
        ('<script data-ghost="https://paper.example/"></script>', "/rss/"),
        ('<img src="https://substackcdn.com/image/1.png">', "/feed"),
        ('<script src="https://www.blogger.com/static/v1/widgets/1.js"></script>', "/feeds/posts/default"),
    ],
)
def test_what_a_page_is_made_of_moves_its_address_to_the_front_where_no_tag_tells(mark, path):
    found, web = found_on({"/": page(head=mark), path: feed([])})
    assert (found.best.url, asked(web)) == (HOST + path, ["/robots.txt", "/", path])


def test_the_feeds_of_a_page_about_feeds_are_asked():
    about = page(head='<link rel="alternate" type="application/rss+xml" href="/data/all">')
    found, web = found_on({"/": page(["/feeds"]), "/feeds": about, "/data/all": feed([])})
    assert (found.best.url, asked(web)) == (f"{HOST}/data/all", ["/robots.txt", "/", "/feeds", "/data/all"])


def test_of_a_page_about_feeds_no_more_than_two_are_asked():
    _, web = found_on({"/": page(["/feeds"]), "/feeds": page([f"/{n}/rss.xml" for n in range(5)])})
    assert [path for path in asked(web) if path.endswith("/rss.xml") and path[1].isdigit()] == [
        "/0/rss.xml",
        "/1/rss.xml",
    ]


def test_a_page_about_feeds_adds_nothing_to_paths_of_your_own():
    _, web = found_on({"/feed": page(["/a/rss.xml"])}, strategies=[CommonPaths(paths=["/feed"])])
    assert asked(web) == ["/robots.txt", "/", "/feed"]


def test_the_final_slash_is_tried_last_where_the_site_writes_it():
    found, web = found_on({"/": page(["/about/", "/team/", "/x"]), "/feed/": feed([])})
    assert (found.best.url, asked(web)[-1], asked(web).count("/feed")) == (f"{HOST}/feed/", "/feed/", 1)
    _, web = found_on({"/": page(["/about", "/team"]), "/feed/": feed([])})
    assert "/feed/" not in asked(web)


def test_a_refresh_header_counts_as_a_meta_refresh():
    front = Answer(headers={"Refresh": "0; url=/home"})
    found, web = found_on({"/": front, "/home": page(feeds=["/all.rss"])})
    assert (found.best.url, asked(web)) == (f"{HOST}/all.rss", ["/robots.txt", "/", "/home"])


def test_a_front_page_changed_by_a_proxy_is_a_page():
    found, _ = found_on({"/": Answer(status=203, body=page(feeds=["/all.rss"]))})
    assert found.best.url == f"{HOST}/all.rss"


def test_a_sitemap_named_like_news_goes_before_guesses_in_adaptive_order_only():
    paths = {
        "/robots.txt": robots(f"Sitemap: {HOST}/news.xml"),
        "/news.xml": urlset(stories(9), news="P"),
        "/feed": feed([]),
    }
    assert found_on(paths)[0].outcome is Outcome.NEWS_SITEMAP
    assert found_on(paths, order="listed")[0].outcome is Outcome.FEED


class Mine:
    name = "mine"

    def discover(self, site):
        answer = site.get(f"{site.origin}/secret.xml", step=self.name)
        if answer.status == 200:
            yield Source(kind=SourceKind.FEED, url=answer.final_url)


def test_a_strategy_is_ten_lines_and_passed_as_an_object():
    found, _ = found_on({"/secret.xml": feed([])}, strategies=[Mine()])
    assert (found.best.url, found.best.found_by) == (f"{HOST}/secret.xml", "mine")


def test_a_strategy_is_registered_by_a_decorator_and_named():
    try:
        registry.register("mine")(Mine)
        found, _ = found_on({"/secret.xml": feed([])}, strategies=["alternate-link", "mine"])
    finally:
        registry.unregister("mine")
    assert found.best.found_by == "mine"


def test_a_strategy_is_named_by_its_import_path():
    found, _ = found_on({"/rss": feed([])}, strategies=["sitediscover.strategies:CommonPaths"])
    assert found.best.found_by == "common-paths"


def test_a_generator_function_is_a_strategy_of_its_name():
    def my_guess(site):
        yield Source(kind=SourceKind.FEED, url=f"{site.origin}/x")

    assert found_on({}, strategies=[my_guess])[0].best.found_by == "my-guess"


def test_an_unknown_strategy_or_order_raises_at_once():
    with pytest.raises(UnknownStrategy):
        Discoverer(["no-such"], session=FakeWeb({}).session())
    with pytest.raises(ValueError, match="adaptive, listed"):
        Discoverer(order="random", session=FakeWeb({}).session())


def test_an_expected_error_of_a_strategy_becomes_a_failure_and_the_next_has_its_turn():
    class Failing:
        name = "failing"

        def discover(self, site):
            raise Unreachable(f"{site.origin}/x", "no answer")
            yield

    found, _ = found_on({"/secret.xml": feed([])}, strategies=[Failing(), Mine()])
    assert found.best.found_by == "mine"
    assert [(f.strategy, f.url, f.error) for f in found.failures] == [
        ("failing", f"{HOST}/x", "Unreachable: no answer")
    ]


def test_a_programming_error_of_a_strategy_propagates():
    def broken(site):
        raise KeyError(site.origin)
        yield

    with pytest.raises(KeyError):
        found_on({}, strategies=[broken])


def test_a_strategy_may_not_ask_what_robots_txt_closes():
    def nosy(site):
        with pytest.raises(RobotsDisallow):
            site.get(f"{site.origin}/private/feed", step="nosy")
        yield Source(kind=SourceKind.FEED, url=f"{site.origin}/ok")

    found, web = found_on({"/private/feed": feed([])}, strategies=[nosy])
    assert found.best is not None
    assert "/private/feed" not in asked(web)


def test_a_strategy_with_a_forecast_goes_before_those_with_worse_ones():
    class Sure(Mine):
        def forecast(self, site):
            return Forecast(chance=1.0, requests=1.0)

    found, web = found_on({"/secret.xml": feed([]), "/feed": feed([])}, strategies=[CommonPaths(), Sure()])
    assert (found.best.found_by, asked(web)[2:]) == ("mine", ["/secret.xml"])


def test_after_the_first_find_a_strategy_may_go_on_for_nothing_but_not_ask():
    def greedy(site):
        yield Source(kind=SourceKind.FEED, url=f"{site.origin}/1")
        yield Source(kind=SourceKind.FEED, url=f"{site.origin}/2")
        site.get(f"{site.origin}/3", step="greedy")
        yield Source(kind=SourceKind.FEED, url=f"{site.origin}/3")

    found, web = found_on({}, strategies=[greedy, Mine()])
    assert [source.url for source in found.sources] == [f"{HOST}/1", f"{HOST}/2"]
    assert len(web.requests) == 2


def test_thorough_returns_everything_best_first_and_each_once():
    paths = {
        "/robots.txt": robots(f"Sitemap: {HOST}/news.xml", f"Sitemap: {HOST}/all.xml"),
        "/": page([story.url for story in stories(5)], feeds=["/feed"]),
        "/news.xml": urlset(stories(9), news="P"),
        "/all.xml": urlset(stories(9)),
        "/feed": feed([]),
    }
    found, _ = found_on(paths, thorough=True)
    kinds = [source.kind for source in found.sources]
    assert kinds == [SourceKind.FEED, SourceKind.NEWS_SITEMAP, SourceKind.ARTICLE_SITEMAP, SourceKind.SECTIONS]


def test_iterating_asks_no_more_than_what_is_taken():
    web = FakeWeb({HOST: {"/": page(feeds=["/feed"]), "/rss": feed([])}})
    with Discoverer([AlternateLink(), CommonPaths()], session=web.session(), thorough=True) as discoverer:
        sources = discoverer.iter("paper.example")
        assert web.requests == []
        assert next(sources).url == f"{HOST}/feed"
        assert len(web.requests) == 2
        assert next(sources).url == f"{HOST}/rss"


def test_iterating_ends_with_the_last_resort():
    old = stories(9, at=NOW - timedelta(days=900))
    web = FakeWeb(
        {HOST: {"/robots.txt": robots(f"Sitemap: {HOST}/old.xml"), "/": page(), "/old.xml": urlset(old)}},
        clock=FakeClock(NOW),
    )
    discoverer = Discoverer([SitemapArticles()], session=web.session())
    assert [source.url for source in discoverer.iter("paper.example")] == [f"{HOST}/old.xml"]


def test_a_discovery_survives_json():
    found, _ = found_on({"/robots.txt": robots(f"Sitemap: {HOST}/news.xml"), "/news.xml": urlset(stories(9), news="P")})
    assert Discovery.from_dict(found.to_dict()) == found


def test_a_session_of_its_own_is_closed_with_the_discoverer():
    with Discoverer() as discoverer:
        assert discoverer.discover("http://127.0.0.1/").stopped.reason is StopReason.BLOCKED_ADDRESS
