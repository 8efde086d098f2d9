"""The cards in a real browser, light and dark, wide and narrow: what can be read, and what stays in its place."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH (Debian: apt-get install chromium)"),
]

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SCHEMES = {"light": (), "dark": ("--blink-settings=preferredColorScheme=0",)}

# What JupyterLab says of rendered HTML, in its own words where they matter: none of it may get through.
JUPYTER = """
.jp-RenderedHTMLCommon { color: #888; font-size: 14px; line-height: 1.6; }
.jp-RenderedHTMLCommon table { border-collapse: collapse; border: none; font-size: 12px; table-layout: fixed;
  margin-left: auto; margin-bottom: 1em; }
.jp-RenderedHTMLCommon thead { border-bottom: 3px solid red; vertical-align: bottom; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr { vertical-align: middle;
  padding: 0.5em; line-height: normal; white-space: normal; max-width: none; border: none; }
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: #777; }
.jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: #888; }
.jp-RenderedHTMLCommon :not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td,
.jp-RenderedHTMLCommon td { text-align: right; }
.jp-RenderedHTMLCommon a:link { color: #999; }
.jp-RenderedHTMLCommon ul { list-style: disc; padding-left: 2em; }
.jp-RenderedHTMLCommon p { margin-bottom: 1em; }
"""

# Measures every text and every bar by what the browser has computed, for each theme that JupyterLab may name.
SCRIPT = """
const parse = (colour) => { const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number); return {r, g, b, a}; };
const over = (top, under) => ({r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
  b: top.b * top.a + under.b * (1 - top.a), a: 1});
const ground = (node) => {
  const layers = [];
  for (let at = node; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((under, top) => over(top, under), {r: 255, g: 255, b: 255, a: 1});
};
const light = ({r, g, b}) => [r, g, b].map((c) => c / 255)
  .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
const contrast = (a, b) => { const [low, high] = [light(a), light(b)].sort((x, y) => x - y); return (high + 0.05) / (low + 0.05); };
const measure = () => {
  const texts = [], bars = [], outside = [];
  for (const card of document.querySelectorAll('.sitediscover-card')) {
    const box = card.getBoundingClientRect();
    const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || node.tagName === 'STYLE') continue;
      texts.push([walker.currentNode.data.slice(0, 30), contrast(parse(getComputedStyle(node).color), ground(node))]);
    }
    for (const node of card.querySelectorAll('*')) {
      const at = node.getBoundingClientRect();
      if (at.width && (at.left < box.left - 1 || at.right > box.right + 1)) outside.push(node.outerHTML.slice(0, 80));
    }
    for (const node of card.querySelectorAll('.sd-bar')) {
      const at = node.getBoundingClientRect(), track = node.parentElement.getBoundingClientRect();
      bars.push({contrast: contrast(parse(getComputedStyle(node).backgroundColor), ground(node.parentElement)),
        left: (at.left - track.left) / track.width, width: at.width / track.width, height: at.height});
    }
  }
  const table = document.querySelector('.sitediscover-card td');
  return {texts, bars, outside, ground: light(ground(document.querySelector('.sitediscover-card'))),
    cards: document.querySelectorAll('.sitediscover-card').length, align: getComputedStyle(table).textAlign,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth};
};
const outsider = document.getElementById('outsider');
const plain = () => JSON.stringify(['color', 'backgroundColor', 'fontSize', 'padding', 'textAlign', 'borderTopWidth']
  .map((name) => getComputedStyle(outsider.querySelector('td'))[name]));
const result = {alerts: window.alerts, leaked: plain() !== window.before, loaded: performance.getEntriesByType('resource').length};
for (const theme of ['none', 'true', 'false']) {
  if (theme === 'none') delete document.body.dataset.jpThemeLight; else document.body.dataset.jpThemeLight = theme;
  result[theme] = measure();
}
for (const node of document.querySelectorAll('details')) node.open = true;
result.opened = measure();
document.getElementById('result').textContent = JSON.stringify(result);
"""

PAGE = """<!doctype html><html><head><meta charset="utf-8"><style>body {{ margin: 8px; }} {jupyter}</style></head><body>
<table id="outsider"><tbody><tr><td>not ours</td></tr></tbody></table>
<script>
window.alerts = 0; window.alert = () => {{ window.alerts += 1; }};
window.before = JSON.stringify(['color', 'backgroundColor', 'fontSize', 'padding', 'textAlign', 'borderTopWidth']
  .map((name) => getComputedStyle(document.querySelector('#outsider td'))[name]));
</script>
<div class="jp-RenderedHTMLCommon">{cards}</div>
<pre id="result" hidden></pre>
<script>{script}</script></body></html>
"""


def browse(folder, page, scheme, *wish, width=600):
    """Open a page in a new browser, and return what it prints."""
    command = [
        CHROMIUM,
        *FLAGS,
        *SCHEMES[scheme],
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={width},1400",
    ]
    done = subprocess.run([*command, *wish, page.as_uri()], capture_output=True, timeout=60, check=True)
    shutil.rmtree(folder / "profile", ignore_errors=True)
    return done.stdout.decode()


@pytest.fixture
def page(tmp_path, found, hostile, walk, watch, clock):  # noqa: PLR0917 - fixtures
    """Write all cards on one page."""
    list(walk)
    watch.add("paper.example")
    clock.advance(3_600)
    list(watch.poll())
    cards = "\n".join(each._repr_html_() for each in (found, found.best, hostile, walk, watch))
    path = tmp_path / "cards.html"
    path.write_text(PAGE.format(jupyter=JUPYTER, cards=cards, script=SCRIPT), encoding="utf-8")
    return path


@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


def test_what_is_shown_can_be_read_and_stays_in_its_place(tmp_path, page, scheme):
    dom = browse(tmp_path, page, scheme, "--dump-dom")
    (told,) = re.findall(r'<pre id="result" hidden="">(.*?)</pre>', dom, re.DOTALL)
    result = json.loads(unescape(told))
    assert "<img" not in dom
    assert escape("<script>alert(1)</script>", quote=False) in dom, "what a site wrote is shown as it wrote it"
    assert (result["alerts"], result["leaked"], result["loaded"]) == (0, False, 0)
    is_light = {"none": scheme == "light", "true": True, "false": False, "opened": False}
    for theme, expected in is_light.items():
        seen = result[theme]
        assert seen["cards"] == 5
        assert (seen["ground"] > 0.5) is expected, f"{theme}: the wrong ground"
        assert len(seen["texts"]) > 100
        assert [text for text in seen["texts"] if text[1] < 4.5] == [], f"{theme}: WCAG 1.4.3"
        assert [bar for bar in seen["bars"] if bar["contrast"] < 3] == [], f"{theme}: WCAG 1.4.11"
        assert seen["overflow"] <= 0
        assert seen["outside"] == []
        assert seen["align"] in {"left", "start"}, "the notebook's own rules for tables are not ours"
    assert len(result["opened"]["texts"]) >= len(result["none"]["texts"])


def test_the_waterfall_falls_as_the_requests_did(tmp_path, page):
    dom = browse(tmp_path, page, "light", "--dump-dom", width=1_000)
    (told,) = re.findall(r'<pre id="result" hidden="">(.*?)</pre>', dom, re.DOTALL)
    bars = json.loads(unescape(told))["none"]["bars"][:4]
    assert [bar["left"] for bar in bars] == pytest.approx([0, 0.125, 0.5, 0.75], abs=0.02)
    assert [bar["width"] for bar in bars] == pytest.approx([0.125, 0.375, 0.25, 0.25], abs=0.02)
    assert min(bar["height"] for bar in bars) >= 8


def test_the_picture_is_light_or_dark_and_full_of_ink(tmp_path, page, scheme):
    image = pytest.importorskip("matplotlib.image")
    picture = tmp_path / "picture.png"
    # After its measuring the page stands at the theme that JupyterLab would call dark; a page of its own does not.
    page.write_text(page.read_text(encoding="utf-8").replace(SCRIPT, ""), encoding="utf-8")
    browse(tmp_path, page, scheme, f"--screenshot={picture}")
    pixels = image.imread(picture)[:, :, :3].mean(axis=2)
    card = pixels[60:-20, 30:-30]
    middle = float(sorted(card.ravel())[card.size // 2])
    assert pixels.shape[1] == 600
    assert middle > 0.9 if scheme == "light" else middle < 0.2, "most of a card is its ground"
    ink = (abs(card - middle) > 0.4).mean()
    assert 0.01 < ink < 0.4, "there is text on it, and it is text"
