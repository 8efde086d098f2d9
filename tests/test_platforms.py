"""Feeds that follow from an address alone."""

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.platforms import PLATFORMS, RESERVED, PlatformFeed, platform_feeds
from sitediscover.urls import normalise_url


def feeds(address):
    return [feed.url.removeprefix("https://") for feed in platform_feeds(f"https://{address}")]


CHANNEL = "UCabcdefghijklmnopqrstuv"


@pytest.mark.parametrize(
    "address, first",
    [
        (f"www.youtube.com/channel/{CHANNEL}/videos", f"www.youtube.com/feeds/videos.xml?channel_id={CHANNEL}"),
        ("m.youtube.com/playlist?app=x&list=PLa_b-c", "www.youtube.com/feeds/videos.xml?playlist_id=PLa_b-c"),
        ("youtube.com/user/SomeOne", "www.youtube.com/feeds/videos.xml?user=SomeOne"),
        ("www.youtube.com/watch?v=a&list=PLa_b-c&index=4", "www.youtube.com/feeds/videos.xml?playlist_id=PLa_b-c"),
        ("music.youtube.com/playlist?list=PLa_b-c", "www.youtube.com/feeds/videos.xml?playlist_id=PLa_b-c"),
        ("lemmy.world/c/birds", "lemmy.world/feeds/c/birds.xml?sort=New"),
        ("news.ycombinator.com", "news.ycombinator.com/rss"),
        ("github.com/owner/repo.git", "github.com/owner/repo/releases.atom"),
        ("github.com/owner/repo/wiki/Home", "github.com/owner/repo/wiki.atom"),
        ("jane.ghost.io", "jane.ghost.io/rss/"),
        ("jane.micro.blog/2026/x", "jane.micro.blog/feed.xml"),
        ("jane.bearblog.dev/a-post/", "jane.bearblog.dev/feed/"),
        ("jane.hashnode.dev", "jane.hashnode.dev/rss.xml"),
        ("buttondown.com/jane/archive/", "buttondown.com/jane/rss"),
        ("letterboxd.com/jane/films/", "letterboxd.com/jane/rss/"),
        (
            "www.deviantart.com/jane/gallery",
            "backend.deviantart.com/rss.xml?type=deviation&q=by%3Ajane+sort%3Atime+meta%3Aall",
        ),
        ("www.pinterest.com/jane/", "www.pinterest.com/jane/feed.rss"),
        ("www.pinterest.com/jane/boats/", "www.pinterest.com/jane/boats.rss"),
        ("vimeo.com/channels/staff", "vimeo.com/channels/staff/videos/rss"),
        ("vimeo.com/someone", "vimeo.com/someone/videos/rss"),
        ("odysee.com/@Some:5", "odysee.com/$/rss/@Some:5"),
        ("www.bitchute.com/channel/abc/", "www.bitchute.com/feeds/rss/channel/abc/"),
        ("www.flickr.com/photos/12345678@N00/", "www.flickr.com/services/feeds/photos_public.gne?id=12345678@N00"),
        ("old.reddit.com/r/python/new?x=1", "www.reddit.com/r/python/.rss"),
        ("www.reddit.com/u/someone", "www.reddit.com/user/someone/.rss"),
        ("www.reddit.com/r/python/comments/1ab/title/", "www.reddit.com/r/python/comments/1ab/.rss"),
        ("mastodon.example/@jane", "mastodon.example/@jane.rss"),
        ("fosstodon.org/@jane/1234", "fosstodon.org/@jane.rss"),
        ("bsky.app/profile/jane.example", "bsky.app/profile/jane.example/rss"),
        ("stackoverflow.com/questions/tagged/python", "stackoverflow.com/feeds/tag?tagnames=python&sort=newest"),
        ("gis.stackexchange.com/questions/123/title", "gis.stackexchange.com/feeds/question/123"),
        ("superuser.com", "superuser.com/feeds"),
        ("github.com/owner/repo", "github.com/owner/repo/releases.atom"),
        ("github.com/owner/repo/commits/main/src", "github.com/owner/repo/commits/main.atom"),
        ("github.com/owner/site/tags", "github.com/owner/site/tags.atom"),
        ("github.com/owner", "github.com/owner.atom"),
        ("gitlab.com/group/sub/project", "gitlab.com/group/sub/project/-/releases.atom"),
        ("git.host.example/a/b/c/-/tags/v1", "git.host.example/a/b/c/-/tags?format=atom"),
        ("codeberg.org/owner/repo/src", "codeberg.org/owner/repo/releases.rss"),
        ("pypi.org/project/requests/", "pypi.org/rss/project/requests/releases.xml"),
        ("packagist.org/packages/a/b", "packagist.org/feeds/package.a/b.rss"),
        ("jane.itch.io/game", "jane.itch.io/game/devlog.rss"),
        ("store.steampowered.com/app/440/Name/", "store.steampowered.com/feeds/news/app/440/"),
        ("medium.com/@jane/a-story-1a2b", "medium.com/feed/@jane"),
        ("medium.com/publication", "medium.com/feed/publication"),
        ("jane.medium.com/a-story", "jane.medium.com/feed"),
        ("jane.substack.com/p/post", "jane.substack.com/feed"),
        ("open.substack.com/pub/jane/p/x", "jane.substack.com/feed"),
        ("jane.blogspot.co.uk/2020/01/x.html", "jane.blogspot.co.uk/feeds/posts/default"),
        ("jane.blogspot.com/search/label/Art", "jane.blogspot.com/feeds/posts/default/-/Art"),
        ("www.tumblr.com/jane", "jane.tumblr.com/rss"),
        ("jane.tumblr.com/tagged/art", "jane.tumblr.com/tagged/art/rss"),
        ("jane.wordpress.com/about", "jane.wordpress.com/feed/"),
        ("jane.livejournal.com", "jane.livejournal.com/data/rss"),
        ("dev.to/jane/story", "dev.to/feed/jane"),
        ("jane.hatenablog.com/entry/x", "jane.hatenablog.com/feed"),
        ("arxiv.org/list/cs.CL/recent", "rss.arxiv.org/rss/cs.CL"),
        ("de.wikipedia.org/wiki/Feed", "de.wikipedia.org/w/index.php?title=Feed&action=history&feed=atom"),
    ],
)
def test_the_feed_follows_from_the_address(address, first):
    assert feeds(address)[0] == first


