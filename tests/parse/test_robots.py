"""robots.txt: our group, its rules, the sitemaps; on each matching library that is installed."""

import importlib.util
import re
import sys
import time
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitediscover.errors import MissingPackage
from sitediscover.parse.robots import MAX_LINE, MAX_ROBOTS, NO_RULES, parse_robots

REPPY = importlib.util.find_spec("reppy") is not None
# reppy builds with effort only, so every other machine tests the default and says once that reppy was left out.
BACKENDS = ["protego", *(["reppy"] if REPPY else [])]


@pytest.fixture(params=BACKENDS)
def allowed(request):
    def ask(text, url, token="acme"):
        data = text if isinstance(text, bytes) else text.encode()
        return parse_robots(data, token, backend=request.param).allows(f"https://news.example{url}")

    return ask


# The group


@pytest.mark.parametrize(
    "line,ours",
    [
        ("User-agent: acme", True),
        ("USER-AGENT: ACME", True),
        ("user agent: Acme", True),
        ("useragent:acme", True),
        ("User-agent : acme  # that one", True),
        ("User-agent acme", True),
        ("User-agent: Acme/2.1", True),
        ("User-agent: Acme News Reader", True),
        ("User-agent: acme*", True),
        ("User-agent: acmenews", False),
        ("User-agent: acme-news", False),
        ("User-agent: acme2", False),
        ("User-agent: ac", False),
        ("User-agent: the acme", False),
        ("User-agent: /acme", False),
        ("User-agent:", False),
        ("Agent: acme", False),
    ],
)
def test_a_group_is_ours_by_its_whole_token_in_any_case(allowed, line, ours):
    assert allowed(f"{line}\nDisallow: /\n\nUser-agent: *\nAllow: /", "/a") is not ours


@pytest.mark.parametrize("line", ["User-agent: *", "User-agent: * and everybody", "User-agent: *\t"])
def test_a_star_is_everybody_also_with_words_after_it(allowed, line):
    assert not allowed(f"{line}\nDisallow: /", "/a")
    assert allowed("User-agent: *bot\nDisallow: /", "/a")


@pytest.mark.parametrize("token", ["Acme", "ACME/3.0", "acme/3.0 (+https://acme.example)", " acme "])
def test_our_token_is_compared_without_its_version(allowed, token):
    assert not allowed("User-agent: acme\nDisallow: /", "/a", token)


@pytest.mark.parametrize("token", ["", "/", "acme news", "*", "\u0430cme"])
def test_a_token_that_no_line_can_name_is_everybody(allowed, token):
    text = "User-agent: acme\nAllow: /\n\nUser-agent:\nAllow: /\n\nUser-agent: *\nDisallow: /"
    assert not allowed(text, "/a", token)


def test_our_own_group_replaces_everybodys_even_when_it_closes_nothing(allowed):
    everybody = "User-agent: *\nDisallow: /\n\n"
    assert allowed(everybody + "User-agent: acme\nDisallow: /x", "/a")
    assert allowed(everybody + "User-agent: acme\nDisallow:", "/a")
    assert allowed(everybody + "User-agent: acme", "/a")


def test_groups_of_one_token_are_merged_wherever_they_stand(allowed):
    text = "User-agent: acme\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\nUser-agent: Acme/1\nDisallow: /c"
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, True, False]
    text = "User-agent: *\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\nUser-agent: *\nDisallow: /c"
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, True, False]


def test_one_group_may_name_several_tokens(allowed):
    text = "User-agent: other\n\n\nUser-agent: acme\nDisallow: /a\nUser-agent: third\nDisallow: /b"
    assert [allowed(text, path) for path in ("/a", "/b")] == [False, True]


@pytest.mark.parametrize("line", ["Noindex: /q", "Host: news.example", "Sitemap: /s.xml", "what", "# note", "", "\0"])
def test_lines_of_other_kinds_neither_split_nor_end_a_group(allowed, line):
    assert not allowed(f"User-agent: acme\n{line}\nUser-agent: other\nDisallow: /a", "/a")
    assert not allowed(f"User-agent: acme\nDisallow: /b\n{line}\nDisallow: /a", "/a")


