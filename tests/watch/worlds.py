"""Sites that publish by a timetable, for the tests that let time pass: what each lists, and for how long."""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import formatdate
from functools import lru_cache

from sitediscover import Article, Section, Source, SourceKind
from sitediscover.testing import Answer, page, redirect, sitemap_index, urlset

DAY, HOUR = 86_400.0, 3_600.0


def at(moment: float) -> datetime:
    return datetime.fromtimestamp(moment, UTC)


@dataclass
class Timetable:
    """When a site publishes what: some before the watching begins, the rest during it."""

    host: str
    start: float
    days: float
    per_day: float
    before: int = 60
    seed: int = 0
    articles: list[tuple[float, Article]] = field(init=False)

    def __post_init__(self) -> None:
        draw = random.Random(f"{self.host} {self.seed}")
        count = round(self.days * self.per_day)
        times = sorted(self.start + 600 + draw.random() * (self.days * DAY - 600) for _ in range(count))
        gap = DAY / self.per_day
        old = [self.start - HOUR - gap * (self.before - number) for number in range(self.before)]
        self.articles = [(moment, self._article(number, moment)) for number, moment in enumerate([*old, *times])]
        self.times = [moment for moment, _ in self.articles]

    def _article(self, number: int, moment: float) -> Article:
        url = f"https://{self.host}/{at(moment):%Y/%m/%d}/a-story-about-number-{number}"
        return Article(url=url, title=f"A story about number {number}", published=at(moment), modified=at(moment))

    def published(self, now: float) -> list[Article]:
        """Return what is published by now, the newest last."""
        return [article for _, article in self.articles[: self.count(now)]]

    def count(self, now: float) -> int:
        return bisect_right(self.times, now)


class Site:
    """One site: its web, the source that is added, and which articles must be delivered."""

    def __init__(self, table: Timetable) -> None:
        self.table = table
        self.host = table.host
        self.down: list[tuple[float, float]] = []

    def source(self) -> Source:
        raise NotImplementedError

    def web(self) -> dict[str, dict[str, object]]:
        raise NotImplementedError

    def listed_until(self, number: int) -> float:
        """Return when an article drops out of what the site lists."""
        return float("inf")

    def expected(self, end: float, patience: float) -> set[str]:
        """Return what was listed long enough to be seen: as long as the longest interval, outages left aside."""
        found = set()
        for number, (moment, article) in enumerate(self.table.articles):
            gone = min(self.listed_until(number), end)
            if moment > self.table.start and self._time_up(moment, gone) >= patience:
                found.add(article.url)
        return found

    def _time_up(self, first: float, last: float) -> float:
        """Return how long it was listed after the last outage that it met."""
        ends = [end for begin, end in self.down if begin < last and end > first]
        return max(0.0, last - max(first, *ends)) if ends else last - first


class FeedSite(Site):
    """A feed of the newest `window` articles, with one bad habit or none."""

    def __init__(self, table: Timetable, window: int = 20, habit: str = "") -> None:
        super().__init__(table)
        self.window, self.habit = window, habit
        start = table.start
        if habit == "outage":
            self.down = [(start + 5 * DAY, start + 7 * DAY)]
        if habit == "busy":
            self.down = [(start + 5 * DAY, start + 5 * DAY + 6 * HOUR)]
        if habit == "dies":
            self.down = [(start + 15 * DAY, float("inf"))]

    def source(self) -> Source:
        return Source(kind=SourceKind.FEED, url=f"https://{self.host}/feed")

    def listed_until(self, number: int) -> float:
        after = number + self.window
        return self.table.times[after] if after < len(self.table.times) else float("inf")

    def web(self):
        web = {f"https://{self.host}": {"/feed": self.answer}}
        if self.habit == "moves":
            web[f"https://feeds.{self.host}"] = {"/all": self.answer}
        if self.habit == "dies":
            web[f"https://{self.host}"]["/"] = page(title="We are closed")
        return web

    def answer(self, call):
        now = call.at
        if self.habit == "moves" and call.url.endswith("/feed") and now > self.table.start + 8 * DAY:
            return redirect(f"https://feeds.{self.host}/all", 301)
        if any(begin <= now < end for begin, end in self.down):
            return {
                "dies": Answer(status=410, body="gone"),
                "busy": Answer(status=503, headers={"Retry-After": str(int(6 * HOUR))}),
            }.get(self.habit, Answer(status=500, body="oops"))
        count = self.table.count(now)
        if self.habit == "always-304" and "If-Modified-Since" in call.headers:
            return Answer(status=304)
        body = self.render(count, now)
        headers = {"ETag": f'"{count}"'} if self.habit in {"", "moves"} else {}
        if self.habit == "always-304":
            headers["Last-Modified"] = formatdate(now + 400 * DAY, usegmt=True)
        return Answer(body=body, headers=headers)

    def render(self, count: int, now: float) -> str:
        first = max(0, count - self.window)
        lines = []
        for place, number in enumerate(range(count - 1, first - 1, -1)):
            moment, article = self.table.articles[number]
            url = article.url + (f"?utm_source=feed&amp;utm_term={int(now)}" if self.habit == "tracking" else "")
            guid = {
                "positions": str(place),
                "renumbered": f"https://{self.host}/?p={place}",
                "repeated": "https://example.com/the-same",
                "none": "",
            }.get(self.habit, f"tag:{self.host},2026:{number}")
            date = "" if self.habit == "undated" else f"<pubDate>{formatdate(moment, usegmt=True)}</pubDate>"
            tag = f'<guid isPermaLink="false">{guid}</guid>' if guid else ""
            lines.append(f"<item><title>{article.title}</title><link>{url}</link>{tag}{date}</item>")
        return f'<?xml version="1.0"?><rss version="2.0"><channel><title>{self.host}</title>{"".join(lines)}</channel></rss>'


