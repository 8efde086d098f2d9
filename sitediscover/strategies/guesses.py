"""The addresses that feeds usually have, and what moves one to the front."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CLASSIC_PATHS: tuple[str, ...] = (
    "/feed",
    "/feed/",
    "/rss",
    "/rss.xml",
    "/feed.xml",
    "/atom.xml",
    "/index.xml",
    "/feeds/posts/default",
    "/rss/index.xml",
)
"""The nine usual addresses in their classic order. They cover 41.7 % of 3,803 news sites."""

BETTER_PATHS: tuple[str, ...] = (
    "/feed",
    "/rss.xml",
    "/feed.xml",
    "/index.xml",
    "/rss",
    "/atom.xml",
    "/feed/atom",
    "/atom",
    "/feeds/posts/default",
    "/blog/feed",
    "/feed.rss",
    "/blog/rss.xml",
)
"""Twelve better ones: they cover 85.7 % of 36,148 small-web sites; /rss/index.xml earned 0.01 %."""

NEWS_PATHS: tuple[str, ...] = ("/feed", "/rss", "/rss.xml")
"""On news sites these three bring 40 %, and twelve more add 9 points."""

SLASHED_PATH = "/feed/"
"""Asked last, and only of sites that write their addresses with a final slash: most send /feed there, a few do not
(feed_seeker#17)."""

# Where each generator puts its feed: (what the generator tag says, the addresses). The first that fits counts.
# Sources: the generators' own documentation; the final slash is the one that answers without a redirect.
_GENERATORS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), paths)
    for pattern, paths in (
        (
            "wordpress|woocommerce|elementor|wp ",
            ("/feed/",),
        ),  # developer.wordpress.org/advanced-administration/wordpress/feeds
        ("ghost", ("/rss/",)),  # ghost.org/help/rss-feeds
        ("hugo", ("/index.xml",)),  # gohugo.io/templates/rss
        ("blogger", ("/feeds/posts/default",)),  # support.google.com/blogger/answer/97933
        ("jekyll", ("/feed.xml",)),  # github.com/jekyll/jekyll-feed
        ("hexo", ("/atom.xml", "/rss2.xml")),  # github.com/hexojs/hexo-generator-feed
        ("drupal", ("/rss.xml",)),  # drupal.org/docs/drupal-apis/rss
        ("joomla", ("/?format=feed&type=rss",)),  # docs.joomla.org/Syndication
        ("squarespace", ("/blog?format=rss", "/?format=rss")),  # support.squarespace.com: finding your RSS feed URL
        ("wix", ("/blog-feed.xml",)),  # support.wix.com: RSS feed of Wix Blog
        ("substack", ("/feed",)),  # support.substack.com: RSS feed
        ("medium", ("/feed",)),  # help.medium.com: RSS feeds
        ("astro|gatsby|nikola|lektor", ("/rss.xml",)),  # docs.astro.build/en/recipes/rss
        ("eleventy", ("/feed.xml", "/feed/feed.xml")),  # 11ty.dev/docs/plugins/rss
        ("docusaurus", ("/blog/rss.xml",)),  # docusaurus.io/docs/blog#feed
        ("pelican", ("/feeds/all.atom.xml",)),  # docs.getpelican.com/en/latest/settings.html
        ("zola", ("/atom.xml", "/rss.xml")),  # getzola.org/documentation/templates/feeds
        ("typepad|movable type", ("/atom.xml",)),  # movabletype.org/documentation
        ("discourse", ("/latest.rss",)),  # meta.discourse.org: RSS feeds
        ("textpattern", ("/rss/",)),  # docs.textpattern.com
        ("typo3", ("/rss.xml", "/feed.xml")),  # docs.typo3.org/p/georgringer/news
        ("bludit", ("/rss.xml",)),  # docs.bludit.com/en/plugins/rss
        ("micro\\.blog", ("/feed.xml",)),  # help.micro.blog/t/feeds
        ("dotclear", ("/feed/atom",)),  # dotclear.org
    )
)

# HTTP headers that tell the platform: (header, what it says, the addresses).
_HEADERS: tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...] = (
    # WordPress announces its REST API on every page (developer.wordpress.org/rest-api/using-the-rest-api/discovery).
    ("Link", re.compile(r"api\.w\.org|/wp-json/"), ("/feed/",)),
    ("X-Pingback", re.compile(r"xmlrpc\.php"), ("/feed/",)),
    ("X-Powered-By", re.compile(r"wp engine|wordpress", re.IGNORECASE), ("/feed/",)),
    ("X-Powered-By", re.compile(r"ghost", re.IGNORECASE), ("/rss/",)),
    ("X-Generator", re.compile(r"drupal", re.IGNORECASE), ("/rss.xml",)),
    ("X-Drupal-Cache", re.compile(r""), ("/rss.xml",)),
    ("X-Ghost-Cache-Status", re.compile(r""), ("/rss/",)),
)


# What a page cannot do without on a platform, though many themes and plugins take the generator tag away.
_MARKS: tuple[tuple[re.Pattern[bytes], tuple[str, ...]], ...] = (
    # developer.wordpress.org/reference/functions/wp_enqueue_script: /wp-includes/ holds its own scripts and styles
    (re.compile(rb"/wp-includes/|/wp-content/(?:themes|plugins)/|https://api\.w\.org/"), ("/feed/",)),
    # ghost.org/docs/themes/helpers/data/ghost_head: its search and its portal on every page
    (re.compile(rb"data-ghost=|/ghost/api/content/"), ("/rss/",)),
    # support.substack.com: on custom domains too
    (re.compile(rb"https://substackcdn\.com/"), ("/feed",)),
    # support.google.com/blogger: on custom domains too
    (re.compile(rb"www\.blogger\.com/static/"), ("/feeds/posts/default",)),
)


def hinted_paths(generator: str | None, headers: Mapping[str, str], body: bytes = b"") -> tuple[str, ...]:
    """Return the addresses that a generator tag, the headers or else the page's marks point to, likeliest first.

    Args:
        generator: the front page's generator tag.
        headers: the front page's HTTP headers.
        body: the front page.
    """
    told = generator or ""
    by_tag = next((paths for pattern, paths in _GENERATORS if pattern.search(told)), ())
    by_header = (
        path
        for header, pattern, paths in _HEADERS
        if header in headers and pattern.search(headers[header])
        for path in paths
    )
    hinted = tuple(dict.fromkeys((*by_tag, *by_header)))
    return hinted or next((paths for pattern, paths in _MARKS if pattern.search(body)), ())
