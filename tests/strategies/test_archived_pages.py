"""Articles that a web archive knows of: a CDX server asked once."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from sitediscover import Discoverer, PoliteSession
from sitediscover.errors import FetchError, InvalidUrl
from sitediscover.model import Outcome, SourceKind
from sitediscover.parse.sitemap import SitemapKind, parse_sitemap
from sitediscover.site import Site
from sitediscover.strategies import DEFAULT_STRATEGIES, registry
from sitediscover.strategies.archived_pages import ArchivedPages
from sitediscover.testing import Answer, FakeWeb, page

SITE = "https://paper.example"
ARCHIVE = "https://archive.example"
ENDPOINT = f"{ARCHIVE}/cdx"


def story(number):
    return f"/2024/05/{number:02}/a-story-worth-telling-{number}"


def capture(url, stamp="20240601120000"):
    return f"{url} {stamp}"


CAPTURES = [
    capture(f"http://paper.example:80{story(1)}", "20240501080000"),
    capture(f"https://www.paper.example{story(2)}", "20240502080000"),
    *(capture(SITE + story(number), f"202405{number:02}080000") for number in range(3, 9)),
    capture(f"{SITE}/politics/"),
    capture(f"{SITE}/"),
]


def cdx(lines, *, fields="original,timestamp"):
    width = fields.count(",") + 1
    return "".join(" ".join(line.split(" ")[:width]) + "\n" for line in lines)


def web_with(lines, rules="", archive_rules=""):
    def answer(call):
        return cdx(lines, fields=parse_qs(urlsplit(call.url).query)["fl"][0])

    return FakeWeb(
        {
            SITE: {"/robots.txt": rules, "/": page()},
            ARCHIVE: {"/robots.txt": archive_rules, "*": answer if not isinstance(lines, Answer) else lines},
        }
    )


def find(web, site=SITE, **options):
    opened = Site(site, web.session())
    return list(ArchivedPages(endpoint=ENDPOINT, **options).discover(opened)), opened


def asked(web):
    (url,) = [url for url in web.requests if url.startswith(ENDPOINT)]
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def test_articles_of_an_archive_become_one_source():
    (source,), _ = find(web_with(CAPTURES))
    assert source.kind is SourceKind.ARTICLE_SITEMAP
    assert source.found_by == "archived-pages"
    assert {article.url for article in source.articles} == {
        SITE + story(1),
        f"https://www.paper.example{story(2)}",
        *(SITE + story(number) for number in range(3, 9)),
    }
    assert source.articles[0].modified == datetime(2024, 5, 8, 8, tzinfo=UTC)
    assert [article.published for article in source.articles] == [None] * 8
    assert source.evidence.count == 10
    assert source.evidence.article_share == 0.8
    assert source.evidence.newest == datetime(2024, 5, 8, 8, tzinfo=UTC)
    assert source.evidence.flags == ("archived",)


def test_the_source_can_be_polled_as_a_text_sitemap():
    web = web_with(CAPTURES)
    (source,), opened = find(web)
    listed = parse_sitemap(opened.get(source.url, step="poll").body, source.url)
    assert len(list(listed)) == len(CAPTURES)
    assert listed.kind is SitemapKind.TEXT


def test_one_request_asks_for_the_whole_host():
    web = web_with(CAPTURES)
    find(web, "https://paper.example/blog/")
    assert asked(web) == {
        "url": "paper.example/",
        "matchType": "prefix",
        "fl": "original,timestamp",
        "filter": "statuscode:200",
        "collapse": "urlkey",
        "limit": "5000",
    }


def test_prefix_limit_and_since_are_told_to_the_archive():
    web = web_with(CAPTURES)
    find(web, prefix="/2024/", limit=7, since=date(2024, 5, 1))
    told = asked(web)
    assert (told["url"], told["limit"], told["from"]) == ("paper.example/2024/", "7", "20240501")


def test_an_endpoint_with_a_query_of_its_own_keeps_it():
    web = web_with(CAPTURES)
    opened = Site(SITE, web.session())
    assert list(ArchivedPages(endpoint=f"{ENDPOINT}?collection=a").discover(opened))
    assert asked(web)["collection"] == "a"


def test_as_many_as_were_asked_for_may_not_be_all():
    (source,), _ = find(web_with(CAPTURES), limit=10)
    assert source.evidence.flags == ("archived", "truncated")


def test_a_few_articles_are_no_source():
    assert find(web_with(CAPTURES[:4]))[0] == []


def test_lines_that_tell_nothing_are_passed_over():
    noise = ["", "nonsense", "ftp://paper.example/x 20240501080000", capture(f"https://other.example{story(1)}")]
    (source,), _ = find(web_with([*noise, *CAPTURES, capture(SITE + story(9), "20249901080000")]))
    assert len(source.articles) == 9
    assert (source.articles[-1].url, source.articles[-1].modified) == (SITE + story(9), None)


def test_a_time_that_is_none_is_no_date():
    (source,), _ = find(web_with([*CAPTURES, capture(SITE + story(9), "2024"), capture(SITE + story(10), "-")]))
    assert [article.modified for article in source.articles[-2:]] == [None, None]


def test_a_line_that_was_cut_is_passed_over():
    body = cdx(CAPTURES)
    web = web_with(Answer(body=body, headers={"Content-Length": str(len(body))}))
    opened = Site(SITE, web.session(max_body=body.index(story(8)) + 12))
    (source,) = ArchivedPages(endpoint=ENDPOINT).discover(opened)
    assert SITE + story(7) in {article.url for article in source.articles}
    assert not any(article.url in SITE + story(8) for article in source.articles)
    assert source.evidence.flags == ("archived", "truncated")


def test_what_the_sites_robots_txt_closes_is_not_offered():
    (source,), _ = find(web_with(CAPTURES, rules="User-agent: *\nDisallow: /2024/05/05/\n"))
    assert SITE + story(5) not in {article.url for article in source.articles}


def test_tracking_parameters_do_not_make_two_articles():
    twice = [*CAPTURES, capture(f"{SITE}{story(8)}?utm_source=x")]
    (source,), _ = find(web_with(twice))
    assert len(source.articles) == 8


def test_an_archive_that_closes_its_index_is_not_asked():
    web = web_with(CAPTURES, archive_rules="User-agent: *\nDisallow: /\n")
    with pytest.raises(FetchError):
        find(web)
    assert not any(url.startswith(ENDPOINT) for url in web.requests)


def test_an_archive_that_fails_is_a_failure_and_ends_nothing():
    found, opened = find(web_with(Answer(status=404)))
    assert found == []
    assert [failure.error for failure in opened.failures] == ["HTTP 404"]
    assert opened.stopped is None


def test_it_is_asked_only_where_it_is_named():
    assert "archived-pages" not in {strategy.name for strategy in DEFAULT_STRATEGIES}
    assert registry.get("archived-pages") == ArchivedPages()
    web = web_with(CAPTURES)
    with Discoverer([ArchivedPages(endpoint=ENDPOINT)], session=web.session()) as discoverer:
        found = discoverer.discover(SITE)
    assert found.outcome is Outcome.ARTICLE_SITEMAP
    assert found.best.url.startswith(ENDPOINT)
    web.requests.clear()
    assert Discoverer(session=web_with(CAPTURES).session()).discover(SITE).outcome is Outcome.NOTHING


def test_its_forecast_leaves_the_site_itself_the_first_say():
    opened = Site(SITE, web_with(CAPTURES).session())
    assert 0 < ArchivedPages().forecast(opened).value < 0.01


@pytest.mark.parametrize(
    "options, error", [({"endpoint": "archive"}, InvalidUrl), ({"limit": 0}, ValueError), ({"prefix": "x"}, ValueError)]
)
def test_options_that_make_no_sense_are_errors(options, error):
    with pytest.raises(error):
        ArchivedPages(**options)


class _Cdx(BaseHTTPRequestHandler):
    """A CDX server as far as we use one: prefix, fields, collapse by address, limit."""

    def do_GET(self):
        parts = urlsplit(self.path)
        told = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/cdx":
            lines = [line for line in self.server.captures if f"//{told['url']}" in line]
            body = cdx(sorted(lines)[: int(told["limit"])], fields=told["fl"])
        else:
            body = "<!doctype html><title>A paper</title><p>Nothing to follow."
        self.send_response(404 if parts.path == "/robots.txt" else 200)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def loopback():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Cdx) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        origin = f"http://127.0.0.1:{server.server_port}"
        server.captures = [capture(origin + story(number)) for number in range(1, 20)]
        yield origin
        server.shutdown()
        thread.join()


def test_a_cdx_server_on_a_real_socket_answers_the_whole_way(loopback):
    strategy = ArchivedPages(endpoint=f"{loopback}/cdx", limit=12)
    with PoliteSession(pause=0, allow_private=True) as session:
        found = Discoverer([strategy], session=session).discover(loopback)
        assert found.outcome is Outcome.ARTICLE_SITEMAP
        assert len(found.best.articles) == 12
        assert session.get(found.best.url).body.count(b"\n") == 12
