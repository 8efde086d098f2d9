"""robots.txt: the rules for one product token, and the sitemaps it names (RFC 9309).

A thin layer picks our group and writes its patterns in one canonical spelling; the matching itself is left to protego.
Where RFC 9309 is silent, Google's open-source reader (github.com/google/robotstxt) decides: a missing colon, common
misspellings, `Foo Bar` read as Foo, `/index.html` read as `/` too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from sitediscover.errors import MissingPackage
from sitediscover.parse.charset import decode
from sitediscover.parse.sitemaplines import addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    _Matcher = Callable[[str], bool]

MAX_ROBOTS = 512 * 1024
"""Bytes read of a robots.txt. RFC 9309 (2.5) asks for at least 500 KiB."""
MAX_LINE = 16 * 1024
"""Characters read of a line; the rest of it is passed over. Google's reader takes eight times the longest usual URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots:
    """What a robots.txt says to one product token.

    Attributes:
        sitemaps: the Sitemap lines of the file, in its order, repeats once.
        crawl_delay: seconds between two requests; the longest where our group tells several, None where it tells none.
        is_html: a page stood there instead of rules; it has no rules and no sitemaps.
    """

    sitemaps: tuple[str, ...] = ()
    crawl_delay: float | None = None
    is_html: bool = False
    _matcher: _Matcher | None = field(default=None, repr=False, compare=False)
    _rules: tuple[_Rule, ...] = field(default=(), repr=False, compare=False)

    def allows(self, url: str) -> bool:
        """Say whether a URL may be asked for.

        Args:
            url: an absolute URL, or a path with its query; only these are looked at. `/robots.txt` is always allowed
                (RFC 9309, 2.2.2).
        """
        path = _BEFORE_PATH.sub("", url, count=1).partition("#")[0]
        path = path if path.startswith("/") else f"/{path}"
        if self._matcher is None or path.partition("?")[0] == "/robots.txt":
            return True
        return self._matcher(_spelt(_with_plain_query(path.encode("utf-8", "replace"))) + _END)

    def deciding_rule(self, url: str) -> str | None:
        """Return the rule that `allows` goes by, such as `Disallow: /private/`, percent-encoded; None where none does.

        Args:
            url: as for `allows`.
        """
        allowed = self.allows(url)
        # The longest pattern wins, and of equals the one that allows (RFC 9309, 2.2.2).
        for rule in sorted(self._rules, key=lambda rule: (len(rule.pattern), rule.allow), reverse=True):
            alone = Robots(_matcher=_protego([rule._replace(allow=False)]))
            if rule.allow is allowed and not alone.allows(url):
                return f"{'Allow' if allowed else 'Disallow'}: {rule.pattern.replace(_END, '$')}"
        return None


NO_RULES = Robots()
"""Nothing is closed: the robots.txt of a site that has none."""


def parse_robots(
    data: bytes, token: str, url: str | None = None, *, backend: Literal["protego", "reppy"] = "protego"
) -> Robots:
    """Read the rules that a robots.txt has for a product token (RFC 9309), and its sitemaps (sitemaps.org).

    Args:
        data: the body; what stands beyond `MAX_ROBOTS` bytes, cut at a line end, is not read.
        token: our product token, such as `ExampleBot`; a version after a slash is left out.
        url: the address of the file, which relative Sitemap lines are resolved with. Without it they stay as written.
        backend: the library that matches paths; `reppy` has to be installed.

    Returns:
        The rules. Bad data never raises: lines that cannot be read are passed over.

    Raises:
        MissingPackage: reppy is asked for and not installed.
    """
    text = _text(data)
    if _HTML.match(text):
        return Robots(is_html=True)
    ours = token.partition("/")[0].strip().lower()
    found = _read(text, ours)
    group = found.groups[ours if found.groups[ours].named else "*"]
    lines = dict.fromkeys(group.rules)  # once each: 50,000 equal ones fit into a file
    rules = [rule for line in lines for rule in _rules(line)]
    sitemaps = [address for value in found.sitemaps for address in addresses(_decodable(value), url)]
    return Robots(
        sitemaps=tuple(dict.fromkeys(sitemaps)),
        crawl_delay=max(group.delays, default=None),
        _matcher=_BACKENDS[backend](rules),
        _rules=tuple(rules),
    )