def test_a_crawl_delay_ends_a_group_only_where_an_empty_line_follows(allowed):
    assert not allowed("User-agent: *\nCrawl-delay: 9\nUser-agent: other\nDisallow: /", "/a")
    assert allowed("User-agent: *\nCrawl-delay: 9\n\nUser-agent: other\nDisallow: /", "/a")
    assert not allowed("User-agent: *\nCrawl-delay: 9\n\nDisallow: /", "/a")


def test_rules_before_any_user_agent_bind_nobody(allowed):
    assert allowed("Disallow: /\nUser-agent: acme\nDisallow: /b", "/a")


# Lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\r\n"])
def test_lines_end_in_any_way(allowed, end):
    text = end.join(["User-agent: other", "Disallow: /", "User-agent: acme", "Disallow: /a", ""])
    assert [allowed(text, path) for path in ("/a", "/b")] == [False, True]


def test_other_line_breaks_of_unicode_end_no_line(allowed):
    assert allowed("User-agent: acme\nDisallow: /a\u2028Disallow: /b\x0bDisallow: /c", "/b")


@pytest.mark.parametrize(
    "line",
    [
        *("Disallow: /a", "disallow:/a", "DISALLOW : /a", "  Disallow:\t/a  ", "Disallow /a", "Disallow: /a#b"),
        *("Dissallow: /a", "dissalow: /a", "Disalow: /a", "Diasllow: /a", "Disallaw: /a", "Disallowed: /a"),
        *("Disallow: /a\0", "Disallow: /a\0/b/c"),
    ],
)
def test_a_rule_is_read_in_the_spellings_that_googles_reader_takes(allowed, line):
    text = f"User-agent: acme\n{line}"
    assert [allowed(text, path) for path in ("/a", "/b")] == [False, True]


@pytest.mark.parametrize("line", ["Disallow all of it", "Disallow", "Disallow:", "allow nobody please", "/a", ": /a"])
def test_a_line_that_is_no_rule_closes_nothing(allowed, line):
    assert allowed(f"User-agent: acme\n{line}", "/a")


@pytest.mark.parametrize("bom", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_a_byte_order_mark_or_what_is_left_of_it_is_passed_over(allowed, bom):
    assert not allowed(bom + b"User-agent: acme\nDisallow: /a", "/a")


def test_files_joined_with_their_byte_order_marks_lose_no_line(allowed):
    text = "\ufeff\ufeffUser-agent: other\nDisallow: /\n\ufeffUser-agent: acme\n\ufeffDisallow: /a"
    assert [allowed(text, path) for path in ("/a", "/b")] == [False, True]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_read(allowed, codec):
    assert not allowed("User-agent: acme\nDisallow: /a".encode(codec), "/a")


def test_bytes_that_are_no_utf_8_close_their_own_spelling_and_cost_no_other_line(allowed):
    data = "# é\nUser-agent: acme\nDisallow: /café\nDisallow: /b".encode("latin-1")
    assert [allowed(data, path) for path in ("/caf%E9", "/caf", "/b")] == [False, True, False]


def test_a_line_is_read_up_to_its_limit(allowed):
    long = "/" + "a" * MAX_LINE
    assert not allowed(f"User-agent: acme\nDisallow: {long}/b", long + "/c")


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_a_file_is_read_up_to_its_limit_and_cut_at_a_line_end(allowed, end):
    head = f"User-agent: acme{end}Disallow: /a{end}"
    last = f"Disallow: /bcd{end}"
    padding = "#" * (MAX_ROBOTS - len(head) - len(last)) + end
    assert [allowed(head + padding + last, path) for path in ("/a", "/bcd", "/b")] == [False, True, True]
    assert not allowed(head + padding[1:] + last, "/bcd")
    assert allowed("User-agent: acme Disallow: / " + "x" * MAX_ROBOTS, "/")


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html><title>404</title>",
        "\ufeff\n <html>",
        "<!-- made by hand --><html>",
        "<?xml version='1.0'?><Error>",
        "<HEAD>",
    ],
)
def test_a_page_instead_of_rules_has_none(page):
    robots = parse_robots(f"{page}\nUser-agent: *\nDisallow: /\nSitemap: /s.xml".encode(), "acme", "https://e.example/")
    assert robots.is_html
    assert robots.allows("https://e.example/a")
    assert robots.sitemaps == ()


