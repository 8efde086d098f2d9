"""Trees whose parts come, go, stop, move and change their nature."""

from __future__ import annotations

import pytest
from onesite import World
from worlds import DAY, HOUR, at

from sitediscover import Article, Source, SourceKind
from sitediscover.testing import Answer, page, redirect, sitemap_index, urlset
from sitediscover.watch import Role, SourceState

SITE = "https://a.example"
MONTHS = tuple(f"2025-{month:02}" for month in range(1, 9))
INDEX = Source(kind=SourceKind.ARTICLE_SITEMAP, url=f"{SITE}/sitemap.xml")


class Tree(World):
    """An index of monthly files."""

    def __init__(self, store: str, months=MONTHS) -> None:
        super().__init__(store)
        self.months = {month: [self.story(month, n, 40 + n) for n in range(3)] for month in months}
        self.paths |= {"/sitemap.xml": self.index, "*": self.file}

    def story(self, month: str, number: int, days: float = 0.0) -> Article:
        url = f"{SITE}/{month.replace('-', '/')}/a-story-of-this-month-{number}"
        return Article(url=url, modified=at(self.clock.time() - days * DAY))

    def index(self, call):
        return sitemap_index(
            (f"{SITE}/{month}.xml", max(a.modified for a in listed)) for month, listed in self.months.items()
        )

    def file(self, call):
        listed = self.months.get(call.url[-11:-4])
        return urlset(listed) if listed else Answer(status=404)

    def everything(self, call):
        return urlset(article for listed in self.months.values() for article in listed)

    def tell(self, month: str, number: int = 99) -> str:
        article = self.story(month, number)
        self.months.setdefault(month, []).append(article)
        return article.url

    def child(self, month: str):
        return next(each for each in self.watch.sources(children=True) if each.url == f"{SITE}/{month}.xml")

    def settle(self) -> None:
        """Read everything once, and let the last month have news, so that the others rest."""
        self.source = self.watch.add(INDEX)
        assert self.polled(14) == []
        self.tell(MONTHS[-1], 50)
        assert len(self.polled(12)) == 1
        assert self.polled(72, every=4 * HOUR) == []
        assert self.child(MONTHS[0]).role is Role.RESTING


@pytest.fixture
def tree(store):
    made = Tree(store)
    yield made
    made.watch.close()


def test_a_child_that_a_person_has_paused_stays_so_when_its_index_says_that_it_moved(tree):
    tree.settle()
    child = tree.child(MONTHS[0])
    tree.watch.pause(child.id)
    asked = len(tree.web.calls)
    tree.tell(MONTHS[0])
    polling = tree.watch.poll()
    tree.clock.advance(5 * HOUR)
    while len(tree.web.calls) < asked + 50 and next(polling, None):
        pass
    assert child.url not in tree.web.requests[asked:]
    assert tree.watch.source(child.id).state is SourceState.PAUSED
    tree.watch.resume(child.id)
    assert tree.polled(12)


def test_a_child_that_is_gone_is_not_asked_whenever_its_index_changes(tree):
    tree.settle()
    tree.paths[f"/{MONTHS[0]}.xml"] = Answer(status=410)
    tree.tell(MONTHS[0])
    tree.polled(60)
    assert tree.child(MONTHS[0]).state is SourceState.GONE
    asked = len(tree.web.calls)
    for number in range(8):
        tree.tell(MONTHS[-1], 60 + number)
        tree.polled(12)
    assert f"{SITE}/{MONTHS[0]}.xml" not in tree.web.requests[asked:]


@pytest.mark.parametrize("answer", [Answer(status=404), sitemap_index([]), urlset([])], ids=["404", "index", "urlset"])
def test_an_index_that_is_away_or_empty_for_a_day_comes_back_as_if_nothing_had_been(tree, answer):
    tree.settle()
    tree.paths["/sitemap.xml"] = answer
    assert tree.polled(24) == []
    tree.paths["/sitemap.xml"] = tree.index
    told = tree.tell(MONTHS[2])
    assert tree.polled(36) == [told]


def test_an_index_that_lists_half_of_its_files_for_a_day_brings_no_flood(tree):
    tree.settle()
    away = {month: tree.months.pop(month) for month in MONTHS[:4]}
    assert tree.polled(24) == []
    tree.months |= away
    told = tree.tell(MONTHS[2])
    assert tree.polled(36) == [told]


