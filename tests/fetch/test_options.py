from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover import __version__
from sitediscover.fetch import PoliteSession
from sitediscover.fetch.options import DEFAULT_USER_AGENT, product_token

BAD = [
    {"pause": -1},
    {"pause": float("nan")},
    {"pause": "1"},
    {"timeout": 0},
    {"timeout": float("inf")},
    {"deadline": 0},
    {"deadline": 1e9},
    {"max_requests": 0},
    {"max_requests": 2.5},
    {"max_body": 0},
    {"max_sitemap": -1},
    {"max_redirects": -1},
    {"user_agent": ""},
    {"user_agent": "  "},
    {"user_agent": "bot/1.0\r\nX-Evil: 1"},
    {"user_agent": "bot\x00"},
    {"user_agent": "b\xf6t/1.0"},
    {"robots_token": ""},
    {"robots_token": "two words"},
    {"robots_token": "*"},
    {"robots_token": "bot\n"},
    {"proxy": "proxy.example:3128"},
    {"proxy": "ftp://proxy.example"},
    {"proxy": "http://"},
    {"proxy": "http://[x"},
]


@pytest.mark.parametrize("option", BAD, ids=repr)
def test_option_that_makes_no_sense_is_refused_at_once(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        PoliteSession(**option)


def test_defaults_are_taken_and_told():
    with PoliteSession() as session:
        assert session.robots_token == "sitediscover"
        assert session.deadline == 30.0
        assert session.max_requests == 25


def test_default_user_agent_names_library_version_and_contact():
    assert DEFAULT_USER_AGENT.startswith(f"sitediscover/{__version__} (+https://")


@pytest.mark.parametrize(
    "user_agent,token",
    [
        ("newsdeskbot/1.0", "newsdeskbot"),
        ("newsdeskbot", "newsdeskbot"),
        ("sitediscover/0.1.0 (+https://example.org/)", "sitediscover"),
        ("Mozilla/5.0 (compatible; AcmeNews/2.1; +https://acme.example)", "AcmeNews"),
        ("Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.example/)", "MJ12bot"),
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Acme-bot/2.1; +http://a.example) Safari/537",
            "Acme-bot",
        ),
        ("Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36 Acme/1", "Acme"),
        ("Mozilla/5.0", "Mozilla"),
        ("(no product)", "sitediscover"),
    ],
)
def test_robots_token_is_taken_from_the_user_agent(user_agent, token):
    assert product_token(user_agent) == token


def test_given_robots_token_goes_before_the_user_agent():
    with PoliteSession(user_agent="a/1", robots_token="b") as session:
        assert session.robots_token == "b"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=80))
def test_every_user_agent_has_a_token(user_agent):
    assert product_token(user_agent)