def test_rules_below_a_stray_tag_stay_rules():
    robots = parse_robots(b"<br />\n<b>Warning</b>: no route\nUser-agent: *\nDisallow: /a", "acme")
    assert not robots.is_html
    assert not robots.allows("https://e.example/a")


# Paths


@pytest.mark.parametrize(
    "pattern,closed,open_",
    [
        ("/", ["/", "/a", "/?q", ""], []),
        ("/fish", ["/fish", "/fish.html", "/fish/salmon", "/fishheads", "/fish?id=1"], ["/Fish", "/catfish", "/?fish"]),
        ("/fish*", ["/fish", "/fish/salmon"], ["/cat/fish"]),
        ("/fish/", ["/fish/", "/fish/?id", "/fish/salmon"], ["/fish", "/fish.html"]),
        ("/*.php", ["/a.php", "/b/a.php", "/a.php?b", "/a?b=c.php", "//b/a.php.html"], ["/php", "/a.PHP"]),
        ("/*.php$", ["/a.php", "/b/a.php"], ["/a.php?b", "/a.php/", "/a.php5"]),
        ("*.gif$", ["/a.gif", "/b/c.gif"], ["/a.gif?b"]),
        ("/fish*.php", ["/fish.php", "/fishheads/cat.php?p"], ["/Fish.php", "/fis.php"]),
        ("/a$", ["/a"], ["/a$", "/a%24", "/ab", "/a?"]),
        ("/a$b", ["/a$b", "/a%24b", "/a$bc"], ["/a"]),
        ("/a%24", ["/a$", "/a%24b"], ["/a"]),
        ("/a%2A", ["/a*", "/a%2Ab"], ["/ab"]),
        ("/*?", ["/a?", "/?q", "/b/c?q=1"], ["/a"]),
        ("/a*b*c", ["/abc", "/a1b2c3"], ["/acb", "/ab"]),
        ("/a**b", ["/ab", "/axb"], ["/a"]),
        ("//a", ["//a", "//ab"], ["/a"]),
        ("/a;p", ["/a;p=1"], ["/a"]),
        ("/a b", ["/a%20b", "/a b"], ["/a", "/a+b"]),
        ("a", [], ["/a", "/"]),
        ("https://news.example/a", [], ["/a"]),
        ("$", [], ["/", "/a"]),
        ("*", ["/", "/a"], []),
    ],
)
def test_a_pattern_closes_what_it_matches_from_the_start(allowed, pattern, closed, open_):
    text = f"User-agent: acme\nDisallow: {pattern}"
    assert [path for path in closed if allowed(text, path)] == []
    assert [path for path in open_ if not allowed(text, path)] == []


@pytest.mark.parametrize(
    "one,other,same",
    [
        ("/日本", "/%E6%97%A5%E6%9C%AC", True),
        ("/%e6%97%a5", "/%E6%97%A5", True),
        ("/%7Eme/%61", "/~me/a", True),
        ("/a?u=https://b.example", "/a?u=https%3A%2F%2Fb.example", True),
        ("/a%3Ab", "/a:b", True),
        ("/a%2Fb", "/a%2fb", True),
        ("/a%2Fb", "/a/b", False),
        ("/a%25b", "/a%b", True),
        ("/a%2561", "/aa", False),
    ],
)
def test_both_sides_are_compared_percent_encoded_alike(allowed, one, other, same):
    for pattern, path in ((one, other), (other, one)):
        assert allowed(f"User-agent: acme\nDisallow: {pattern}", path) is not same


@pytest.mark.parametrize(
    "rules,path,expected",
    [
        (["Allow: /a/b", "Disallow: /a"], "/a/b", True),
        (["Disallow: /a/b", "Allow: /a"], "/a/b", False),
        (["Disallow: /a", "Allow: /a"], "/a", True),
        (["Allow: /$", "Disallow: /"], "/", True),
        (["Allow: /$", "Disallow: /"], "/a", False),
        (["Allow: /page", "Disallow: /*.htm"], "/page.htm", False),
        (["Allow: /fold", "Disallow: /*d/x"], "/fold/x", True),
        (["Disallow: ", "Allow: "], "/a", True),
        (["Allow: /*", "Disallow: /a"], "/a", True),
        ([f"Disallow: /{i}" for i in range(40)] + [f"Allow: /{i}" for i in range(40)], "/7", True),
    ],
)
def test_the_longest_pattern_decides_and_allow_wins_ties(allowed, rules, path, expected):
    assert allowed("User-agent: acme\n" + "\n".join(rules), path) is expected


