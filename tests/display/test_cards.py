"""Cards: what they say, that nothing a stranger wrote gets out of its place, and that they ask nobody."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover import Discovery, Evidence, Failure, Outcome, Request, Source, SourceKind
from sitediscover.display import markup
from sitediscover.display.style import SCOPE, STYLE
from sitediscover.model import Section
from sitediscover.testing import FakeWeb, urlset
from sitediscover.walk import SitemapWalk, find_news_sitemaps

SITE = "https://paper.example"
VOID = {"br", "col"}
OURS = {
    *("style", "div", "p", "a", "bdi", "strong", "span", "ul", "li", "details", "summary"),
    *("table", "colgroup", "col", "thead", "tbody", "tr", "th", "td", "br"),
}


class Card(HTMLParser):
    """A card, read as strictly as HTML can be."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.links, self.styles, self.texts, self.open = [], [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert len(dict(attributes)) == len(attributes)
        self.tags.append((tag, dict(attributes)))
        if tag == "a":
            self.links.append(dict(attributes))
        if "style" in dict(attributes):
            self.styles.append(dict(attributes)["style"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join("".join(self.texts).split())


def assert_harmless(html):
    """Check a card against all that it promises, whatever is in it."""
    card = Card(html)
    assert html.startswith(STYLE)
    assert html.count("<style>") == html.count("</style>") == 1
    assert {tag for tag, _ in card.tags} <= OURS
    allowed = {"class", "style", "href", "target", "rel", "referrerpolicy", "open", "scope"}
    assert {name for _, attributes in card.tags for name in attributes} <= allowed
    for link in card.links:
        assert re.match(r"https?://[^\s/]", link["href"])
        assert set(link["rel"].split()) == {"noopener", "noreferrer"}
        assert (link["referrerpolicy"], link["target"]) == ("no-referrer", "_blank")
    numbers = r"left:\d+\.\d\d%;width:\d+\.\d\d%|width:\d+%"
    assert all(re.fullmatch(numbers, style) for style in card.styles)
    html.encode("utf-8")
    assert "\x00" not in html
    return card


def test_the_verdict_stands_in_a_line():
    requests = (Request(step="robots", url=SITE, seconds=0.6), Request(step="front-page", url=SITE, seconds=0.8))
    found = Discovery(site=SITE, outcome=Outcome.FEED, requests=requests)
    assert "Feed, 2 requests, 1.4 s" in Card(found._repr_html_()).text


@pytest.mark.parametrize("outcome, hoped", [(each, each not in ("nothing", "stopped")) for each in Outcome])
def test_every_outcome_has_its_words_and_its_colour(outcome, hoped):
    html = Discovery(site=SITE, outcome=outcome)._repr_html_()
    assert f"{outcome.replace('_', ' ').capitalize()}, 0 requests, 0 s" in assert_harmless(html).text
    assert ('class="sd-verdict"' in html) is hoped


def test_a_discovery_shows_sources_requests_and_failures(found):
    card = assert_harmless(found._repr_html_())
    for told in (
        "The Paper",
        "found by alternate-link on paper.example/",
        "application/rss+xml",
        "40 judged, 98% article-shaped, newest 2026-03-02 12:30 UTC; stale, mixed",
        "2 articles",
        "1 section",
        "1 sibling",
        "4 requests, one at a time",
        "12 kB",
        "1 failure",
        "common-paths: paper.example/rss",
        "BadStatus: 403",
        "rate limited, paper.example/atom.xml: 429 for 60 s",
    ):
        assert told in card.text
    assert {f"{SITE}/feed.xml", f"{SITE}/a", f"{SITE}/sport/", f"{SITE}/robots.txt"} <= {a["href"] for a in card.links}


def test_the_waterfall_goes_from_one_answer_to_the_next(found):
    card = Card(found._repr_html_())
    bars = [style for style in card.styles if style.startswith("left")]
    assert bars == [
        "left:0.00%;width:12.50%",
        "left:12.50%;width:37.50%",
        "left:50.00%;width:25.00%",
        "left:75.00%;width:25.00%",
    ]
    kinds = [attributes["class"] for _, attributes in card.tags if "sd-bar" in attributes.get("class", "")]
    assert kinds == ["sd-bar sd-hop", "sd-bar sd-ok", "sd-bar sd-fail", "sd-bar sd-fail"]


def test_an_answer_that_nothing_has_changed_is_no_redirect():
    found = Discovery(
        site=SITE, outcome=Outcome.FEED, requests=(Request(step="feed", url=SITE, status=304, seconds=1),)
    )
    assert "sd-bar sd-ok" in found._repr_html_()


def test_a_source_shows_its_articles_at_once(found):
    card = assert_harmless(found.best._repr_html_())
    assert any(tag == "details" and "open" in attributes for tag, attributes in card.tags)
    assert "A story" in card.text


def test_a_source_that_tells_nothing_is_a_line():
    source = Source(kind=SourceKind.FEED, url=f"{SITE}/feed")
    assert assert_harmless(source._repr_html_()).text == "feedpaper.example/feed"
    bare = replace(source, evidence=Evidence(flags=("unverified",)), found_by="common-paths")
    assert Card(bare._repr_html_()).text == "feedpaper.example/feedfound by common-paths at a guessed addressunverified"


def test_what_is_not_shown_is_counted():
    source = Source(
        kind=SourceKind.SECTIONS,
        url=SITE,
        sections=tuple(Section(url=f"{SITE}/{n}/") for n in range(100)),
        siblings=tuple(f"{SITE}/{n}.xml" for n in range(40)),
    )
    found = Discovery(
        site=SITE,
        outcome=Outcome.SECTIONS,
        sources=(source,) * 30,
        failures=tuple(Failure(strategy="x", url=SITE, error="y") for _ in range(20)),
        requests=tuple(Request(step="x", url=SITE, seconds=0.1) for _ in range(100)),
    )
    text = assert_harmless(found._repr_html_()).text
    for told in (
        "85 more in sections",
        "25 more in siblings",
        "20 more in sources",
        "5 more in failures",
        "40 more in requests",
    ):
        assert told in text


def test_nothing_a_stranger_wrote_gets_out_of_its_place(hostile):
    for html in (hostile._repr_html_(), hostile.best._repr_html_()):
        card = assert_harmless(html)
        assert "alert(1)" in card.text, "it is shown as the text it is"
        assert not any("bad.example" not in link["href"] for link in card.links)


TEXTS = st.text(alphabet=st.characters(exclude_categories=[])) | st.sampled_from(["", "</style>", "<!--", "&lt", "]]>"])


@given(TEXTS, TEXTS)
def test_any_text_stays_a_text(url, title):
    source = Source(kind=SourceKind.FEED, url=url, title=title, found_on=url, language=title)
    found = Discovery(
        site=url,
        outcome=Outcome.FEED,
        sources=(source,),
        failures=(Failure(strategy=title, url=url, error=title),),
        requests=(Request(step=title, url=url, seconds=1, note=title),),
    )
    assert_harmless(found._repr_html_())


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "java\nscript:alert(1)",
        " https://a.example",
        "https://a.example/\n",
        "https://a b.example/",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://a.example/",
        "//a.example/",
        "/path",
        "https:",
        "https:///path",
        "https://[::1",
        "",
    ],
)
def test_what_is_no_address_of_the_web_is_no_link(url):
    assert "<a" not in markup.link(url)
    assert "<a" not in markup.link(url, "a title")


