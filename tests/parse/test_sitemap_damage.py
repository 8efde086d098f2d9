"""Generated sitemaps, and what is left of them after damage: what was whole and was not hit comes out unchanged."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.parse.inflate import inflate
from sitediscover.parse.sitemap import SitemapKind, parse_sitemap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitediscover.model import SitemapEntry

pytestmark = pytest.mark.slow

URL = "https://www.example.com/sitemap.xml"
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), min_size=1, max_size=12).map(
    lambda text: " ".join(text.split()) or "word"
)
SLUGS = st.text("abcxyzABC0123456789-_.~%&=/", min_size=1, max_size=16).map(lambda text: text.replace("%", "%20"))
DATES = st.sampled_from(("2024", "2024-02", "2024-02-29", "2024-02-29T10:11:12Z", "2023-12-31 23:59:59+01:00", "soon"))


@dataclass(frozen=True)
class Tree:
    """A document in the pieces that damage is told by: its entries, and what is between them."""

    head: bytes
    entries: tuple[bytes, ...]
    tail: bytes

    @property
    def data(self) -> bytes:
        return self.head + b"".join(self.entries) + self.tail

    def spans(self) -> Iterator[tuple[int, int]]:
        at = len(self.head)
        for entry in self.entries:
            yield at, at + len(entry)
            at += len(entry)


@st.composite
def texts(draw, words=WORDS) -> str:
    text = draw(words)
    return f"<![CDATA[{text.replace(']]>', '')}]]>" if draw(st.booleans()) else escape(text)


@st.composite
def pages(draw, number: int, site: str) -> bytes:
    space = draw(st.sampled_from(("", "\n", "\r\n\t ")))
    # Tags must not decide what is alike: every address is its own.
    parts = [f"<loc>{draw(texts(SLUGS.map(lambda slug: f'{site}/{number}/{slug}')))}</loc>"]
    if draw(st.booleans()):
        parts.append(f"<lastmod>{draw(DATES)}</lastmod>")
    if draw(st.booleans()):
        parts.append("<changefreq>daily</changefreq><priority>0.5</priority>")
    if draw(st.booleans()):
        parts.append(
            f"<news:news><news:publication><news:name>{draw(texts())}</news:name><news:language>en</news:language>"
            f"</news:publication><news:publication_date>{draw(DATES)}</news:publication_date>"
            f"<news:title>{draw(texts())}</news:title></news:news>"
        )
    if draw(st.booleans()):
        parts.append(f"<image:image><image:loc>{site}/{number}.jpg</image:loc></image:image>")
    if draw(st.booleans()):
        parts.append(f"<xhtml:link rel='alternate' hreflang='de' href={quoteattr(f'{site}/de/{number}?a=1&b=2')}/>")
    if draw(st.booleans()):
        parts.append(f"<!-- {number} --><odd:thing><odd:loc>{draw(texts())}</odd:loc></odd:thing>")
    return (space + "<url>" + space + space.join(parts) + space + "</url>").encode()


@st.composite
def trees(draw, site: str = "https://www.example.com") -> Tree:
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
        'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:odd="urn:odd">'
    )
    count = draw(st.integers(1, 6))
    return Tree(head.encode(), tuple(draw(pages(number, site)) for number in range(count)), b"\n</urlset>\n")


def read(data: bytes, size: int = 65_536) -> list[SitemapEntry]:
    return list(parse_sitemap((data[at : at + size] for at in range(0, len(data), size)), URL))


def alone(tree: Tree, number: int) -> SitemapEntry:
    (entry,) = read(tree.head + tree.entries[number] + tree.tail)
    return entry


def whole(tree: Tree) -> list[SitemapEntry]:
    return [alone(tree, number) for number in range(len(tree.entries))]


@given(trees(), st.integers(1, 200))
def test_chunks_may_be_cut_anywhere(tree, size):
    parsed = parse_sitemap((tree.data[at : at + size] for at in range(0, len(tree.data), size)), URL)
    assert list(parsed) == whole(tree)
    assert (parsed.kind, parsed.error, parsed.truncated) == (SitemapKind.URLSET, None, False)


@given(trees(), st.integers(1, 60), st.sampled_from(("utf-16", "utf-16-le", "utf-32", "utf-8-sig")))
def test_every_encoding_gives_the_same(tree, size, encoding):
    assert read(tree.data.decode().encode(encoding), size) == whole(tree)


@given(trees(), st.data())
def test_a_cut_file_gives_the_entries_before_the_cut_and_no_other(tree, data):
    cut = data.draw(st.integers(len(tree.head), len(tree.data) - len("\n</urlset>\n")))
    parsed = parse_sitemap(tree.data[:cut], URL)
    expected = [alone(tree, number) for number, (_, stop) in enumerate(tree.spans()) if stop <= cut]
    assert list(parsed) == expected
    assert parsed.truncated


@given(trees(), st.data())
def test_a_flipped_byte_costs_the_entry_it_hits_at_most(tree, data):
    at = data.draw(st.integers(0, len(tree.data) - 1))
    byte = data.draw(st.integers(0, 255))
    broken = tree.data[:at] + bytes((byte,)) + tree.data[at + 1 :]
    found = read(broken, data.draw(st.sampled_from((7, 100, 65_536))))
    untouched = [alone(tree, number) for number, (start, stop) in enumerate(tree.spans()) if not start <= at < stop]
    assert [entry for entry in found if entry in untouched] == untouched
    assert len({entry.url for entry in found}) == len(found)


@given(trees(), st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=8))
def test_flipped_bytes_inside_entries_cost_these_entries_only(tree, flips):
    first, last = len(tree.head), len(tree.data) - len(tree.tail)
    broken, places = bytearray(tree.data), []
    for share, byte in flips:
        at = first + int(share * (last - first))
        broken[at] = byte
        places.append(at)
    found = read(bytes(broken))
    untouched = [
        alone(tree, number)
        for number, (start, stop) in enumerate(tree.spans())
        if not any(start <= at < stop for at in places)
    ]
    assert [entry for entry in found if entry in untouched] == untouched


@given(trees(), trees(site="https://other.example.org"), st.sampled_from((b"", b"\n\n", b"\xef\xbb\xbf", b"<br/>")))
def test_joined_documents_give_the_entries_of_all(one, other, between):
    assert read(one.data + between + other.data) == whole(one) + whole(other)


@given(trees(), st.integers(1, 3), st.integers(1, 50))
def test_gzip_members_and_layers_give_the_same(tree, members, size):
    step = len(tree.data) // members + 1
    zipped = b"".join(gzip.compress(tree.data[at : at + step]) for at in range(0, len(tree.data), step))
    assert read(zipped, size) == whole(tree)
    assert read(gzip.compress(zipped), size) == whole(tree)


@given(trees(), st.data())
def test_cut_gzip_gives_what_it_held(tree, data):
    zipped = gzip.compress(tree.data)
    cut = zipped[: data.draw(st.integers(12, len(zipped) - 9))]
    held = b"".join(inflate([cut], max_output=10**6))
    parsed = parse_sitemap(cut, URL)
    assert list(parsed) == [alone(tree, number) for number, (_, stop) in enumerate(tree.spans()) if stop <= len(held)]
    assert parsed.truncated


@given(
    st.binary(max_size=400),
    st.sampled_from(
        (b"", b"<urlset>", b"<urlset><url><loc>https://example.com/", b"<rss><channel><item><link>", b"\x1f\x8b\x08")
    ),
    st.integers(1, 500),
)
def test_nothing_makes_it_raise(junk, before, size):
    data = before + junk
    parsed = parse_sitemap((data[at : at + size] for at in range(0, len(data), size)), URL)
    for entry in parsed:
        assert entry.url.startswith(("http://", "https://"))
    assert isinstance(parsed.kind, SitemapKind)
