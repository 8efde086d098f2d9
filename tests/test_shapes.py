from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.shapes import (
    RULES,
    Shape,
    Shares,
    dominant_segment,
    explain,
    looks_like_article,
    looks_like_section,
    shares,
)

HOST = "https://paper.example"

# One or more addresses for every rule, in the order of the table.
SAID_BY = {
    "other-scheme": ["mailto:desk@paper.example", "javascript:void(0)", "tel:+123456789", " data:text/html,hello"],
    "media-file": [
        "/img/harbour-bridge-opens-at-last.jpg",
        "/2026/11/05/report.PDF",
        "/clips/48210.mp4",
        "/clips/48210.m3u8",
        "/feed.xml",
    ],
    "query-id": [
        "/?p=36250",
        "/view.html?idx=87231",
        "/story?241858",
        "/read?a=1&newsid=48210",
        "/x?guid={49E8785A-F1C7-11EA-B8AA}",
    ],
    "script-id": ["/nota3.aspx?c=56312", "/ver.php?lang=es&id_nota=79613", "/page.cfm?n=a12345"],
    "front-page": ["", "/", "?edition=int", "#top", "//", "/./"],
    "dated": [
        "/2026/11/05/harbour",
        "/2026/11/harbour.html",
        "/news/2026/nov/05/harbour/",
        "/culture/2026-11/film/",
        "/2026/november/bridge",
        "/columnists/jane-roe/2026/11/05/harbour",
    ],
    "tag": [
        "/tag/harbour",
        "/author/jane-roe",
        "/news/thema/hafen-48210",
        "/etiqueta/puerto",
        "/тег/порт",
        "/yazarlar/ali",
    ],
    "utility": [
        "/contact",
        "/impressum/",
        "/mentions-legales",
        "/login",
        "/search/harbour",
        "/polityka-prywatnosci",
        "/shop",
    ],
    "video-hub": ["/videos/", "/mediathek", "/wideo", "/видео"],
    "category": ["/category/sport", "/rubrique/economie", "/kategorie/politik/inland", "/категория/спорт"],
    "utility-slug": ["/impressum-98", "/about_us.html", "/about-the-paper-5499056", "/nutzungsbedingungen-112096.html"],
    "page": ["/news/page/2", "/sport/seite-3", "/page/12/"],
    "date-archive": ["/2026", "/2026/11", "/2026/11/05/", "/archive/2026-11-05", "/paper/20261105"],
    "number": ["/48210", "/news/48210.html", "/a/b/c/48210/", "/story-48210", "/politics/p-38677", "/news,139377.html"],
    "slug": ["/harbour-bridge-opens-at-last", "/news/new_bridge_opens_now", "/sport/who+won+the+cup", "/n/a.b.c.d.e"],
    "id": ["/news/bridge-opens-48210", "/local/flood-7032984", "/de-brug-is-8213"],
    "date": ["/daily/20261105/harbour", "/p/05-11-2026/harbour", "/p/28-nov-2026/bridge", "/2026/1105/harbour"],
    "opaque-id": ["/culture/c1xy2wz5qo", "/articles/zt1trp9q", "/a6d17c414d357ac2a5d8d7aabe7d720c", "/doc.b2la2g3"],
    "below-article": ["/article/short-name", "/noticia/448256/puerto/0", "/story/9940/bridge", "/makale/77/koprü"],
    "numbered-page": ["/ausland/hafen-127.html"],
    "long-slug": ["/harbour-bridge-opens-at-last/1/", "/harbour-bridge-opens-at-last/comments-12"],
    "number-above": ["/news/6354859/road-closure", "/9049042/Weltmeister"],
    "deep": ["/a/b/c/d/e/f", "/1/22/333/4444/55555/666"],
    "section": ["/sport", "/news/world/", "/news/regions/north", "/sport.html", "/wiki", "/ausland/hafen-100.html"],
}


def test_every_rule_has_an_example_and_its_own_name():
    assert [rule.name for rule in RULES] == list(SAID_BY)


@pytest.mark.parametrize("rule, path", [(rule, path) for rule, paths in SAID_BY.items() for path in paths])
def test_the_rule_that_decides_is_told(rule, path):
    verdict = explain(path)
    assert verdict.rule == rule
    assert verdict.shape is next(line.shape for line in RULES if line.name == rule)


@pytest.mark.parametrize("path", [path for paths in SAID_BY.values() for path in paths if path.startswith("/")])
def test_a_bare_path_is_judged_like_the_whole_url(path):
    if not path.startswith("//"):
        assert explain(HOST + path) == explain(path)


@pytest.mark.parametrize("path", [path for paths in SAID_BY.values() for path in paths])
def test_the_three_functions_agree(path):
    shape = explain(path).shape
    assert looks_like_article(path) is (shape is Shape.ARTICLE)
    assert looks_like_section(path) is (shape is Shape.SECTION)


@pytest.mark.parametrize(
    "path",
    [
        "/news/harbour-bridge-opens-at-last/index.html",
        "/news/harbour-bridge-opens-at-last/amp",
        "/news/harbour-bridge-opens-at-last/amp/",
        "/news/harbour-bridge-opens-at-last.html/print",
        "/news//harbour-bridge-opens-at-last/./p.html",
        "/news/harbour-bridge-opens-at-last.ece",
        "/NEWS/Harbour-Bridge-Opens-At-Last",
        "/news/harbour%2Dbridge%2Dopens%2Dat%2Dlast",
        "/news/harbour-bridge-opens-at-last#comments",
        "/news/harbour-bridge-opens-at-last?utm_source=feed&utm_campaign=12345678",
        "/web/20230922095748/https://paper.example/news/harbour-bridge-opens-at-last",
        "\n /news/harbour-bridge-opens-at-last\t",
    ],
)
def test_endings_tails_case_escapes_and_fragments_change_nothing(path):
    assert explain(path) == explain("/news/harbour-bridge-opens-at-last")


