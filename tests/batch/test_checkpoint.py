"""A batch that was stopped goes on where it was."""

from __future__ import annotations

import json
import logging

import pytest
from batch_help import as_set, fake, sites_of
from batch_strategies import Faulty

from sitediscover import Discovery, discover_many

NAMES = [f"{n}.example" for n in range(12)]


def hosts_asked(web):
    return {call.url.split("/")[2] for call in web.calls}


def test_what_the_file_holds_is_yielded_and_not_asked_again(tmp_path):
    path = tmp_path / "found.jsonl"
    web = fake(*NAMES)
    first = list(discover_many(NAMES[:5], session=web.session(), resume=path))
    again = fake(*NAMES)
    found = list(discover_many(NAMES, session=again.session(), resume=str(path)))
    assert hosts_asked(again) == set(NAMES[5:])
    assert sites_of(found) == sorted(NAMES)
    assert as_set(found) - as_set(first) == as_set(each for each in found if each not in first)
    assert list(discover_many(NAMES, session=fake().session(), resume=path)) == found


def test_a_line_is_a_discovery_with_the_site_as_it_was_given(tmp_path):
    path = tmp_path / "found.jsonl"
    (found,) = discover_many([" A.example "], session=fake("a.example").session(), resume=path)
    (line,) = path.read_text().splitlines()
    data = json.loads(line)
    assert data["input"] == " A.example "
    assert data["schema"] == 1
    assert Discovery.from_dict(data) == found


def test_a_reader_that_leaves_early_loses_nothing_that_was_found(tmp_path):
    path = tmp_path / "found.jsonl"
    answers = discover_many(NAMES, session=fake(*NAMES).session(), resume=path, workers=4)
    seen = [next(answers), next(answers)]
    answers.close()
    written = [Discovery.from_dict(json.loads(line)) for line in path.read_text().splitlines()]
    assert written[:2] == seen
    web = fake(*NAMES)
    assert sites_of(discover_many(NAMES, session=web.session(), resume=path)) == sorted(NAMES)
    assert hosts_asked(web) == set(NAMES) - set(sites_of(written))


@pytest.mark.parametrize("keep", range(1, 400, 57))
def test_a_torn_last_line_is_taken_off(tmp_path, keep, caplog):
    path = tmp_path / "found.jsonl"
    list(discover_many(NAMES[:3], session=fake(*NAMES).session(), resume=path, workers=1))
    whole = path.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    assert len(last) > keep
    path.write_bytes(whole[:-keep])
    web = fake(*NAMES)
    with caplog.at_level(logging.WARNING):
        assert len(list(discover_many(NAMES[:3], session=web.session(), resume=path))) == 3
    assert "torn" in caplog.text
    assert hosts_asked(web) == {"2.example"}
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 3


def test_a_file_that_is_one_torn_line_is_begun_anew(tmp_path):
    path = tmp_path / "found.jsonl"
    path.write_bytes(b"x" * 200_000)
    assert len(list(discover_many(NAMES[:1], session=fake(*NAMES).session(), resume=path))) == 1
    assert len(path.read_text().splitlines()) == 1


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[]",
        "null",
        "{",
        '{"input": "0.example"}',
        '{"input": 3, "site": "a", "outcome": "feed"}',
        "[" * 50_000,
    ],
)
def test_a_line_that_cannot_be_read_costs_only_its_own_site(tmp_path, line, caplog):
    path = tmp_path / "found.jsonl"
    list(discover_many(NAMES[1:3], session=fake(*NAMES).session(), resume=path))
    path.write_text(f"{line}\n{path.read_text()}")
    web = fake(*NAMES)
    with caplog.at_level(logging.WARNING):
        assert len(list(discover_many(NAMES[:3], session=web.session(), resume=path))) == 3
    assert hosts_asked(web) == {"0.example"}
    assert "line 1 is passed over" in caplog.text


def test_repetitions_are_yielded_from_the_file_as_often_as_they_are_given(tmp_path):
    path = tmp_path / "found.jsonl"
    list(discover_many(["0.example"], session=fake(*NAMES).session(), resume=path))
    path.write_text(path.read_text() * 2)
    given = ["0.example", "1.example", "0.example", "0.example"]
    assert sites_of(discover_many(given, session=fake(*NAMES).session(), resume=path)) == sorted(given)


def test_lines_of_other_sites_are_left_alone(tmp_path):
    path = tmp_path / "found.jsonl"
    list(discover_many(NAMES[:3], session=fake(*NAMES).session(), resume=path))
    assert sites_of(discover_many(NAMES[5:6], session=fake(*NAMES).session(), resume=path)) == ["5.example"]
    assert len(path.read_text().splitlines()) == 4


def test_what_cannot_name_a_site_needs_no_line(tmp_path):
    path = tmp_path / "found.jsonl"
    for _ in range(2):
        assert len(list(discover_many(["a b", "0.example"], session=fake(*NAMES).session(), resume=path))) == 2
    assert len(path.read_text().splitlines()) == 1


def test_a_site_whose_strategy_has_a_bug_is_asked_again(tmp_path):
    path = tmp_path / "found.jsonl"
    names = ["faulty.example", "a.example"]
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            list(discover_many(names, session=fake(*names).session(), strategies=[Faulty()], resume=path))
    assert [json.loads(line)["input"] for line in path.read_text().splitlines()] == ["a.example"]


def test_a_checkpoint_that_cannot_be_written_is_told_before_anything_is_asked(tmp_path):
    web = fake(*NAMES)
    with pytest.raises(OSError, match="no-such"):
        list(discover_many(NAMES, session=web.session(), resume=tmp_path / "no-such" / "found.jsonl"))
    assert web.calls == []
