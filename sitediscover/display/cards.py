"""What a notebook shows of a result: the verdict in a line, the sources, the requests, what failed. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitediscover.display.markup import card, count, duration, fold, left_out, link, listing, moment, table, text, words
from sitediscover.display.waterfall import total, waterfall

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitediscover.model import Article, Discovery, Evidence, Failure, Request, Section, Source, Stop

MAX_SOURCES = 10
MAX_LINES = 15
"""Sources, and lines of any other list, that are shown: a card is looked at, not scrolled through."""

_NOTHING = frozenset({"nothing", "stopped"})


def discovery_card(found: Discovery) -> str:
    """Return a discovery as HTML.

    Args:
        found: what `discover` returned.
    """
    shown = found.sources[:MAX_SOURCES]
    return card(
        name(found.site),
        verdict(words(found.outcome).capitalize(), cost(found.requests), bad=found.outcome in _NOTHING),
        stop(found.stopped),
        _sources(shown),
        left_out(len(found.sources) - len(shown), "sources"),
        waterfall(found.requests, found.site),
        failures(found.failures),
    )


def source_card(source: Source) -> str:
    """Return a source as HTML.

    Args:
        source: something that can be followed.
    """
    return card(_sources([source], opened=True))


# -- the parts of a card, shared with the cards of walks and watches


def name(url: str) -> str:
    """Return the line that says what a card is about."""
    return f'<p class="sd-name">{link(url)}</p>'


def verdict(answer: str, rest: str, *, bad: bool = False) -> str:
    """Return the line that says how it came out, and what it cost.

    Args:
        answer: in a word or two; ours, not a stranger's.
        rest: what follows it.
        bad: it is not what one hopes for.
    """
    return f'<p class="sd-verdict{" sd-no" if bad else ""}"><strong>{answer}</strong>, {rest}</p>'


def cost(requests: Sequence[Request]) -> str:
    """Return what was asked, in words: 2 requests, 1.4 s."""
    return f"{count(len(requests), 'request')}, {duration(total(requests))}"


def stop(stopped: Stop | None) -> str:
    """Return why it ended early; nothing where it did not."""
    if stopped is None:
        return ""
    detail = f": {text(stopped.detail)}" if stopped.detail else ""
    return f'<p class="sd-bad">{words(stopped.reason)}, {link(stopped.url)}{detail}</p>'


def failures(failed: Sequence[Failure]) -> str:
    """Return what went wrong without ending it."""
    shown = failed[:MAX_LINES]
    lines = (f"{text(each.strategy)}: {link(each.url)}<br>{_soft(text(each.error))}" for each in shown)
    body = listing(lines) + left_out(len(failed) - len(shown), "failures") if shown else ""
    return fold(f'<span class="sd-warn">{count(len(failed), "failure")}</span>', body, opened=len(shown) <= 3)  # noqa: PLR2004 - few


# -- sources


def _sources(sources: Iterable[Source], *, opened: bool = False) -> str:
    items = [_source(source, opened=opened) for source in sources]
    return listing(items, "sd-sources") if items else ""


def _source(source: Source, *, opened: bool) -> str:
    title = f" {text(source.title)}" if source.title else ""
    told = [f"<p>{part}</p>" for part in (_origin(source), _figures(source.evidence)) if part]
    return "".join(
        [
            f'<span class="sd-kind">{words(source.kind)}</span>{link(source.url)}{title}',
            *told,
            fold(count(len(source.articles), "article"), _articles(source.articles), opened=opened),
            fold(count(len(source.sections), "section"), _sections(source.sections), opened=opened),
            fold(count(len(source.siblings), "sibling"), _siblings(source.siblings)),
        ]
    )


def _origin(source: Source) -> str:
    by = f"found by {text(source.found_by)}" if source.found_by else ""
    on = f"on {link(source.found_on)}" if source.found_on else "at a guessed address" if by else ""
    told = (" ".join(filter(None, (by, on))), text(source.media_type or ""), text(source.language or ""))
    return _soft("; ".join(part for part in told if part != text("")))


def _figures(evidence: Evidence | None) -> str:
    """Return the figures behind the verdict, and in a colour what to be wary of."""
    if evidence is None:
        return ""
    shares = (
        (evidence.article_share, "article-shaped"),
        (evidence.section_share, "section-shaped"),
        (evidence.dated_share, "dated"),
    )
    told = [f"{evidence.count:,} judged"] if evidence.count else []
    told += [f"{share:.0%} {of}" for share, of in shares if share]
    if evidence.newest is not None:
        told.append(f"newest {moment(evidence.newest)} UTC")
    flags = f'<span class="sd-warn">{text(", ".join(evidence.flags))}</span>' if evidence.flags else ""
    return "; ".join(filter(None, (_soft(", ".join(told)), flags)))


def _articles(articles: Sequence[Article]) -> str:
    if not articles:
        return ""
    rows = ((moment(each.published or each.modified), _titled(each)) for each in articles[:MAX_LINES])
    more = left_out(len(articles) - MAX_LINES, "articles")
    return table((("published, UTC", "", 24), ("article", "", 76)), rows) + more


def _sections(sections: Sequence[Section]) -> str:
    if not sections:
        return ""
    rows = ((moment(each.modified), _titled(each)) for each in sections[:MAX_LINES])
    more = left_out(len(sections) - MAX_LINES, "sections")
    return table((("changed, UTC", "", 24), ("section", "", 76)), rows) + more


def _siblings(urls: Sequence[str]) -> str:
    return listing(map(link, urls[:MAX_LINES])) + left_out(len(urls) - MAX_LINES, "siblings") if urls else ""


def _titled(page: Article | Section) -> str:
    return f"{link(page.url, page.title)}" if page.title else link(page.url)


def _soft(html: str) -> str:
    return f'<span class="sd-soft">{html}</span>' if html else ""
