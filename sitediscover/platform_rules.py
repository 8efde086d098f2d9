"""Which feed follows from which address on which platform: tables, each rule with its source. Pure."""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """One kind of address, `{names}` for what differs, and its feed; pages below the address count too."""

    address: str
    feed: str
    title: str


# What a {name} stands for, where it is not just a segment of the path or a label of the host.
GROUPS = {
    "channel": r"UC[\w-]{22}",
    "nsid": r"\d+@N\d\d",
    "number": r"\d+",
    "member": r"(?!\d+(?:[/?&]|$))[\w-]+",  # on Vimeo a number is a video
    "account": r"(?!\.)[\w.-]+",  # without the @ of an account that lives on another server
    "project": r"[\w.-]+(?:/[\w.-]+)+?",
    "whole": r"(?!(?:explore|users|help|dashboard|groups|projects|search)/)[\w.-]+(?:/[\w.-]+)+?(?=/-/|/?(?:\?|$))",
    "host": r"[\w-]+(?:\.[\w-]+)*",
    "suffix": r"(?:com|[a-z]{2}|com?\.[a-z]{2})",
    # `/@name` is Medium's, YouTube's, TikTok's and Threads' too, and any host may be an instance: only those count
    # that bear the software's name, one of the customary ones, or are large and well known.
    "instance": r"(?:mastodon|mstdn|masto|toot)\.[\w.-]+|(?!bsky\.)[\w-]+\.social|fosstodon\.org|hachyderm\.io|mas\.to"
    r"|infosec\.exchange|mathstodon\.xyz|techhub\.social|tech\.lgbt|pawoo\.net|c\.im",
    "lemmy": r"lemmy\.[\w.-]+|lemm\.ee|beehaw\.org|programming\.dev|sh\.itjust\.works|feddit\.\w+",
    "exchange": r"(?:[\w-]+\.)*(?:stackexchange|stackoverflow|serverfault|superuser|askubuntu)\.com"
    r"|mathoverflow\.net|stackapps\.com",
    "hatena": r"[\w-]+\.(?:hatenablog\.(?:com|jp)|hateblo\.jp|hatenadiary\.(?:com|jp))",
    "wiki": r"[\w-]+\.(?:wikipedia|wiktionary|wikinews|wikivoyage|wikibooks|wikiquote)\.org",
}