class NewsSite(Site):
    """A news sitemap of the last two days."""

    def source(self) -> Source:
        return Source(kind=SourceKind.NEWS_SITEMAP, url=f"https://{self.host}/news-sitemap.xml")

    def listed_until(self, number: int) -> float:
        return self.table.times[number] + 2 * DAY

    def web(self):
        return {f"https://{self.host}": {"/news-sitemap.xml": self.answer}}

    def answer(self, call):
        listed = [a for a in self.table.published(call.at) if call.at - a.published.timestamp() < 2 * DAY]
        return urlset(reversed(listed), news=self.host)


class TreeSite(Site):
    """An index of monthly files, whose lastmods are honest, frozen, or always the time of asking."""

    def __init__(self, table: Timetable, lastmods: str, *, entry_dates: bool = True) -> None:
        super().__init__(table)
        self.lastmods, self.entry_dates = lastmods, entry_dates
        self._months = lru_cache(maxsize=4096)(self._month)

    def source(self) -> Source:
        return Source(kind=SourceKind.ARTICLE_SITEMAP, url=f"https://{self.host}/sitemap.xml")

    def web(self):
        return {f"https://{self.host}": {"/sitemap.xml": self.index, "*": self.child}}

    def months(self, now: float) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for moment in self.table.times[: self.table.count(now)]:
            found.setdefault(f"{at(moment):%Y-%m}", []).append(moment)
        return found

    def index(self, call):
        months = self.months(call.at)
        children = [f"https://{self.host}/sitemap-{month}.xml" for month in months]
        if self.lastmods == "none":
            return sitemap_index(children)
        frozen = at(self.table.start - 400 * DAY)
        dates = {
            "honest": [at(times[-1]) for times in months.values()],
            "frozen": [frozen] * len(children),
            "now": [at(call.at)] * len(children),
        }[self.lastmods]
        return sitemap_index(zip(children, dates, strict=True))

    def child(self, call):
        month = call.url.partition("sitemap-")[2].removesuffix(".xml")
        return self._months(month, self.table.count(call.at))

    def _month(self, month: str, count: int):
        listed = [article for _, article in self.table.articles[:count] if f"{article.published:%Y-%m}" == month]
        if not listed:
            return Answer(status=404)
        if not self.entry_dates:
            listed = [article.url for article in listed]
        return Answer(body=urlset(listed), headers={"ETag": f'"{month} {len(listed)}"'})


class SectionSite(Site):
    """Sections that list their newest articles; a sections sitemap with honest, frozen or no lastmods, or none at all."""

    NAMES = ("politics", "sports", "culture", "business")
    WINDOW = 25

    def __init__(self, table: Timetable, lastmods: str) -> None:
        super().__init__(table)
        self.lastmods = lastmods

    def source(self) -> Source:
        urls = [f"https://{self.host}/{name}/" for name in self.NAMES]
        url = f"https://{self.host}/" if self.lastmods == "pages" else f"https://{self.host}/sections.xml"
        return Source(kind=SourceKind.SECTIONS, url=url, sections=tuple(Section(url=each) for each in urls))

    def listed_until(self, number: int) -> float:
        after = number + self.WINDOW * len(self.NAMES)
        return self.table.times[after] if after < len(self.table.times) else float("inf")

    def web(self):
        paths = {f"/{name}/": self.section for name in self.NAMES}
        return {f"https://{self.host}": {"/sections.xml": self.sitemap, "/": page(["/about"]), **paths}}

    def _of(self, place: int, now: float) -> list[Article]:
        return [a for n, a in enumerate(self.table.published(now)) if n % len(self.NAMES) == place][-self.WINDOW :]

    def sitemap(self, call):
        entries = []
        for place, name in enumerate(self.NAMES):
            honest = self._of(place, call.at)[-1].published
            frozen = at(self.table.start - (30 + place) * DAY)
            modified = {"honest": honest, "frozen": frozen, "none": None}[self.lastmods]
            entries.append(Article(url=f"https://{self.host}/{name}/", modified=modified))
        return urlset(entries)

    def section(self, call):
        place = next(place for place, name in enumerate(self.NAMES) if f"/{name}/" in call.url)
        return page([article.url for article in reversed(self._of(place, call.at))])