@pytest.mark.parametrize(
    "address",
    [
        "www.youtube.com/@handle",
        "www.youtube.com/watch?v=abc",
        "www.youtube.com/playlist?list=",
        "letterboxd.com/film/metropolis/",
        "www.pinterest.com/ideas/boats/",
        "www.youtube.com/channel/tooshort",
        "vimeo.com/123456",
        "vimeo.com/watch",
        "github.com/topics/python",
        "github.com",
        "www.reddit.com",
        "news.example/@jane",
        "www.tiktok.com/@jane",
        "mastodon.example/@jane@other.example",
        "bsky.social/@jane",
        "medium.com/about",
        "medium.com",
        "substack.com",
        "support.substack.com/x",
        "wordpress.com",
        "www.tumblr.com/dashboard",
        "notgithub.com/owner/repo",
        "github.com.evil.example/owner/repo",
        "evil.example/github.com/owner/repo",
        "jane.substack.com.evil.example",
        "news.example/world",
    ],
)
def test_what_the_address_does_not_tell_is_not_guessed(address):
    assert feeds(address) == []


def test_a_project_names_all_its_feeds_once_the_page_it_was_asked_for_first():
    assert feeds("github.com/owner/repo/commits") == [
        "github.com/owner/repo/commits.atom",
        "github.com/owner/repo/releases.atom",
        "github.com/owner/repo/tags.atom",
        "github.com/owner.atom",
    ]


def test_a_feed_tells_its_platform_and_what_it_holds():
    assert platform_feeds("http://www.Reddit.com/r/python") == (
        PlatformFeed(url="https://www.reddit.com/r/python/.rss", title="r/python", platform="Reddit"),
    )


@pytest.mark.parametrize(
    "url", ["", "github.com/a/b", "ftp://github.com/a/b", "https://u:p@github.com/a/b", "https://["]
)
def test_what_is_no_http_address_has_none(url):
    assert platform_feeds(url) == ()


def test_every_rule_of_the_table_makes_a_valid_address_of_the_names_it_takes():
    for rules in PLATFORMS.values():
        for rule in rules:
            taken, needed = (set(re.findall(r"\{(\w+)\}", text)) for text in (rule.address, rule.feed + rule.title))
            assert needed <= taken, rule
            filled = "https://" + re.sub(r"\{\w+\}", "x.example", rule.feed)
            assert normalise_url(filled) == filled


def test_reserved_words_belong_to_a_platform():
    assert set(RESERVED) <= set(PLATFORMS)


@given(st.text(max_size=40))
def test_any_path_gives_valid_addresses_or_none(path):
    for host in ("github.com", "medium.com", "mastodon.example", "gitlab.com", "x.tumblr.com"):
        for feed in platform_feeds(f"https://{host}/{path}"):
            assert urlsplit(feed.url).scheme == "https"
            assert normalise_url(feed.url)