def test_where_an_index_page_is_allowed_its_folder_is(allowed):
    text = "User-agent: acme\nDisallow: /\nAllow: /a/index.html"
    assert [allowed(text, path) for path in ("/a/", "/a/index.html", "/a/b", "/a")] == [True, True, False, False]


def test_robots_txt_itself_is_always_allowed(allowed):
    text = "User-agent: acme\nDisallow: /"
    assert [allowed(text, path) for path in ("/robots.txt", "/robots.txt?v=2", "/robots.txt2")] == [True, True, False]


@pytest.mark.parametrize(
    "url",
    [
        "https://e.example/a?b",
        "//e.example/a?b",
        "/a?b",
        "e.example/a?b",
        "https://e.example/a?b#c",
        "http://e/a?b/c://d",
    ],
)
def test_only_path_and_query_of_a_url_count(url):
    assert not parse_robots(b"User-agent: *\nDisallow: /a?b", "acme").allows(url)


@pytest.mark.parametrize("url", ["", "https://e.example", "https://e.example?q", "https://e.example#a"])
def test_a_url_without_a_path_is_the_root(url):
    assert not parse_robots(b"User-agent: *\nDisallow: /", "acme").allows(url)
    assert parse_robots(b"User-agent: *\nDisallow: /e", "acme").allows(url)


@pytest.mark.parametrize(
    "pattern", ["/" + "*" * 5_000 + "x$", "/" + "*a" * 2_000 + "b", "/" + "*a*" * 30 + "b$", "/a*a*b"]
)
def test_no_pattern_takes_long(allowed, pattern):
    start = time.process_time()
    assert allowed(f"User-agent: acme\nDisallow: {pattern}", "/" + "a" * 1_500 + "c")
    assert time.process_time() - start < 2


def test_equal_rules_take_no_longer_than_one():
    data = b"User-agent: *\n" + b"Disallow: /*a*a*b$\nAllow: /index.html\n" * 12_000
    start = time.process_time()
    assert parse_robots(data, "acme").allows("/" + "a" * 4_000)
    assert time.process_time() - start < 2


# What else a file says


@pytest.mark.parametrize(
    "lines,delay",
    [
        (["Crawl-delay: 10"], 10),
        (["crawl delay: 2.5"], 2.5),
        (["Crawl-delay 3"], 3),
        (["Crawl-delay: 0,5"], 0.5),
        (["Crawl-delay: .5 s"], 0.5),
        (["Crawl-delay: 5", "Crawl-delay: 20", "Disallow: /a", "Crawl-delay: 1"], 20),
        (["Crawl-delay: 0"], 0),
        (["Crawl-delay: " + "9" * 400], 999_999_999),
        (["Crawl-delay: 1e400"], 999_999_999),
        (["Crawl-delay: 1.5E+2"], 150),
        (["Crawl-delay: +7"], 7),
        (["Crawl-delay: soon"], None),
        (["Crawl-delay: inf"], None),
        (["Crawl-delay: -1"], None),
        (["Crawl-delay: nan"], None),
        (["Crawl-delay:"], None),
        ([], None),
    ],
)
def test_the_longest_crawl_delay_of_our_group_counts(lines, delay):
    text = "User-agent: *\nCrawl-delay: 99\n\nUser-agent: acme\n" + "\n".join(lines)
    assert parse_robots(text.encode(), "acme").crawl_delay == delay


def test_a_crawl_delay_binds_only_those_named_before_it():
    text = b"User-agent: other\nCrawl-delay: 60\nUser-agent: acme\nDisallow: /a"
    assert parse_robots(text, "acme").crawl_delay is None
    assert parse_robots(text, "third").crawl_delay is None
    assert parse_robots(text, "other").crawl_delay == 60