def test_a_file_that_was_away_until_it_was_forgotten_brings_no_flood_and_no_loss(sqlite_store):
    tree = Tree(sqlite_store, MONTHS[:3])
    tree.watch.add(INDEX)
    tree.polled(5)
    away = tree.months.pop(MONTHS[1])
    for day in range(0, 120, 2):
        for month, listed in tree.months.items():
            tree.months[month] = [listed[-1], tree.story(month, 100 + day)]
        tree.polled(48, every=DAY)
    assert tree.child(MONTHS[1]).state is SourceState.GONE
    tree.months[MONTHS[1]] = away
    told = tree.tell(MONTHS[1])
    assert [url for url in tree.polled(72) if f"/{MONTHS[1].replace('-', '/')}/" in url] == [told]
    tree.watch.close()


def test_an_index_that_becomes_a_file_of_articles_and_one_again_brings_no_flood_and_no_loss(tree):
    tree.watch.add(INDEX)
    tree.polled(2)  # most files are still to be read
    tree.paths["/sitemap.xml"] = tree.everything
    assert tree.polled(10) == []
    first = tree.tell(MONTHS[-1])
    assert tree.polled(30) == [first]
    tree.paths["/sitemap.xml"] = tree.index
    second = tree.tell(MONTHS[3])
    assert tree.polled(48) == [second]


def test_a_file_of_articles_that_becomes_an_index_is_read_in_its_own_time(store):
    tree = Tree(store, tuple(f"20{year}-{month:02}" for year in range(20, 25) for month in range(1, 13)))
    tree.paths["/sitemap.xml"] = urlset([tree.story("2024-12", number, 50) for number in range(6)])
    tree.watch.add(INDEX)
    tree.polled(3)
    tree.paths["/sitemap.xml"] = tree.index
    asked = len(tree.web.calls)
    assert tree.polled(24) == []
    assert len(tree.web.calls) - asked < 100
    tree.watch.close()


def test_files_that_another_index_lists_too_are_no_news_of_it(tree):
    tree.watch.add(INDEX)
    tree.paths["/other.xml"] = tree.index
    tree.polled(1)
    other = tree.watch.add(Source(kind=SourceKind.ARTICLE_SITEMAP, url=f"{SITE}/other.xml"))
    tree.polled(24)
    assert {poll.new for poll in tree.watch.polls(other.id)} == {0}
    told = tree.tell(MONTHS[2])
    assert tree.polled(36) == [told]


def test_an_approved_index_goes_on_with_the_files_of_the_one_that_it_replaces(tree):
    tree.settle()
    tree.paths |= {"/sitemap.xml": Answer(status=404), "/new.xml": tree.index, "/": page()}
    tree.paths["/robots.txt"] = f"Sitemap: {SITE}/new.xml"
    assert tree.polled(24 * 20, every=6 * HOUR) == []
    (successor,) = tree.watch.sources(state=SourceState.PROVISIONAL)
    tree.watch.approve(successor.id)
    assert tree.polled(12) == []
    told = [tree.tell(MONTHS[1]), tree.tell(MONTHS[-1]), tree.tell("2025-12")]
    assert sorted(tree.polled(48)) == sorted(told)
    assert tree.watch.source(tree.source.id).state is SourceState.SUPERSEDED
    assert tree.child(MONTHS[1]).parent == successor.id


def test_an_index_that_moves_onto_a_watched_one_leaves_its_files_to_it(tree):
    tree.settle()
    tree.paths["/other.xml"] = tree.index
    other = tree.watch.add(Source(kind=SourceKind.ARTICLE_SITEMAP, url=f"{SITE}/other.xml"))
    assert tree.polled(5) == []
    tree.paths["/sitemap.xml"] = redirect("/other.xml")
    assert tree.polled(24 * 9, every=2 * HOUR) == []
    assert tree.watch.source(tree.source.id).state is SourceState.SUPERSEDED
    told = [tree.tell(MONTHS[1]), tree.tell(MONTHS[-1])]
    assert sorted(tree.polled(48)) == sorted(told)
    assert tree.child(MONTHS[1]).parent == other.id


def test_a_tree_is_paused_and_resumed_as_a_whole(tree):
    source = tree.watch.add(INDEX)
    tree.polled(2)
    tree.watch.pause(source.id)
    asked = len(tree.web.calls)
    tree.polled(48, every=4 * HOUR)
    assert len(tree.web.calls) == asked
    tree.watch.resume(source.id)
    told = tree.tell(MONTHS[-1])
    assert tree.polled(36) == [told]
