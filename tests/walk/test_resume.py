"""A walk that is killed goes on with nothing lost and nothing twice."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitediscover.errors import InvalidData
from sitediscover.testing import FakeWeb, sitemap_index, urlset
from sitediscover.walk import SitemapStatus, SitemapWalk

SITE = "https://site.example"


def tree(files, per_file=2, *, fan=50):
    """Return a web with an index of indexes of files, and the addresses of all its pages."""
    web = {"/robots.txt": f"Sitemap: {SITE}/index.xml\n"}
    groups = range(0, files, fan)
    web["/index.xml"] = sitemap_index(f"{SITE}/group-{group}.xml" for group in groups)
    for group in groups:
        numbers = range(group, min(files, group + fan))
        web[f"/group-{group}.xml"] = sitemap_index(f"{SITE}/part-{number}.xml" for number in numbers)
    expected = [f"{SITE}/page/{number}-{page}" for number in range(files) for page in range(per_file)]
    for number in range(files):
        web[f"/part-{number}.xml"] = urlset(expected[number * per_file : (number + 1) * per_file])
    return FakeWeb({SITE: web}), expected


def small():
    web = {
        "/robots.txt": f"Sitemap: {SITE}/index.xml\n",
        "/index.xml": sitemap_index([f"{SITE}/1.xml", f"{SITE}/2.xml"]),
        "/1.xml": urlset([f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"]),
        "/2.xml": urlset([f"{SITE}/d"]),
    }
    return FakeWeb({SITE: web}), web


def names(entries):
    return [entry.url.removeprefix(f"{SITE}/") for entry in entries]


def through_json(state):
    text = json.dumps(state)
    assert json.loads(text) == state
    return json.loads(text)


@pytest.mark.slow
def test_a_walk_of_2000_files_killed_after_each_of_them_gives_every_page_once():
    web, expected = tree(2_000)
    session = web.session(pause=0, max_requests=10_000)
    found, kills = [], 0
    walk = SitemapWalk(SITE, session=session)
    while pages := [entry.url for entry in (next(walk, None), next(walk, None)) if entry]:
        found += pages
        kills += 1
        if kills == 1_000:  # up to here between two files, from here on in the middle of each
            found.append(next(walk).url)
        state = walk.state()
        walk = SitemapWalk.resume(state if kills % 100 else through_json(state), session=session)
    assert sorted(found) == sorted(expected)
    assert kills == 2_000
    assert len(walk.reports) == 2_000 + 40 + 1
    assert all(report.status is SitemapStatus.OK for report in walk.reports)
    assert sum(report.entries for report in walk.reports if report.kind == "urlset") == len(expected)
    assert walk.pending == ()


def test_a_state_does_not_grow_with_the_pages():
    few, many = (tree(20, per_file)[0] for per_file in (1, 1_000))
    sizes = []
    for web in (few, many):
        walk = SitemapWalk(SITE, session=web.session(pause=0, max_requests=100))
        for _ in walk:
            pass
        sizes.append(len(json.dumps(walk.state())))
    assert sizes[1] < sizes[0] * 1.2


@pytest.mark.parametrize("taken", range(6))
def test_wherever_it_is_killed_the_rest_follows(taken):
    web, _ = small()
    walk = SitemapWalk(SITE, session=web.session())
    first = [next(walk, None) for _ in range(taken)]
    resumed = SitemapWalk.resume(through_json(walk.state()), session=web.session())
    assert names([*filter(None, first), *resumed]) == ["a", "b", "c", "d"]
    assert [report.entries for report in resumed.reports] == [2, 3, 1]


def test_an_unfinished_file_is_pending_again():
    web, _ = small()
    walk = SitemapWalk(SITE, session=web.session())
    next(walk)
    assert [stub.url for stub in walk.pending] == [f"{SITE}/2.xml"]
    resumed = SitemapWalk.resume(walk.state())
    assert [stub.url for stub in resumed.pending] == [f"{SITE}/1.xml", f"{SITE}/2.xml"]
    assert resumed.pending[0].parent == f"{SITE}/index.xml"
    assert resumed.reports == walk.reports


def test_a_file_that_grew_at_its_end_is_not_repeated():
    web, files = small()
    walk = SitemapWalk(SITE, session=web.session())
    next(walk)
    files["/1.xml"] = urlset([f"{SITE}/{name}" for name in "abcx"])
    assert names(SitemapWalk.resume(walk.state(), session=web.session())) == ["b", "c", "x", "d"]


@pytest.mark.parametrize("changed", ["xabc", "x", ""])
def test_a_file_that_changed_is_read_from_its_start(changed):
    web, files = small()
    walk = SitemapWalk(SITE, session=web.session())
    assert names([next(walk), next(walk)]) == ["a", "b"]
    files["/1.xml"] = urlset([f"{SITE}/{name}" for name in changed])
    assert names(SitemapWalk.resume(walk.state(), session=web.session())) == [*changed, "d"]


def test_the_state_of_a_resumed_walk_that_was_not_read_on_is_the_same():
    web, _ = small()
    walk = SitemapWalk(SITE, session=web.session())
    next(walk)
    state = walk.state()
    assert SitemapWalk.resume(state).state() == state


def test_a_walk_that_has_not_begun_can_be_resumed():
    web, _ = small()
    state = through_json(SitemapWalk("site.example/2.xml", session=web.session()).state())
    assert names(SitemapWalk.resume(state, session=web.session())) == ["d"]


def test_a_finished_walk_has_nothing_more():
    web, _ = small()
    walk = SitemapWalk(SITE, session=web.session())
    assert len(list(walk)) == 4
    assert list(SitemapWalk.resume(walk.state(), session=web.session())) == []


def test_going_on_has_a_budget_of_its_own():
    web, _ = small()
    walk = SitemapWalk(SITE, session=web.session(max_requests=3))
    assert names(walk) == ["a", "b", "c"]
    assert names(SitemapWalk.resume(walk.state(), session=web.session(max_requests=3))) == ["d"]


def test_settings_are_part_of_a_state_and_choose_is_given_anew():
    since = datetime(2026, 1, 1, tzinfo=UTC)
    web, files = small()
    files["/index.xml"] = sitemap_index([(f"{SITE}/1.xml", since - timedelta(days=9)), f"{SITE}/2.xml"])
    fresh = SitemapWalk(SITE, since=since, max_depth=2, respect_robots=False, session=web.session(max_requests=1))
    assert list(fresh) == []
    state = through_json(fresh.state())
    assert names(SitemapWalk.resume(state, session=web.session())) == ["d"]
    assert list(SitemapWalk.resume(state, session=web.session(), choose=lambda _: [])) == []
    again = SitemapWalk.resume(state).state()
    assert (again["since"], again["max_depth"], again["respect_robots"]) == (since.isoformat(), 2, False)


def test_guesses_that_were_not_made_are_made_later():
    web = FakeWeb({SITE: {"/wp-sitemap.xml": urlset([f"{SITE}/a"])}})
    walk = SitemapWalk(SITE, session=web.session(max_requests=2))
    assert list(walk) == []
    assert names(SitemapWalk.resume(walk.state(), session=web.session())) == ["a"]


def test_another_process_goes_on(tmp_path):
    web, files = small()
    walk = SitemapWalk(SITE, session=web.session())
    assert names([next(walk)]) == ["a"]
    (tmp_path / "state.json").write_text(json.dumps(walk.state()))
    (tmp_path / "web.json").write_text(json.dumps(files))
    program = (
        "import json, sys; from sitediscover.testing import FakeWeb; from sitediscover.walk import SitemapWalk\n"
        f"web = FakeWeb({{'{SITE}': json.load(open(sys.argv[2]))}})\n"
        "walk = SitemapWalk.resume(json.load(open(sys.argv[1])), session=web.session())\n"
        "print(*(entry.url for entry in walk))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "state.json"), str(tmp_path / "web.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [f"{SITE}/b", f"{SITE}/c", f"{SITE}/d"]


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"version": None},
        {"site": 1},
        {"since": "yesterday"},
        {"max_depth": "3"},
        {"begun": "yes"},
        {"pending": None},
        {"pending": ["https://a.example/"]},
        {"pending": [[]]},
        {"pending": [[1]]},
        {"pending": [[f"{SITE}/x.xml", None, 99, 1]]},
        {"pending": [[f"{SITE}/x.xml", None, None, 0, 0, 0, 0, 0]]},
        {"reports": [[f"{SITE}/x.xml", "urlset", "many"]]},
        {"site": ""},
        {"site": "ftp://site.example"},
        {"max_depth": -1},
        {"pending": [["no address"]]},
        {"pending": [["https://u:p@site.example/x.xml"]]},
        {"pending": [[f"{SITE}/x.xml", "yesterday"]]},
        {"pending": [[f"{SITE}/x.xml", "2026-01-01T00:00:00"]]},
        {"pending": [[f"{SITE}/x.xml", None, None, -1]]},
        {"pending": [[f"{SITE}/x.xml", None, None, 0, 0, 10**30]]},
        {"reports": [[f"{SITE}/x.xml", "book"]]},
        {"reports": [[f"{SITE}/x.xml", "urlset", -1]]},
        {"reports": [[f"{SITE}/x.xml", "urlset", 1, "perhaps"]]},
        {"reports": [[f"{SITE}/x.xml", "urlset", 1, None, None, 0, "fine"]]},
    ],
)
def test_a_damaged_state_is_an_error(change):
    web, _ = small()
    walk = SitemapWalk(SITE, session=web.session())
    next(walk)
    with pytest.raises(InvalidData):
        SitemapWalk.resume({**walk.state(), **change})


_JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.sampled_from([SITE, "2026-01-01"])
)


@given(data=st.data())
def test_a_damaged_state_is_an_error_or_can_be_walked(data):
    web, _ = small()
    session = web.session(pause=0, max_requests=50)
    walk = SitemapWalk(SITE, session=session)
    next(walk)
    state = through_json(walk.state())
    name = data.draw(st.sampled_from(sorted(state)))
    if name in ("pending", "reports"):
        row = data.draw(st.sampled_from(state[name]))
        row[data.draw(st.integers(0, len(row) - 1))] = data.draw(_JUNK)
    else:
        state[name] = data.draw(_JUNK)
    try:
        resumed = SitemapWalk.resume(state, session=session)
    except InvalidData:
        return
    list(resumed)
    again = SitemapWalk.resume(through_json(resumed.state()), session=session)
    assert (again.reports, again.pending) == (resumed.reports, resumed.pending)


def test_what_is_no_state_is_an_error():
    with pytest.raises(InvalidData):
        SitemapWalk.resume(["https://site.example/"])


# Trees of up to some twenty files: a file is a number of pages, an index a list of files. A name is drawn for each, so
# that the same file may be listed twice, and files may list themselves.
_NAMES = st.integers(0, 11)
_FILES = st.dictionaries(_NAMES, st.one_of(st.integers(0, 4), st.lists(_NAMES, max_size=5)), min_size=1, max_size=12)


@settings(max_examples=60)
@given(files=_FILES, named=st.lists(_NAMES, min_size=1, max_size=3), kills=st.lists(st.integers(0, 4), max_size=12))
def test_random_trees_are_walked_whole_however_often_they_are_killed(files, named, kills):
    web = {"/robots.txt": "".join(f"Sitemap: {SITE}/{name}.xml\n" for name in named)}
    for name, content in files.items():
        if isinstance(content, int):
            web[f"/{name}.xml"] = urlset(f"{SITE}/{name}/{page}" for page in range(content))
        else:
            web[f"/{name}.xml"] = sitemap_index(f"{SITE}/{child}.xml" for child in content)
    session = FakeWeb({SITE: web}).session(pause=0, max_requests=1_000)
    whole = SitemapWalk(SITE, session=session, max_depth=12)
    expected = [entry.url for entry in whole]
    assert len(set(expected)) == len(expected)
    assert set(expected) == reachable(files, named)
    found, walk = [], SitemapWalk(SITE, session=session, max_depth=12)
    for pages in kills:
        found += [entry.url for entry in (next(walk, None) for _ in range(pages)) if entry]
        walk = SitemapWalk.resume(through_json(walk.state()), session=session)
    assert found + [entry.url for entry in walk] == expected
    assert walk.reports == whole.reports
    assert walk.pending == ()


def reachable(files, named):
    """Return the pages that some way of indexes leads to."""
    seen, todo = set(), list(named)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += files.get(name, []) if isinstance(files.get(name, []), list) else []
    return {f"{SITE}/{name}/{page}" for name in seen if isinstance(files.get(name), int) for page in range(files[name])}