def test_sitemaps_stand_in_the_files_order_once_each_whoever_is_meant():
    text = (
        "\ufeffSitemap: https://e.example/one.xml\nUser-agent: other\nSitemap:/two.xml\nsite-map: //cdn.example/three\n"
        "Sitemaps: https://e.example/one.xml#top\nDisallow: /\nSITEMAP https://e.example/日本.xml # ours\nSitemap:\n"
        "# Sitemap: /no.xml\nSitemap: ftp://e.example/no.xml"
    )
    assert parse_robots(text.encode(), "acme", "https://e.example/robots.txt").sitemaps == (
        "https://e.example/one.xml",
        "https://e.example/two.xml",
        "https://cdn.example/three",
        "https://e.example/%E6%97%A5%E6%9C%AC.xml",
    )
    assert parse_robots(text.encode(), "acme").sitemaps == (
        "https://e.example/one.xml",
        "/two.xml",
        "//cdn.example/three",
        "https://e.example/日本.xml",
        "ftp://e.example/no.xml",
    )


def test_a_sitemap_line_in_latin_1_is_readable_text():
    assert parse_robots("Sitemap: /é.xml".encode("latin-1"), "acme").sitemaps == ("/é.xml",)


def test_no_rules_close_nothing():
    assert NO_RULES.allows("https://e.example/a")
    assert parse_robots(b"", "acme") == NO_RULES
    assert parse_robots(b"\x00\xff\xfe junk \x80", "acme") == NO_RULES


def test_a_library_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "reppy.robots", None)
    with pytest.raises(MissingPackage, match="reppy is not installed"):
        parse_robots(b"", "acme", backend="reppy")


class _Agent:
    """Stands in for reppy's: one closed pattern, matched as reppy matches."""

    def disallow(self, pattern):
        assert not pattern.startswith("//")
        assert pattern.count("*") < 3
        self.closed = re.compile(".*".join(map(re.escape, pattern.split("*"))))
        return self

    def allowed(self, path):
        return not self.closed.match(path)


def test_reppy_is_asked_pattern_by_pattern_in_our_order_and_spared_many_stars(monkeypatch):
    monkeypatch.setitem(sys.modules, "reppy", ModuleType("reppy"))
    monkeypatch.setitem(sys.modules, "reppy.robots", ModuleType("reppy.robots"))
    monkeypatch.setattr(sys.modules["reppy.robots"], "Agent", _Agent, raising=False)

    def allows(path, *rules):
        return parse_robots("\n".join(["User-agent: *", *rules]).encode(), "acme", backend="reppy").allows(
            f"https://e.example{path}"
        )

    assert allows("/a", "Disallow: /a", "Allow: /a")
    assert allows("/ab", "Disallow: /a", "Allow: /*b$")
    assert not allows("//a%2Fb", "Disallow: //a%2Fb")
    assert allows("//a/b", "Disallow: //a%2Fb")
    assert not allows("/abcd", "Disallow: /*a*b*c*d")
    assert allows("/a")


# Whatever comes


_PIECES = st.sampled_from(
    [
        "User-agent: ",
        "acme",
        "*",
        "Disallow: ",
        "Allow: ",
        "/",
        "a",
        "$",
        "%2F",
        "%",
        "?",
        "\n",
        "\r",
        "#",
        "\0",
        "é",
        " ",
    ]
)
_BYTES = st.binary(max_size=200) | st.lists(_PIECES, max_size=60).map(lambda pieces: "".join(pieces).encode())


@pytest.mark.parametrize("backend", BACKENDS)
@given(data=_BYTES, token=st.text(max_size=10), url=st.text(max_size=40))
def test_nothing_makes_it_raise(backend, data, token, url):
    robots = parse_robots(data, token, url, backend=backend)
    assert robots.allows(url) in (True, False)
    assert all(isinstance(sitemap, str) and sitemap.encode() for sitemap in robots.sitemaps)


