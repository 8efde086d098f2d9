"""Results as JSON, and back."""

import json
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.errors import InvalidData
from sitediscover.model import (
    Article,
    Discovery,
    Evidence,
    Failure,
    Outcome,
    Precision,
    Request,
    Section,
    SitemapEntry,
    Source,
    SourceKind,
    Stop,
    StopReason,
)
from sitediscover.serial import SCHEMA, from_plain, to_plain

FOUND = Discovery(
    site="https://e.example",
    outcome=Outcome.NEWS_SITEMAP,
    sources=(
        Source(
            kind=SourceKind.NEWS_SITEMAP,
            url="https://e.example/news.xml",
            title="Nachrichten \u65e5\u672c",
            articles=(Article(url="https://e.example/a", published=datetime(2021, 3, 9, 10, 20, 30, 400, UTC)),),
            sections=(
                Section(
                    url="https://e.example/s/", modified=datetime(2021, 3, 9, tzinfo=timezone(-timedelta(hours=3)))
                ),
            ),
            siblings=("https://e.example/other.xml",),
            evidence=Evidence(count=1, article_share=1.0, flags=("stale",)),
        ),
    ),
    stopped=Stop(reason=StopReason.BUDGET_SPENT, url="https://e.example/x", detail="25 requests"),
    failures=(Failure(strategy="common-paths", url="https://e.example/feed", error="NotFound: 404"),),
    requests=(Request(step="robots", url="https://e.example/robots.txt", status=200, size=12, seconds=0.25),),
)


def test_a_discovery_is_the_same_after_a_way_through_json():
    assert Discovery.from_dict(json.loads(json.dumps(FOUND.to_dict()))) == FOUND


def test_the_best_source_is_the_first():
    assert FOUND.best is FOUND.sources[0]
    assert Discovery(site="https://e.example", outcome=Outcome.NOTHING).best is None


def test_plain_json_types_and_the_schema_come_out():
    plain = FOUND.to_dict()
    assert plain["schema"] == SCHEMA
    assert plain["outcome"] == "news_sitemap"
    assert type(plain["outcome"]) is str
    assert plain["sources"][0]["articles"][0]["published"] == "2021-03-09T10:20:30.000400+00:00"
    assert plain["stopped"] == {"reason": "budget_spent", "url": "https://e.example/x", "detail": "25 requests"}


_ZONES = st.just(UTC) | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_DATES = st.none() | st.datetimes(timezones=_ZONES)
_TEXT = st.text(max_size=8)
_SHARES = st.none() | st.floats(0, 1) | st.integers(0, 1)
_ARTICLES = st.builds(Article, url=_TEXT, title=st.none() | _TEXT, published=_DATES)
_EVIDENCE = st.builds(Evidence, article_share=_SHARES, newest=_DATES, flags=st.lists(_TEXT, max_size=2).map(tuple))


@given(st.sampled_from(SourceKind), st.lists(_ARTICLES, max_size=3).map(tuple), st.none() | _EVIDENCE)
def test_no_source_loses_anything(kind, articles, evidence):
    source = Source(kind=kind, url="https://e.example/", articles=articles, evidence=evidence)
    found = Discovery(site="https://e.example", outcome=Outcome.FEED, sources=(source,))
    assert Discovery.from_dict(json.loads(json.dumps(found.to_dict()))) == found


@given(_TEXT, _DATES, st.sampled_from(Precision), st.booleans())
def test_a_value_that_stands_in_no_discovery_is_written_as_well(url, modified, precision, off_site):
    entry = SitemapEntry(url=url, modified=modified, modified_precision=precision, off_site=off_site)
    assert from_plain(SitemapEntry, json.loads(json.dumps(to_plain(entry)))) == entry


def test_names_of_a_later_version_are_passed_over_and_missing_ones_have_their_defaults():
    data = {"site": "https://e.example", "outcome": "nothing", "mood": "good"}
    assert Discovery.from_dict(data) == Discovery(site="https://e.example", outcome=Outcome.NOTHING)


def test_any_mapping_will_do():
    assert Discovery.from_dict(MappingProxyType(FOUND.to_dict())) == FOUND


@pytest.mark.parametrize("data", [None, [], "feed", 3, {}, {"site": "https://e.example"}, {"schema": 99}])
def test_what_is_no_discovery_is_refused(data):
    with pytest.raises(InvalidData):
        Discovery.from_dict(data)


def test_another_schema_is_named():
    with pytest.raises(InvalidData, match="another version of sitediscover"):
        Discovery.from_dict(FOUND.to_dict() | {"schema": SCHEMA + 1})


@pytest.mark.parametrize(
    "kind,data",
    [
        (str, 3),
        (str, None),
        (int, "3"),
        (int, True),
        (int, 3.5),
        (float, False),
        (float, "1.5"),
        (bool, 1),
        (Outcome, "victory"),
        (Outcome, None),
        (Outcome, []),
        (Precision, {}),
        (datetime, "yesterday"),
        (datetime, "2021-03-09T10:20:30"),
        (datetime, 20210309),
        (datetime, None),
        (datetime | None, "no"),
        (tuple[str, ...], "abc"),
        (tuple[str, ...], ["a", 1]),
        (Stop, {"reason": "budget_spent"}),
        (Stop, ["budget_spent", "url"]),
        (object(), 1),
    ],
)
def test_what_does_not_fit_its_type_is_refused(kind, data):
    with pytest.raises(InvalidData):
        from_plain(kind, data)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["site", "outcome", "url", "kind"]), inner)
    ),
    max_leaves=8,
)


@given(st.sampled_from(sorted(FOUND.to_dict())), _JSON)
def test_no_json_raises_anything_but_its_own_error(name, value):
    try:
        found = Discovery.from_dict(FOUND.to_dict() | {name: value})
    except InvalidData:
        return
    assert isinstance(found, Discovery)
