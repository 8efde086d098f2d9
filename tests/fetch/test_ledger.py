from __future__ import annotations

import threading

import pytest

from sitediscover.errors import BudgetSpent
from sitediscover.fetch import Ledger
from sitediscover.model import Request


def test_requests_stand_in_the_order_they_were_asked():
    ledger = Ledger(5)
    first, second = ledger.open("robots", "https://a.example/"), ledger.open("get", "https://b.example/")
    ledger.close(second, 0.5, status=200, size=3, note="")
    ledger.close(first, 1.5, status=404)
    assert ledger.requests == (
        Request(step="robots", url="https://a.example/", status=404, seconds=1.5, note="under way"),
        Request(step="get", url="https://b.example/", status=200, size=3, seconds=0.5),
    )


def test_budget_is_counted_and_then_spent():
    ledger = Ledger(2)
    ledger.open("get", "https://a.example/")
    assert (ledger.spent, ledger.remaining) == (1, 1)
    ledger.open("get", "https://a.example/")
    with pytest.raises(BudgetSpent, match="all 2 requests"):
        ledger.open("get", "https://a.example/")
    with pytest.raises(BudgetSpent):
        ledger.require("https://a.example/")
    assert len(ledger.requests) == 2


def test_what_a_cache_answers_costs_nothing():
    ledger = Ledger(1)
    ledger.open("get", "https://a.example/")
    ledger.open("get", "https://a.example/", free=True)
    assert (ledger.spent, len(ledger.requests)) == (1, 2)


def test_threads_never_spend_more_than_there_is():
    ledger, refused = Ledger(100), []

    def spend():
        for _ in range(20):
            try:
                ledger.close(ledger.open("get", "https://a.example/"), 0.0, status=200)
            except BudgetSpent as error:
                refused.append(error)

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert (ledger.spent, len(ledger.requests), len(refused)) == (100, 100, 60)