def test_an_address_keeps_its_meaning_as_a_link():
    url = f"{SITE}/a?b=1&c=<2>&d='\"&copy=1"
    (link,) = Card(markup.link(url)).links
    assert link["href"] == url


def test_a_site_that_goes_without_saying_is_left_out():
    assert Card(markup.link(f"{SITE}/a", site=SITE)).text == "/a"
    assert Card(markup.link(f"{SITE}.evil.example/a", site=SITE)).text == "paper.example.evil.example/a"
    assert Card(markup.link("http://paper.example/a", site=SITE)).text == "http://paper.example/a"


def test_a_long_text_is_cut_and_says_so():
    shown = Card(markup.text("x" * 10_000)).text
    assert len(shown) == markup.MAX_TEXT
    assert shown.endswith("\u2026")


@pytest.mark.parametrize(
    "seconds, told",
    [
        (0, "0 s"),
        (1e-5, "< 1 ms"),
        (0.083, "83 ms"),
        (1.44, "1.4 s"),
        (59.9, "60 s"),
        (90, "1.5 min"),
        (7200, "2.0 h"),
        (86_400 * 12, "12 d"),
    ],
)
def test_spans_are_told_in_two_digits(seconds, told):
    assert markup.duration(seconds) == told


@pytest.mark.parametrize(
    "number, told",
    [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (136_380, "136 kB"), (2e6, "2.0 MB"), (3e13, "30000 GB")],
)
def test_sizes_are_told_in_their_unit(number, told):
    assert markup.size(number) == told