def _matches(pattern, path):
    """The rule itself: a regular expression where star is anything and a final dollar the end."""
    body, anchor = (pattern[:-1], r"\Z") if pattern.endswith("$") else (pattern, "")
    return re.match(".*".join(map(re.escape, body.split("*"))) + anchor, path, re.DOTALL) is not None


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=300)
@given(
    patterns=st.lists(st.tuples(st.booleans(), st.text("ab/*$", min_size=1, max_size=6)), max_size=5),
    path=st.text("ab/$", max_size=8),
)
def test_it_decides_as_the_standard_says(backend, patterns, path):
    lines = [f"{'Allow' if allow else 'Disallow'}: {pattern}" for allow, pattern in patterns]
    robots = parse_robots("\n".join(["User-agent: *", *lines]).encode(), "acme", backend=backend)
    # A dollar inside a pattern is a character of three octets once encoded (RFC 9309, 2.2.2 and 2.2.3).
    hits = [
        (len(pattern) + 2 * pattern[:-1].count("$"), allow)
        for allow, pattern in patterns
        if _matches(pattern, f"/{path}")
    ]
    assert robots.allows(f"https://e.example/{path}") is (max(hits)[1] if hits else True)


@pytest.mark.skipif(not REPPY, reason="reppy is not installed; nox -s reppy builds it")
@given(data=_BYTES, path=st.text(max_size=20))
def test_both_libraries_agree(data, path):
    one, other = (parse_robots(b"User-agent: *\nDisallow: " + data, "acme", backend=name) for name in BACKENDS)
    assert one.allows(f"/{path}") is other.allows(f"/{path}")


@pytest.mark.parametrize(
    "path, rule",
    [
        ("/open", None),
        ("/a/x", "Disallow: /a/"),
        ("/a/b/x", "Allow: /a/b"),
        ("/same", "Allow: /same"),
        ("/x.pdf", "Disallow: /*.pdf$"),
        ("/x.pdf?y", None),
        ("/%C3%A9", "Disallow: /%C3%A9"),
        ("/robots.txt", None),
    ],
)
def test_the_rule_that_decides_is_named(path, rule):
    data = "User-agent: *\nDisallow: /a/\nAllow: /a/b\nDisallow: /same\nAllow: /same\nDisallow: /*.pdf$\nDisallow: /é\n"
    robots = parse_robots(data.encode(), "ExampleBot")
    assert robots.deciding_rule(f"https://a.example{path}") == rule
    assert robots.allows(path) is (rule is None or rule.startswith("Allow"))


@pytest.mark.parametrize(
    "line, expected",
    [
        ("<https://e.example/a.xml>", ["https://e.example/a.xml"]),
        ('"https://e.example/a.xml"', ["https://e.example/a.xml"]),
        ("https://e.example/a.xml https://e.example/b.xml", ["https://e.example/a.xml", "https://e.example/b.xml"]),
        ("https://e.example/a.xml, https://e.example/b.xml", ["https://e.example/a.xml", "https://e.example/b.xml"]),
        ("https://e.example/a?of=https://e.example/b", ["https://e.example/a?of=https://e.example/b"]),
        ("www.e.example/a.xml", ["https://www.e.example/a.xml"]),
        ("E.example/a.xml", ["https://e.example/a.xml"]),
        ("maps.d/a.xml", ["https://e.example/maps.d/a.xml"]),
        ("other.example/a.xml", ["https://e.example/other.example/a.xml"]),
        ("''", []),
    ],
)
def test_a_sitemap_line_is_read_in_the_spellings_of_the_wild(line, expected):
    robots = parse_robots(f"Sitemap: {line}".encode(), "acme", "https://e.example/robots.txt")
    assert list(robots.sitemaps) == expected


@pytest.mark.parametrize(
    "text, delay, allowed",
    [
        ("User-agent: acme\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 60\n", 2.0, True),
        ("User-agent: *\nCrawl-delay: 60\nUser-agent: acme\nCrawl-delay: 2\nDisallow:\n", 2.0, True),
        ("User-agent: acme\nCrawl-delay: 2\nCrawl-delay: 4\n", 4.0, True),
        ("User-agent: acme\nUser-agent: *\nCrawl-delay: 4\n", 4.0, True),
        ("User-agent: *\nCrawl-delay: 2\n# bad bots\nUser-agent: BadBot\nDisallow: /\n", 2.0, True),
        ("User-agent: *\nCrawl-delay: 2\nUser-agent: BadBot\nDisallow: /\n", 2.0, False),
    ],
)
def test_a_crawl_delay_is_told_to_the_agents_above_it(text, delay, allowed):
    robots = parse_robots(text.encode(), "acme")
    assert (robots.crawl_delay, robots.allows("/x")) == (delay, allowed)