# The one table: platforms, above each where its rules are written down (its own words, else code that relies on
# them), and their kinds of addresses. All that fit give a feed, the first ones best. YouTube's @names, SoundCloud's
# users and the like are missing: their feeds go by a number that the address does not tell.
PLATFORMS: dict[str, tuple[Rule, ...]] = {
    # https://developers.google.com/youtube/v3/guides/push_notifications
    "YouTube": (
        Rule("youtube.com/channel/{channel}", "www.youtube.com/feeds/videos.xml?channel_id={channel}", "Videos"),
        Rule("youtube.com/playlist?list={id}", "www.youtube.com/feeds/videos.xml?playlist_id={id}", "Playlist"),
        Rule("youtube.com/watch?list={id}", "www.youtube.com/feeds/videos.xml?playlist_id={id}", "Playlist"),
        Rule("music.youtube.com/playlist?list={id}", "www.youtube.com/feeds/videos.xml?playlist_id={id}", "Playlist"),
        Rule("youtube.com/user/{id}", "www.youtube.com/feeds/videos.xml?user={id}", "Videos of {id}"),
    ),
    # linked in the head of https://vimeo.com/channels/staffpicks
    "Vimeo": (
        Rule("vimeo.com/channels/{name}", "vimeo.com/channels/{name}/videos/rss", "Videos of {name}"),
        Rule("vimeo.com/groups/{name}", "vimeo.com/groups/{name}/videos/rss", "Videos of {name}"),
        Rule("vimeo.com/{member}", "vimeo.com/{member}/videos/rss", "Videos of {member}"),
    ),
    # OdyseeTeam/odysee-frontend, web/src; an example: https://odysee.com/$/rss/@Odysee:8
    "Odysee": (Rule("odysee.com/@{name}", "odysee.com/$/rss/@{name}", "Videos of {name}"),),
    # macieklamberski/feedscout, its handler for BitChute
    "BitChute": (Rule("bitchute.com/channel/{id}", "www.bitchute.com/feeds/rss/channel/{id}/", "Videos of {id}"),),
    # https://www.flickr.com/services/feeds/ (a number is needed; a chosen name does not tell it)
    "Flickr": (
        Rule("flickr.com/photos/tags/{tag}", "www.flickr.com/services/feeds/photos_public.gne?tags={tag}", "{tag}"),
        Rule("flickr.com/photos/{nsid}", "www.flickr.com/services/feeds/photos_public.gne?id={nsid}", "Photos"),
        Rule("flickr.com/people/{nsid}", "www.flickr.com/services/feeds/photos_public.gne?id={nsid}", "Photos"),
        Rule("flickr.com/groups/{nsid}", "www.flickr.com/services/feeds/groups_pool.gne?id={nsid}", "Group"),
    ),
    # https://www.reddit.com/wiki/rss/
    "Reddit": (
        Rule("reddit.com/r/{name}/comments/{id}", "www.reddit.com/r/{name}/comments/{id}/.rss", "Comments"),
        Rule("reddit.com/r/{name}", "www.reddit.com/r/{name}/.rss", "r/{name}"),
        Rule("reddit.com/user/{owner}/m/{name}", "www.reddit.com/user/{owner}/m/{name}/.rss", "{name}"),
        Rule("reddit.com/user/{name}", "www.reddit.com/user/{name}/.rss", "u/{name}"),
        Rule("reddit.com/u/{name}", "www.reddit.com/user/{name}/.rss", "u/{name}"),
        Rule("reddit.com/domain/{name}", "www.reddit.com/domain/{name}/.rss", "{name}"),
    ),
    # https://www.rssboard.org/news/211/every-mastodon-user-has-rss-feed
    "Mastodon": (
        Rule("{instance}/@{account}", "{instance}/@{account}.rss", "Posts of {account}"),
        Rule("{instance}/users/{account}", "{instance}/@{account}.rss", "Posts of {account}"),
        Rule("{instance}/tags/{tag}", "{instance}/tags/{tag}.rss", "#{tag}"),
    ),
    # LemmyNet/lemmy, crates/routes/src/feeds.rs
    "Lemmy": (
        Rule("{lemmy}/c/{name}", "{lemmy}/feeds/c/{name}.xml?sort=New", "{name}"),
        Rule("{lemmy}/u/{name}", "{lemmy}/feeds/u/{name}.xml?sort=New", "Posts of {name}"),
    ),
    # bluesky-social/social-app, bskyweb/cmd/bskyweb/rss.go
    "Bluesky": (Rule("bsky.app/profile/{name}", "bsky.app/profile/{name}/rss", "Posts of {name}"),),
    # https://stackoverflow.com/feeds, linked at the foot of each page
    "Stack Exchange": (
        Rule(
            "{exchange}/questions/tagged/{tag}",
            "{exchange}/feeds/tag?tagnames={tag}&sort=newest",
            "Questions tagged {tag}",
        ),
        Rule("{exchange}/questions/{number}", "{exchange}/feeds/question/{number}", "Answers"),
        Rule("{exchange}/users/{number}", "{exchange}/feeds/user/{number}", "Posts"),
        Rule("{exchange}", "{exchange}/feeds", "Questions"),
    ),
    # linked in the head of https://news.ycombinator.com/
    "Hacker News": (Rule("news.ycombinator.com", "news.ycombinator.com/rss", "Stories"),),
    # linked in the head of https://lobste.rs/
    "Lobsters": (
        Rule("lobste.rs/t/{tag}", "lobste.rs/t/{tag}.rss", "Stories tagged {tag}"),
        Rule("lobste.rs", "lobste.rs/rss", "Stories"),
    ),
    # https://docs.github.com/en/rest/activity/feeds
    "GitHub": (
        Rule("gist.github.com/{owner}", "gist.github.com/{owner}.atom", "Gists of {owner}"),
        Rule(
            "github.com/{owner}/{repo}/commits/{branch}", "github.com/{owner}/{repo}/commits/{branch}.atom", "Commits"
        ),
        Rule("github.com/{owner}/{repo}/commits", "github.com/{owner}/{repo}/commits.atom", "Commits"),
        Rule("github.com/{owner}/{repo}/tags", "github.com/{owner}/{repo}/tags.atom", "Tags"),
        Rule("github.com/{owner}/{repo}/discussions", "github.com/{owner}/{repo}/discussions.atom", "Talk"),
        Rule("github.com/{owner}/{repo}/wiki", "github.com/{owner}/{repo}/wiki.atom", "Pages of the wiki"),
        Rule("github.com/{owner}/{repo}", "github.com/{owner}/{repo}/releases.atom", "Releases"),
        Rule("github.com/{owner}/{repo}", "github.com/{owner}/{repo}/tags.atom", "Tags"),
        Rule("github.com/{owner}/{repo}", "github.com/{owner}/{repo}/commits.atom", "Commits"),
        Rule("github.com/{owner}", "github.com/{owner}.atom", "Activity of {owner}"),
    ),
    # gitlab-org/gitlab, config/routes; the /-/ in a path is GitLab's own on any host
    "GitLab": (
        Rule("{host}/{project}/-/releases", "{host}/{project}/-/releases.atom", "Releases"),
        Rule("{host}/{project}/-/tags", "{host}/{project}/-/tags?format=atom", "Tags"),
        Rule("{host}/{project}/-/commits/{branch}", "{host}/{project}/-/commits/{branch}?format=atom", "Commits"),
        Rule("{host}/{project}/-/tree", "{host}/{project}.atom", "Activity"),
        Rule("gitlab.com/{whole}", "gitlab.com/{whole}/-/releases.atom", "Releases"),
        Rule("gitlab.com/{whole}", "gitlab.com/{whole}.atom", "Activity"),
        Rule("gitlab.com/{owner}", "gitlab.com/{owner}.atom", "Activity of {owner}"),
    ),
    # go-gitea/gitea, routers/web/feed
    "Codeberg": (
        Rule("codeberg.org/{owner}/{repo}", "codeberg.org/{owner}/{repo}/releases.rss", "Releases"),
        Rule("codeberg.org/{owner}/{repo}", "codeberg.org/{owner}/{repo}.rss", "Activity"),
        Rule("codeberg.org/{owner}", "codeberg.org/{owner}.rss", "Activity of {owner}"),
    ),
    # https://docs.pypi.org/api/feeds/
    "PyPI": (Rule("pypi.org/project/{name}", "pypi.org/rss/project/{name}/releases.xml", "Releases of {name}"),),
    # https://crates.io/data-access
    "crates.io": (Rule("crates.io/crates/{name}", "static.crates.io/rss/crates/{name}.xml", "Releases of {name}"),),
    # linked in the head of each gem's page
    "RubyGems": (Rule("rubygems.org/gems/{name}", "rubygems.org/gems/{name}/versions.atom", "Releases of {name}"),),
    # composer/packagist, src/Controller/FeedController.php
    "Packagist": (
        Rule(
            "packagist.org/packages/{vendor}/{name}",
            "packagist.org/feeds/package.{vendor}/{name}.rss",
            "Releases of {vendor}/{name}",
        ),
    ),
    # mapeditor/tiled, src/tiled/newsfeed.cpp
    "itch.io": (Rule("{owner}.itch.io/{game}", "{owner}.itch.io/{game}/devlog.rss", "Devlog of {game}"),),
    # https://store.steampowered.com/feeds/news.xml
    "Steam": (
        Rule("store.steampowered.com/app/{number}", "store.steampowered.com/feeds/news/app/{number}/", "News"),
        Rule("store.steampowered.com/news/app/{number}", "store.steampowered.com/feeds/news/app/{number}/", "News"),
    ),
    # https://help.medium.com/hc/en-us/articles/214874118
    "Medium": (
        Rule("medium.com/tag/{tag}", "medium.com/feed/tag/{tag}", "Stories tagged {tag}"),
        Rule("medium.com/{name}/tagged/{tag}", "medium.com/feed/{name}/tagged/{tag}", "{tag} in {name}"),
        Rule("medium.com/{name}", "medium.com/feed/{name}", "Stories of {name}"),
        Rule("{name}.medium.com", "{name}.medium.com/feed", "Stories of {name}"),
    ),
    # https://support.substack.com/hc/en-us/articles/360038239391
    "Substack": (
        Rule("open.substack.com/pub/{name}", "{name}.substack.com/feed", "{name}"),
        Rule("{name}.substack.com", "{name}.substack.com/feed", "{name}"),
    ),
    # https://support.google.com/blogger/answer/97933
    "Blogger": (
        Rule(
            "{name}.blogspot.{suffix}/search/label/{tag}",
            "{name}.blogspot.{suffix}/feeds/posts/default/-/{tag}",
            "Posts labelled {tag}",
        ),
        Rule("{name}.blogspot.{suffix}", "{name}.blogspot.{suffix}/feeds/posts/default", "Posts"),
    ),
    # https://docs.tomy.me/spec-rss-atom
    "Tumblr": (
        Rule("{name}.tumblr.com/tagged/{tag}", "{name}.tumblr.com/tagged/{tag}/rss", "Posts tagged {tag}"),
        Rule("{name}.tumblr.com", "{name}.tumblr.com/rss", "Posts of {name}"),
        Rule("tumblr.com/blog/{name}", "{name}.tumblr.com/rss", "Posts of {name}"),
        Rule("tumblr.com/{name}", "{name}.tumblr.com/rss", "Posts of {name}"),
    ),
    # ghost.org/help/rss-feeds
    "Ghost": (Rule("{name}.ghost.io", "{name}.ghost.io/rss/", "Posts"),),
    # https://help.micro.blog/t/feeds
    "Micro.blog": (Rule("{name}.micro.blog", "{name}.micro.blog/feed.xml", "Posts of {name}"),),
    # https://docs.bearblog.dev/rss-and-atom-feeds/
    "Bear": (Rule("{name}.bearblog.dev", "{name}.bearblog.dev/feed/", "Posts"),),
    # https://docs.hashnode.com, linked in the head of each blog
    "Hashnode": (Rule("{name}.hashnode.dev", "{name}.hashnode.dev/rss.xml", "Posts"),),
    # https://docs.buttondown.com/rss-feeds
    "Buttondown": (Rule("buttondown.com/{name}", "buttondown.com/{name}/rss", "Mails of {name}"),),
    # linked in the head of each profile
    "Letterboxd": (Rule("letterboxd.com/{name}", "letterboxd.com/{name}/rss/", "Films of {name}"),),
    # https://www.deviantart.com/developers/rss
    "DeviantArt": (
        Rule(
            "deviantart.com/{name}",
            "backend.deviantart.com/rss.xml?type=deviation&q=by%3A{name}+sort%3Atime+meta%3Aall",
            "Works of {name}",
        ),
    ),
    # https://help.pinterest.com, "Create an RSS feed"
    "Pinterest": (
        Rule("pinterest.com/{owner}/{board}", "www.pinterest.com/{owner}/{board}.rss", "Pins on {board}"),
        Rule("pinterest.com/{owner}", "www.pinterest.com/{owner}/feed.rss", "Pins of {owner}"),
    ),
    # https://wordpress.com/support/feeds/
    "WordPress.com": (
        Rule("{name}.wordpress.com/category/{tag}", "{name}.wordpress.com/category/{tag}/feed/", "{tag}"),
        Rule("{name}.wordpress.com/tag/{tag}", "{name}.wordpress.com/tag/{tag}/feed/", "{tag}"),
        Rule("{name}.wordpress.com", "{name}.wordpress.com/feed/", "Posts"),
    ),
    # linked in the head of each journal
    "LiveJournal": (Rule("{name}.livejournal.com", "{name}.livejournal.com/data/rss", "Posts of {name}"),),
    # linked in the head of each journal
    "Dreamwidth": (Rule("{name}.dreamwidth.org", "{name}.dreamwidth.org/data/rss", "Posts of {name}"),),
    # forem/forem, config/routes
    "DEV": (
        Rule("dev.to/t/{tag}", "dev.to/feed/tag/{tag}", "Posts tagged {tag}"),
        Rule("dev.to/{name}", "dev.to/feed/{name}", "Posts of {name}"),
    ),
    # linked in the head of each blog
    "Hatena Blog": (Rule("{hatena}", "{hatena}/feed", "Posts"),),
    # linked in the head of each author's page
    "note": (Rule("note.com/{name}", "note.com/{name}/rss", "Posts of {name}"),),
    # https://info.arxiv.org/help/rss.html
    "arXiv": (Rule("arxiv.org/list/{name}", "rss.arxiv.org/rss/{name}", "{name}"),),
    # https://www.mediawiki.org/wiki/Syndication_feeds
    "Wikipedia": (
        Rule("{wiki}/wiki/{page}", "{wiki}/w/index.php?title={page}&action=history&feed=atom", "Changes of {page}"),
    ),
}