@pytest.mark.parametrize(
    "url",
    [
        "https://paper.example/sport",
        "HTTPS://PAPER.EXAMPLE/SPORT",
        "//paper.example/sport",
        "http://paper.example:8080/sport?ref=nav",
        "https://paper.example/web/20230922095748/https://paper.example/sport/",
        "sport",
        "/sport",
        "https://long-name-of-a-paper-12345678.example/sport",
    ],
)
def test_only_the_path_counts_for_a_section(url):
    assert looks_like_section(url)


@pytest.mark.parametrize(
    "path",
    [
        # A percent-encoded name of a section is long and full of digits until it is decoded.
        "/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/%D1%81%D0%BF%D0%BE%D1%80%D1%82",
        "/noticias/pol%C3%ADtica",
        "/news/covid-19",
        "/election-2024",
        "/sport/olympics-2024",
        "/windows11",
        "/column/economy03",
        "/the-long-read",
        "/food-and-drink-ideas",
        "/maladies/acne_104679",
        "/archives//sport",
    ],
)
def test_names_that_look_like_articles_but_are_sections(path):
    assert looks_like_section(path)


@pytest.mark.parametrize(
    "path",
    [
        "/category/sport/harbour-club-wins-the-northern-cup",
        "/columnists/why-we-all-need-the-old-bridge",
        "/thema/warum-die-alte-bruecke-bleiben-muss/413820764",
        "/search/harbour-bridge-opens-at-last-with-music",
        "/news/harbour-bridge-opens-at-last-with-music/2026/11/05/",
        "/news/new-privacy-rules-for-every-single-harbour-office",
    ],
)
def test_a_whole_title_outweighs_the_word_above_it(path):
    assert looks_like_article(path)


@pytest.mark.parametrize(
    "path",
    [
        "/cn/越南国防部向中国国防部赠送防疫医疗物资-a217779.html",
        "/news/新型コロナウイルスの感染者が全国で増加",
        "/news/ประเทศไทยเปิดสะพานใหม่วันนี้",
        "/story/وزارة-الرياضة-تنظم-مهرجان-الطائرات",
        "/news/otkryt-novyj-most-cherez-reku",
        "/clanek/novy-most",
    ],
)
def test_articles_in_other_scripts_and_languages(path):
    assert looks_like_article(path)


@pytest.mark.parametrize("path", ["/ニュース/スポーツ", "/体育", "/رياضة", "/новости/спорт", "/ข่าว/กีฬา"])
def test_sections_in_other_scripts(path):
    assert looks_like_section(path)


def test_a_query_on_a_section_does_not_make_it_an_article():
    assert looks_like_section("/sport?ref=gnb_pc_lv2")
    assert looks_like_section("/sport?utm_id=12345678")
    assert looks_like_section("/list.php?cat=12345")
    assert looks_like_section("/sport?session=49e8785a-f1c7-11ea-b8aa-ecf03eab1839")


def test_shares_counts_each_shape():
    found = shares(["/sport", "/news", "/news/harbour-bridge-opens-at-last", "/img/bridge.jpg"])
    assert found == Shares(count=4, article=1, section=2)
    assert (found.article_share, found.section_share) == (0.25, 0.5)


def test_shares_of_nothing_are_zero():
    found = shares(iter(()))
    assert (found.count, found.article_share, found.section_share) == (0, 0.0, 0.0)


def test_the_dominant_segment_is_the_first_that_most_share():
    urls = [f"{HOST}/article/{number}" for number in range(6)] + [f"{HOST}/video/{number}" for number in range(4)]
    assert dominant_segment(urls) == "article"
    assert dominant_segment(urls, share=0.61) is None


def test_the_dominant_segment_stays_as_it_is_written():
    assert dominant_segment([f"{HOST}/Art%C3%ADculo/{number}?x=/y#/z" for number in range(3)]) == "Art%C3%ADculo"
    assert dominant_segment(["News/one", "News/two"]) == "News"


@pytest.mark.parametrize("urls", [[], [""], [HOST, f"{HOST}/", f"{HOST}?p=1"], [f"{HOST}/one", f"{HOST}/two"]])
def test_there_may_be_no_dominant_segment(urls):
    assert dominant_segment(urls) is None


TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="/-_.%?#&=:0123456789abc\u0e01\u4e2d ").map(lambda text: "https://paper.example/" + text),
    st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")),
)


@given(TEXTS)
def test_any_text_gets_a_verdict(text):
    verdict = explain(text)
    assert verdict.rule in SAID_BY
    assert verdict == explain(text)


@given(st.lists(TEXTS))
def test_any_texts_have_shares_and_perhaps_a_dominant_segment(texts):
    found = shares(texts)
    assert found.count == len(texts)
    assert 0 <= found.article_share + found.section_share <= 1
    assert dominant_segment(texts) != ""


@pytest.mark.parametrize(
    "text",
    [
        "/" + "a" * 200_000,
        "/a-" * 70_000,
        "/2026/11" * 25_000,
        "/" + "1a" * 100_000,
        "/" + ".1" * 100_000,
        "/" + "_" * 200_000,
        "/x?" + "&id" * 70_000,
        "?id=" + "a" * 200_000,
        "/%41" * 50_000,
        "://" * 60_000,
    ],
    ids=lambda text: text[:8],
)
def test_a_monstrous_url_takes_no_more_than_its_length(text):
    started = time.process_time()
    explain(text)
    dominant_segment([text])
    assert time.process_time() - started < 1  # a quadratic rule would take minutes