# Lines and groups.

_FIELDS = {
    "agent": r"user[ -]?agent",
    # Google's list of misspellings.
    "disallow": r"dis+al+ow|diasllow|disallaw",
    "allow": r"allow",
    "sitemap": r"site-?map",
    "delay": r"crawl[ -]?delay",
}
# Like Google's reader: more letters after a field's name do no harm, and white space may stand for the colon where one
# word follows. `Sitemap https://...` is a line without a colon too.
_LINE = re.compile(
    rf"(?:{'|'.join(f'(?P<{name}>{spelling})' for name, spelling in _FIELDS.items())})[^\s:]*"
    r"(?:\s*:|\s(?=\s*\S+$))\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LINE_END = re.compile(r"\r\n?|\n")
# What a file in UTF-8 may begin with: a BOM, or as much of it as an editor has left.
_BOM = re.compile(rb"\A\xef(?:\xbb\xbf?)?")
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
# A page, and not rules with a stray tag above them (PHP writes its warnings there).
_HTML = re.compile(r"\s*<(?:!--|(?:!doctype|\?xml|html|head|body|title|meta|script)\b)", re.IGNORECASE)
# RFC 9309 has letters, `_` and `-` in a token; digits and dots are in use (MJ12bot, archive.org_bot) and make another
# token of it. A star with words after it is still everybody.
_TOKEN = re.compile(r"\*(?=\s|$)|[a-z0-9_.-]+", re.IGNORECASE)
_SECONDS = re.compile(r"\+?(\d+(?:[.,]\d+)?(?:e\+?\d+)?|\.\d+)", re.ASCII | re.IGNORECASE)
_MOST_SECONDS = 999_999_999.0  # 1e400 is infinite, and no number in JSON


@dataclass(slots=True)
class _Group:
    named: bool = False
    rules: list[tuple[bool, str]] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)


class _Found(NamedTuple):
    groups: dict[str, _Group]
    sitemaps: list[str]


def _text(data: bytes) -> str:
    kept = data[:MAX_ROBOTS]
    if kept.startswith(_UTF16_BOMS) or b"\0" in kept[:4]:
        text = decode(kept)
    else:
        # Bytes that are no UTF-8 are kept as they are: a Latin-1 rule closes the Latin-1 spelling of a URL.
        text = _BOM.sub(b"", kept).decode("utf-8", "surrogateescape")
    return text if len(data) <= MAX_ROBOTS else text[: max(text.rfind("\n"), text.rfind("\r")) + 1]


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Give the field and the value of each line; `blank` for an empty one or a comment, `unknown` for all others."""
    for line in _LINE_END.split(text):  # each may have a BOM: files are joined from others
        written = line[:MAX_LINE].partition("\0")[0].partition("#")[0].strip().removeprefix("\ufeff")
        if written and (found := _LINE.match(written)):
            yield next(name for name in _FIELDS if found[name]), found["value"]
        else:
            yield "unknown" if line.partition("#")[0].strip() else "blank", ""


def _read(text: str, ours: str) -> _Found:
    found = _Found({"*": _Group(), ours: _Group()}, [])
    current: list[_Group] = []
    closed, previous, paced = False, "", 0
    for name, value in _lines(text):
        if name == "agent":
            current, closed = ([] if closed else current), False
            # A Crawl-delay is told to the agents above it, and not again to them by the one of those that follow.
            paced = len(current) if previous == "delay" else min(paced, len(current))
            for group in _named(value, found.groups):
                group.named = True
                current.append(group)
        elif name in {"allow", "disallow"}:
            closed = True
            for group in current:
                group.rules.append((name == "allow", value))
        elif name == "delay":
            for group in current[paced:]:
                group.delays.extend(_seconds(value))
        elif name == "sitemap":
            found.sitemaps.append(value)
        # Other lines do not end a group (RFC 9309, 2.2.4), and Crawl-delay is one of them. Yet with an empty line or a
        # comment after it its writer saw a whole group: `User-agent: *`, `Crawl-delay: 10`, `# bad bots`,
        # `User-agent: BadBot`, `Disallow: /` closes nothing to everybody (gov.uk's file is written so).
        closed = closed or (name == "blank" and previous == "delay")
        previous = name
    return found


def _named(value: str, groups: dict[str, _Group]) -> Iterator[_Group]:
    token = _TOKEN.match(value)
    if token and token[0].lower() in groups:
        yield groups[token[0].lower()]


def _seconds(value: str) -> Iterator[float]:
    if found := _SECONDS.match(value):
        yield min(float(found[1].replace(",", ".")), _MOST_SECONDS)


def _decodable(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogateescape").decode("latin-1")
    return value


# Patterns. RFC 9309 (2.2.2) compares octets after both sides were percent-encoded alike. protego does that almost, and
# handing it both in one spelling takes the few lines below; matching ourselves would take them too, and the matcher on
# top. What is handed on is ASCII letters, digits and -._~/% (with * in a pattern), and then the mark for the end.

_BEFORE_PATH = re.compile(r"(?:(?:[a-z][a-z0-9+.-]*:)?//)?[^/?;#]*", re.IGNORECASE)
_ESCAPED_SLASH = re.compile(rb"%2f", re.IGNORECASE)
_END = "="
"""Ends each path, and stands for the `$` of a pattern: it is quoted everywhere else.

