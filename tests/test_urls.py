"""URLs: what is taken, what is refused, and that nothing else can happen."""

import tracemalloc
from urllib.parse import urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitediscover import urls
from sitediscover.errors import InvalidSite, InvalidUrl
from sitediscover.hosts import normalise_host, registrable_domain
from sitediscover.urls import (
    MAX_URL,
    host_of,
    normalise_url,
    origin_of,
    parse_site,
    path_of,
    resolve,
    same_host,
    same_site,
    strip_url,
)

# Sites


@pytest.mark.parametrize(
    "text,origin,path,scheme_given",
    [
        ("e.example", "https://e.example", "/", False),
        ("  E.Example.\n", "https://e.example", "/", False),
        ("\ufeffe.example\u200b", "https://e.example", "/", False),
        ("e.example/a/b?c=1#d", "https://e.example", "/a/b?c=1", False),
        ("e.example?c", "https://e.example", "/?c", False),
        ("e.example#d", "https://e.example", "/", False),
        ("//e.example/a", "https://e.example", "/a", False),
        ("e.example\\a", "https://e.example", "/a", False),
        ("http://e.example/a", "http://e.example", "/a", True),
        ("HTTPS://e.example", "https://e.example", "/", True),
        ("http:e.example", "http://e.example", "/", True),
        ("https:///e.example", "https://e.example", "/", True),
        ("e.example:80", "http://e.example", "/", False),
        ("e.example:80/a", "http://e.example", "/a", False),
        ("e.example:443", "https://e.example", "/", False),
        ("e.example:8080/a", "https://e.example:8080", "/a", False),
        ("e.example:", "https://e.example", "/", False),
        ("localhost:8000", "https://localhost:8000", "/", False),
        ("http://e.example:80", "http://e.example", "/", True),
        ("https://e.example:80", "https://e.example:80", "/", True),
        ("bücher.example", "https://xn--bcher-kva.example", "/", False),
        ("例え.テスト", "https://xn--r8jz45g.xn--zckzah", "/", False),
        ("feed://e.example/rss", "https://e.example", "/rss", False),
        ("feed:e.example", "https://e.example", "/", False),
        ("FEED:https://e.example/rss", "https://e.example", "/rss", True),
        ("feed://http://e.example/rss", "http://e.example", "/rss", True),
        ("feed:feed://e.example", "https://e.example", "/", False),
        ("feed://e.example:80/", "http://e.example", "/", False),
        ("[2001:DB8::1]:80", "http://[2001:db8::1]", "/", False),
    ],
)
def test_a_site_is_what_a_person_means_by_a_text(text, origin, path, scheme_given):
    site = parse_site(text)
    assert (site.origin, site.path, site.scheme_given) == (origin, path, scheme_given)


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "..", ".", "https://", "http:///", "feed:", "feed://", "a b.example", "-e.example", "e..example"),
        *(
            "ftp://e.example",
            "mailto:me@e.example",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:,a",
            "about:blank",
        ),
        *("https://e.example:0", "https://e.example:65536", "e.example:99999", "https://e.example:a", "::1"),
        *("https://me@e.example", "https://me:secret@e.example", "me:secret@e.example", "https://@e.example"),
        *(
            "https://[::1",
            "https://[fe80::1%25eth0]/",
            "https://[g::1]",
            "256.256.256.256",
            "1.2.3.4.5",
            "\u00ad.example",
        ),
        *(
            "e.example/\x00a",
            "https://e.ex\x1bample",
            "a" * 64 + ".example",
            ".".join(["abcd"] * 60),
            "e" * (MAX_URL + 1),
        ),
        *("e.example/" + "é" * (MAX_URL // 2), "%65.example", "https://e.example\uff0fa"),
    ],
)
def test_a_text_that_names_no_site_is_refused_in_one_sentence(text):
    with pytest.raises(InvalidSite) as caught:
        parse_site(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", [None, 3, b"e.example", ["e.example"]])
def test_what_is_no_text_names_no_site(value):
    with pytest.raises(InvalidSite, match="a site is a text"):
        parse_site(value)


# Hosts


@pytest.mark.parametrize(
    "host,normal",
    [
        *[
            (spelling, "127.0.0.1")
            for spelling in ("127.0.0.1", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "127.1.")
        ],
        ("\uff11\uff12\uff17.0.0.1", "127.0.0.1"),
        ("::1", "[::1]"),
        ("[0:0:0:0:0:0:0:1]", "[::1]"),
        ("[::FFFF:127.0.0.1]", "[::ffff:7f00:1]"),
        ("WWW.Example.COM", "www.example.com"),
        ("my_host.example", "my_host.example"),
        ("faß.example", "xn--fa-hia.example"),
        ("a。b", "a.b"),
    ],
)
def test_a_host_has_one_spelling(host, normal):
    assert normalise_host(host) == normal
    assert normalise_host(normal) == normal


@pytest.mark.parametrize("host", ["1 x.3", "0.0.0.0 .1", "e$.1", "1..2"])
def test_only_a_host_name_is_read_as_an_address(host):
    with pytest.raises(InvalidUrl):
        normalise_host(host)


# URLs


@pytest.mark.parametrize(
    "url,normal",
    [
        ("https://E.Example", "https://e.example/"),
        ("https://e.example:443/A%2f?B=%7e#c", "https://e.example/A%2f?B=%7e"),
        ("http://e.example:8080//a//b/", "http://e.example:8080//a//b/"),
        (" https://e.example/a b\n", "https://e.example/a%20b"),
        ("https://e.example/a\r\n\tb", "https://e.example/ab"),
        ("https://e.example/日本?q=ü", "https://e.example/%E6%97%A5%E6%9C%AC?q=%C3%BC"),
        ("https://e.example/100%/%zz", "https://e.example/100%25/%25zz"),
        ('https://e.example/<a>"b"', "https://e.example/%3Ca%3E%22b%22"),
        ("https://e.example?a=b|c", "https://e.example/?a=b|c"),
        ("https://e.example/\ud800", "https://e.example/%3F"),
    ],
)
def test_a_url_is_normalised_as_it_is_asked_for(url, normal):
    assert normalise_url(url) == normal
    assert normalise_url(normal) == normal


@pytest.mark.parametrize(
    "url",
    [
        "e.example",
        "/a",
        "ftp://e.example/",
        "https://[::1]x/",
        "https://x[::1]/",
        "https://[[::1]]/",
        "https://e.example:x/",
    ],
)
def test_what_is_no_whole_http_url_is_refused(url):
    with pytest.raises(InvalidUrl):
        normalise_url(url)


@pytest.mark.parametrize(
    "reference,url",
    [
        ("b", "https://e.example/a/b"),
        ("/b", "https://e.example/b"),
        ("../b?c#d", "https://e.example/b?c"),
        ("?c", "https://e.example/a/?c"),
        ("//cdn.example/b", "https://cdn.example/b"),
        ("http://other.example", "http://other.example/"),
        (" b\n", "https://e.example/a/b"),
        ("\\b\\c?d\\e", "https://e.example/b/c?d%5Ce"),
        ("#d", "https://e.example/a/"),
        ("", None),
        ("mailto:me@e.example", None),
        ("javascript:void(0)", None),
        ("https://me@e.example/", None),
        ("https://[::1", None),
        ("http://e.example:99999/", None),
        ("http://", None),
    ],
)
def test_a_reference_is_resolved_as_a_browser_does(reference, url):
    assert resolve("https://e.example/a/", reference) == url


@pytest.mark.parametrize("base", ["", "nowhere", "https://[::1", "ftp://e.example/"])
def test_a_base_that_is_no_url_leads_nowhere(base):
    assert resolve(base, "b") is None


def test_the_parts_of_a_url():
    url = "https://www.e.example:8443/a/b?c=d"
    assert (origin_of(url), host_of(url), path_of(url)) == ("https://www.e.example:8443", "www.e.example", "/a/b?c=d")
    assert path_of("https://e.example") == "/"
    assert host_of("https://[::1") == ""
    for part_of in (origin_of, path_of):
        with pytest.raises(InvalidUrl):
            part_of("https://[::1")


def test_white_space_of_any_kind_is_taken_off_a_url():
    assert strip_url("\u00a0\u3000\ufeff https://e.example/a\r\n\tb \u200b\x00") == "https://e.example/ab"


# Whose a host is


@pytest.mark.parametrize(
    "host,domain",
    [
        ("www.news.example.co.uk", "example.co.uk"),
        ("example.com", "example.com"),
        ("co.uk", "co.uk"),
        ("one.blogspot.com", "one.blogspot.com"),
        ("localhost", "localhost"),
        ("192.0.2.7", "192.0.2.7"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("", ""),
    ],
)
def test_the_registrable_domain_is_what_one_owner_has(host, domain):
    assert registrable_domain(host) == domain


def test_hosts_and_sites_are_compared():
    assert same_host("https://www.e.example/a", "http://e.example:8080/")
    assert not same_host("https://news.e.example/", "https://e.example/")
    assert not same_host("nothing", "nothing")
    assert same_site("https://news.example.co.uk/", "https://example.co.uk/")
    assert same_site("https://192.0.2.7/a", "https://192.0.2.7/b")
    assert not same_site("https://one.blogspot.com/", "https://two.blogspot.com/")
    assert not same_site("https://192.0.2.7/", "https://198.51.100.7/")
    assert not same_site("", "")


# Whatever comes

_PIECES = st.sampled_from(
    [
        *(
            "http",
            "https",
            "feed",
            ":",
            "//",
            "/",
            "\\",
            "@",
            "[",
            "]",
            "::1",
            "%",
            "%25",
            "%zz",
            "?",
            "#",
            "&",
            ".",
            "..",
            "-",
        ),
        *(
            "e",
            "example",
            "co.uk",
            "1",
            "0x7f",
            "99999",
            "xn--",
            "é",
            "日本",
            "。",
            "\u00ad",
            "\u200d",
            "\ud800",
            "\x00",
            " ",
            "\n",
        ),
    ]
)
_TEXTS = (
    st.text(max_size=40) | st.lists(_PIECES, max_size=12).map("".join) | st.text(max_size=20).map("https://{}".format)
)


def _ask(function, *arguments):
    try:
        return function(*arguments)
    except InvalidUrl:
        return None


@given(_TEXTS, _TEXTS)
@example("https://\u0130.example", "xn--\u0130")
@example("https://" + "\u00e9" * 100, "[" * 100)
def test_no_text_makes_any_function_raise_anything_but_its_own_error(one, other):
    for name in ("strip_url", "normalise_url", "parse_site", "origin_of", "host_of", "path_of"):
        _ask(getattr(urls, name), one)
    for name in ("resolve", "same_host", "same_site"):
        _ask(getattr(urls, name), one, other)
    _ask(normalise_host, one)
    _ask(registrable_domain, one)


@given(_TEXTS)
def test_a_normalised_url_is_its_own_normal_form_and_fit_to_be_sent(text):
    url = _ask(normalise_url, text)
    if url is not None:
        assert normalise_url(url) == url
        assert url.isascii()
        assert url.isprintable()
        assert " " not in url
        assert "@" not in origin_of(url)
        assert url.startswith(("http://", "https://"))


@given(_TEXTS)
def test_a_site_can_be_asked_for_again_by_its_origin(text):
    site = _ask(parse_site, text)
    if site is not None:
        assert parse_site(site.origin).origin == site.origin
        assert normalise_url(site.origin + site.path) == site.origin + site.path


@given(
    st.sampled_from(
        ["https://a.example/x/y?z", "http://A.example:80/", "https://a.example:8443/q", "ftp://a.example/", ""]
    ),
    st.lists(
        st.sampled_from(
            ["/", "a", "B", "0", "-", "_", ".", "..", "~", "?", "=", "&", "#", "https://b.example", "%41", ":80"]
        ),
        max_size=8,
    ).map("".join),
)
def test_resolving_takes_no_short_cut_that_shows(base, reference):
    try:
        expected = normalise_url(urljoin(base, reference)) if reference else None
    except (InvalidUrl, ValueError):
        expected = None
    assert resolve(base, reference) == expected


@pytest.mark.parametrize("text", ["user:secret@host.example", "https://user:secret@host.example/x"])
def test_an_error_about_credentials_does_not_repeat_them(text):
    with pytest.raises(InvalidSite, match="credentials") as caught:
        parse_site(text)
    assert "secret" not in str(caught.value)


def test_an_address_of_a_mailbox_is_no_site():
    with pytest.raises(InvalidSite, match="not an http"):
        parse_site("mailto:someone@host.example")


@pytest.mark.parametrize("text", ["/a" * 4_000_000, "https://news.example" + "/a" * 4_000_000, "//" * 4_000_000])
def test_an_endless_reference_costs_no_memory(text):
    tracemalloc.start()
    try:
        assert resolve("https://news.example/", text) is None
        with pytest.raises(InvalidUrl):
            normalise_url(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 32 * 2**20