# Words that are no name of a user or a project there.
RESERVED: dict[str, str] = {
    "Vimeo": (
        "album blog categories channels create enterprise event features groups help join log_in manage"
        " ondemand search settings showcase solutions stock upgrade upload user watch"
    ),
    "GitHub": (
        "about apps collections customer-stories enterprise explore features join login marketplace"
        " notifications orgs pricing readme resources search security settings site solutions sponsors topics"
        " trending"
    ),
    "GitLab": "- dashboard explore groups help projects search users",
    "Codeberg": "api explore org user",
    "Medium": "about blog feed help m me membership p policy search tag topics",
    "Substack": "api on open support",
    "Buttondown": "about api changelog docs features legal login pricing register support",
    "DeviantArt": "about developers join search tag team topic users watch",
    "Letterboxd": "about actor apps contact crew director film films journal list lists members pro search settings",
    "Pinterest": "_ about business ideas login pin search settings today topics videos",
    "Micro.blog": "help",
    "Tumblr": (
        "about api assets blog communities dashboard developers docs explore following help likes login media"
        " policy register search settings static tagged"
    ),
    "WordPress.com": "developer learn public-api subscribe support",
    "DEV": "about enter feed latest new search settings t tags top",
    "note": "hashtag login magazines notes search settings signup topic",
}