protego reads `/a$` as `/a%24` too, for sites that mean the character; RFC 9309 (2.2.3) does not."""


class _Rule(NamedTuple):
    pattern: str
    allow: bool


def _rules(line: tuple[bool, str]) -> Iterator[_Rule]:
    allow, value = line
    raw = value.encode("utf-8", "surrogateescape")
    if raw:
        yield _Rule(_pattern(raw.removesuffix(b"$")) + _END * raw.endswith(b"$"), allow)
    folder, slash, page = raw.rpartition(b"/")
    if allow and page.startswith(b"index.htm"):
        yield _Rule(_pattern(folder + slash) + _END, allow)


def _pattern(raw: bytes) -> str:
    return "*".join(_spelt(part) for part in _with_plain_query(raw).split(b"*"))


def _with_plain_query(path: bytes) -> bytes:
    # %2F is not the separator / in a path, but the same character in a query (RFC 9309, 2.2.2, second example).
    head, mark, query = path.partition(b"?")
    return head + mark + _ESCAPED_SLASH.sub(b"/", query)


def _spelt(raw: bytes) -> str:
    return "%2F".join(quote(unquote_to_bytes(part), safe="/") for part in _ESCAPED_SLASH.split(raw))


# Backends: rules in, and out comes what says whether a path is allowed.


def _protego(rules: list[_Rule]) -> _Matcher | None:
    if not rules:
        return None
    from protego import Protego  # noqa: PLC0415 - only a site that has rules for us needs it

    lines = [f"{'Allow' if rule.allow else 'Disallow'}: {rule.pattern}" for rule in rules]
    group = Protego.parse("\n".join(["User-agent: *", *lines]))
    return lambda path: bool(group.can_fetch(f"http://site{path}", "*"))


_MOST_STARS = 2
"""Wildcards in a pattern that reppy may match: it tries each place for each, and ten keep it busy for ever."""


def _reppy(rules: list[_Rule]) -> _Matcher | None:
    try:
        from reppy.robots import Agent  # noqa: PLC0415 - optional
    except ImportError as error:
        raise MissingPackage(
            "reppy is not installed; docs/how-to/build-reppy.md names the commands that build it"
        ) from error
    if any(rule.pattern.count("*") > _MOST_STARS for rule in rules):
        return _protego(rules)
    # reppy leaves ties to chance and does not count a star at the end of a pattern, so the order is ours.
    ordered = sorted(rules, key=lambda rule: (len(rule.pattern), rule.allow), reverse=True)
    agents = [(Agent().disallow(_for_reppy(rule.pattern)), rule.allow) for rule in ordered]
    return lambda path: next((allow for agent, allow in agents if not agent.allowed(_for_reppy(path))), True)


def _for_reppy(text: str) -> str:
    # It reads two slashes at the start as a host, and decodes %2F, %24 and %2A into what they are there to differ from.
    return "/-" + text.replace("%", "+")


_BACKENDS = {"protego": _protego, "reppy": _reppy}