def test_every_rule_of_the_style_is_bound_to_the_card():
    rules = re.sub(r"@media[^{]*\{(.*?\})\}", r"\1", STYLE.removeprefix("<style>").removesuffix("</style>"))
    selectors = [one for rule in re.findall(r"([^{}]+)\{", rules) for one in rule.split(",")]
    assert len(selectors) > 30
    assert all(f".{SCOPE}" in one for one in selectors)
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    assert "position: fixed" not in STYLE


def test_a_walk_shows_how_far_it_has_gone_and_asks_nothing(web, walk):
    assert "0 sitemaps read, 0 pending, 0 requests" in assert_harmless(walk._repr_html_()).text
    next(walk)
    asked = len(web.calls)
    card = assert_harmless(walk._repr_html_())
    assert "1 sitemap read, 2 pending, 3 requests" in card.text
    assert len(web.calls) == asked
    list(walk)
    text = assert_harmless(walk._repr_html_()).text
    for told in ("3 sitemaps read, 0 pending", "absent", "HTTP 404", "1 closed", "lastmod dates: fine"):
        assert told in text


def test_a_search_for_news_shows_itself_like_a_walk(web):
    search = find_news_sitemaps("paper.example", session=web.session())
    assert [source.url for source in search] == [f"{SITE}/news.xml"]
    assert "/news.xml" in assert_harmless(search._repr_html_()).text


def test_a_walk_that_was_stopped_says_why():
    walk = SitemapWalk("paper.example", session=FakeWeb({}).session())
    assert list(walk) == []
    text = assert_harmless(walk._repr_html_()).text
    assert "0 sitemaps read" in text
    assert "unreachable" in text


def test_files_past_thirty_are_counted():
    names = "".join(f"Sitemap: {SITE}/{number}.xml\n" for number in range(70))
    web = FakeWeb({SITE: {"/robots.txt": names, "*": urlset([f"{SITE}/2026/01/01/a-story-of-ours"])}})
    walk = SitemapWalk("paper.example", session=web.session(max_requests=36))
    list(walk)
    text = assert_harmless(walk._repr_html_()).text
    assert f"{len(walk.reports) - 30} more in reports" in text
    assert f"{len(walk.pending) - 30} more in pending" in text


def test_a_watchlist_shows_its_figures_and_sources(clock, watch, web):
    assert "0 sources, 0 hosts, 0 due" in assert_harmless(watch._repr_html_()).text
    info = watch.add("paper.example")
    clock.advance(3_600)
    text = assert_harmless(watch._repr_html_()).text
    assert re.search(r"1 source, \d hosts?, 1 due, the first for 1\.0 h", text)
    assert "paper.example/feed.xml" in text
    assert "live" in text
    web.adapter._web[SITE]["/feed.xml"] = lambda call: "<html>no feed any more</html>"
    list(watch.poll())
    text = assert_harmless(watch._repr_html_()).text
    assert "0 due, the next at 2026-03-02" in text
    assert watch.source(info.id).error in text


def test_sources_past_thirty_are_told_of(watch):
    for number in range(31):
        watch.add(Source(kind=SourceKind.FEED, url=f"{SITE}/{number}.rss"), provisional=True)
    text = assert_harmless(watch._repr_html_()).text
    assert "more in sources()" in text
    assert "31 provisional" in text


def test_results_keep_the_text_that_dataclasses_give_them(found):
    assert repr(found).startswith("Discovery(site='https://paper.example', outcome=<Outcome.FEED: 'feed'>")
    assert repr(found.best).startswith("Source(kind=<SourceKind.FEED")


def test_importing_the_package_imports_nothing_that_draws():
    names = "sitediscover.display", "pandas", "numpy", "matplotlib"
    code = f"import sys, sitediscover.walk, sitediscover.watch; print([n for n in {names!r} if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_card_needs_neither_pandas_nor_matplotlib():
    code = (
        "import sys; sys.modules['pandas'] = sys.modules['matplotlib'] = None\n"
        "from sitediscover.model import Discovery, Outcome\n"
        "assert 'sitediscover-card' in Discovery(site='https://a.example', outcome=Outcome.NOTHING)._repr_html_()"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
