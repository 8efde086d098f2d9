"""One client in a process of its own: reads sites, a line each, writes what it found, a JSON line each.

    python bench/_client.py NAME

Each function takes a site's front page and returns the addresses that the library offers for following it, the best
first where it ranks them. All are called as their documentation shows, with nothing tuned.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings


def listed(url: str) -> list[str]:
    return _sitediscover(url, "listed")


def adaptive(url: str) -> list[str]:
    return _sitediscover(url, "adaptive")


def _sitediscover(url: str, order: str) -> list[str]:
    from sitediscover import Discoverer, PoliteSession  # each client runs where only it is installed

    # Without the second between requests, which is courtesy to strangers and no matter of finding.
    session = PoliteSession(pause=0.0)
    return [source.url for source in Discoverer(session=session, order=order).discover(url).sources]


def feedfinder2(url: str) -> list[str]:
    import feedfinder2 as library

    return library.find_feeds(url)


def feed_seeker(url: str) -> list[str]:
    from feed_seeker import find_feed_url

    found = find_feed_url(url)
    return [found] if found else []


def ultimate_sitemap_parser(url: str) -> list[str]:
    from usp.objects.sitemap import AbstractPagesSitemap
    from usp.tree import sitemap_tree_for_homepage

    tree = sitemap_tree_for_homepage(url)
    return [item.url for item in tree.all_sitemaps() if isinstance(item, AbstractPagesSitemap)]


def newspaper4k(url: str) -> list[str]:
    import newspaper

    paper = newspaper.build(url, memoize_articles=False)
    return [*paper.feed_urls(), *paper.category_urls()]


CLIENTS = {
    function.__name__: function
    for function in (listed, adaptive, feedfinder2, feed_seeker, ultimate_sitemap_parser, newspaper4k)
}


def serve(name: str) -> None:
    warnings.simplefilter("ignore")
    logging.disable()
    # Libraries that print do not disturb the lines that are read.
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    print(json.dumps({"ready": name}), file=channel, flush=True)
    for line in sys.stdin:
        try:
            answer = {"found": CLIENTS[name](line.strip())}
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a figure in the table
            answer = {"found": [], "error": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), file=channel, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
