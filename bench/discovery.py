"""How many modelled publishers each library finds a way to follow, and with how many requests.

The publishers are those of ../shared/conformance (real addresses, modelled pages), read from there and served by a
loopback proxy. BENCH_SITES (60) sets how many of them; BENCH_PEERS is the Python that the other libraries are installed
for, without it only sitediscover runs (`nox -s bench` sets it).

A site counts as found when one of the offered addresses

- is one that the case expects, or
- leads, after redirects, to a feed, or to a sitemap whose entries carry news tags or dates, or
- is a page of the site, where the case expects nothing better than sections.
"""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from urllib.parse import urljoin, urlsplit

from bench._proxy import Proxy, body_of, look_up, running

DATA = Path(__file__).resolve().parents[2] / "shared" / "conformance" / "publishers.jsonl"
CLIENT = Path(__file__).with_name("_client.py")
SECONDS_PER_SITE = 20.0
SECONDS_TO_START = 60.0
OURS = ("adaptive", "listed")
PEERS = ("feedfinder2", "feed_seeker", "ultimate_sitemap_parser", "newspaper4k")


@dataclass(slots=True)
class Tally:
    """What one client did on all sites."""

    found: int = 0
    expected: int = 0
    timeouts: int = 0
    errors: int = 0
    requests: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class Client:
    """A library at work in a process of its own, started anew after it was ended for taking too long."""

    def __init__(self, name: str, python: str, environment: dict[str, str]) -> None:
        self.command = [python, str(CLIENT), name]
        # Nothing of the caller's environment leads round the proxy.
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "TMPDIR"}}
        self.environment = {**kept, **environment}
        self.process: subprocess.Popen[str] | None = None

    def ask(self, url: str) -> dict:
        """Return the client's answer; `{"timeout": True}` where there was none in time."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True, bufsize=1
            )
            if "ready" not in self._line(SECONDS_TO_START):
                raise RuntimeError(f"{' '.join(self.command)} does not start")
        self.process.stdin.write(url + "\n")
        return self._line(SECONDS_PER_SITE)

    def _line(self, seconds: float) -> dict:
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.end()
        return {"found": [], "timeout": True}

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def sample(number: int) -> list[dict]:
    """Return the same cases at every run."""
    cases = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return random.Random(20).sample(cases, min(number, len(cases)))


def front_page(case: dict) -> str:
    site = case["site"]
    return site if "://" in site else f"https://{site}/"


def as_tuple(value: str | list[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


def leads_somewhere(url: str, case: dict) -> bool:
    """Say whether an offered address can be followed, by the rules above."""
    if url in as_tuple(case["expect"].get("best_url")):
        return True
    answer = final_answer(url, case["web"])
    if answer is None or answer.get("status", 200) != 200:
        return False
    body = body_of(answer).decode("utf-8", "replace")
    # These bodies are the model's own, well-formed and without surprises: a look at the text is enough.
    if any(mark in body[:2000] for mark in ("<rss", "<feed", "<rdf:RDF", "jsonfeed.org/version")):
        return True
    if "<urlset" in body[:2000]:
        return "<news:publication_date" in body or "<lastmod" in body
    return as_tuple(case["expect"].get("outcome")) == ("sections",) and "<html" in body[:2000].lower()


def final_answer(url: str, web: dict) -> dict | None:
    for _ in range(5):
        parts = urlsplit(url)
        host = web.get(f"{parts.scheme}://{parts.netloc.lower()}")
        if host is None:
            return None
        answer = look_up(host, url)
        location = {name.lower(): value for name, value in answer.get("headers", {}).items()}.get("location")
        if location is None:
            return answer
        url = urljoin(url, location)
    return None


def measure(client: Client, proxy: Proxy, cases: list[dict]) -> Tally:
    tally = Tally()
    for case in cases:
        proxy.web = case["web"]
        proxy.calls.clear()
        started = time.perf_counter()
        answer = client.ask(front_page(case))
        tally.seconds.append(time.perf_counter() - started)
        tally.requests.append(len(proxy.calls))
        tally.timeouts += "timeout" in answer
        tally.errors += "error" in answer
        tally.found += any(leads_somewhere(url, case) for url in answer["found"])
        tally.expected += bool(set(answer["found"]) & set(as_tuple(case["expect"].get("best_url"))))
    client.end()
    return tally


HEAD = ("client", "a way to follow", "the expected one", "requests, mean", "median", "seconds", "timeouts", "errors")


def row(name: str, tally: Tally) -> str:
    sites = len(tally.requests)
    shares = (f"{tally.found / sites:.0%}", f"{tally.expected / sites:.0%}")
    costs = (f"{mean(tally.requests):.1f}", f"{median(tally.requests):.0f}", f"{mean(tally.seconds):.2f}")
    return "| " + " | ".join((name, *shares, *costs, str(tally.timeouts), str(tally.errors))) + " |"


def main() -> None:
    if not DATA.exists():
        print(f"no modelled publishers here: {DATA} is missing")
        return
    cases = sample(int(os.environ.get("BENCH_SITES", "60")))
    peers = os.environ.get("BENCH_PEERS")
    pythons = dict.fromkeys(OURS, sys.executable) | (dict.fromkeys(PEERS, peers) if peers else {})
    print(f"{len(cases)} publishers, at most {SECONDS_PER_SITE:.0f} s each, pauses off\n")
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as proxy:
        for name, python in pythons.items():
            tally = measure(Client(name, python, proxy.environment), proxy, cases)
            print(row(name, tally), flush=True)
