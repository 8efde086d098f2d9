"""The look of what shows itself: one style sheet, scoped to one class, light and dark. Pure text."""

from __future__ import annotations

SCOPE = "sitediscover-card"
"""The class that every rule starts from."""

# Each text colour has at least 4.5:1 on each ground it stands on, each bar 3:1 (WCAG 2.2, 1.4.3 and 1.4.11);
# tests/display/test_browser.py measures it in a browser.
_LIGHT = {
    "ground": "#ffffff",
    "raised": "#f2f4f7",
    "line": "#d5dae1",
    "ink": "#1a1f27",
    "soft": "#525b69",
    "link": "#0b57b0",
    "good": "#0f6b4f",
    "warn": "#8a5300",
    "bad": "#b3261e",
    "ok-bar": "#2f7fd6",
    "hop-bar": "#b07800",
    "bad-bar": "#d0453b",
}
_DARK = {
    "ground": "#14181e",
    "raised": "#1e242c",
    "line": "#39424e",
    "ink": "#e8ebef",
    "soft": "#a7b0bd",
    "link": "#85bbff",
    "good": "#63d3aa",
    "warn": "#f0b45a",
    "bad": "#ff9a8f",
    "ok-bar": "#5a9ff0",
    "hop-bar": "#d79c2b",
    "bad-bar": "#ef6f63",
}

# `&` is the scope. It is named three times, which outweighs what notebooks say of any table (JupyterLab's
# `.jp-RenderedHTMLCommon tbody tr:nth-child(odd)`), without `!important`.
_RULES = """
& {
  background: var(--sd-ground); color: var(--sd-ink); border: 1px solid var(--sd-line); border-radius: 8px;
  box-sizing: border-box; max-width: 62rem; margin: 4px 0; padding: 14px 16px 12px; overflow-wrap: anywhere;
  font: 13px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
& *, & *::before { box-sizing: border-box; }
& p { margin: 0; color: inherit; font-size: inherit; }
& a { color: var(--sd-link); text-decoration: none; }
& a:hover, & a:focus-visible { color: var(--sd-link); text-decoration: underline; }
& .sd-name { font-size: 16px; font-weight: 600; }
& .sd-verdict { margin-top: 1px; font-size: 14px; }
& .sd-verdict strong { font-weight: 600; color: var(--sd-good); }
& .sd-verdict.sd-no strong { color: var(--sd-bad); }
& .sd-soft { color: var(--sd-soft); }
& .sd-warn { color: var(--sd-warn); }
& .sd-bad { color: var(--sd-bad); }
& ol, & ul { margin: 6px 0 0; padding: 0; list-style: none; }
& li { margin: 0; padding: 0; color: inherit; }
& .sd-sources > li { padding: 7px 10px; margin-top: 6px; border-radius: 6px; background: var(--sd-raised); }
& .sd-kind {
  display: inline-block; margin-right: 6px; padding: 0 7px; border: 1px solid var(--sd-line); border-radius: 9px;
  font-size: 11.5px; background: var(--sd-ground); color: var(--sd-ink);
}
& details { margin: 10px 0 0; padding: 0; background: transparent; border: 0; }
& summary { cursor: pointer; font-weight: 600; color: var(--sd-ink); }
& .sd-sources details { margin-top: 4px; }
& .sd-sources summary { font-weight: 400; color: var(--sd-soft); }
& table {
  width: 100%; margin: 4px 0 0; border: 0; border-collapse: collapse; table-layout: fixed; font-size: 12px;
  background: transparent; color: inherit;
}
& tr, & tbody tr:nth-child(odd), & tbody tr:hover { background: transparent; }
& th, & td {
  padding: 3px 8px 3px 0; border: 0; border-top: 1px solid var(--sd-line); max-width: none; background: transparent;
  color: var(--sd-ink); text-align: left; vertical-align: top; line-height: inherit; font-weight: 400;
  white-space: normal;
}
& thead, & tbody, & tr { border: 0; line-height: inherit; }
& th { border-top: 0; color: var(--sd-soft); }
& .sd-num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
& .sd-track { display: block; position: relative; height: 10px; margin-top: 4px; background: var(--sd-raised); }
& .sd-bar { position: absolute; top: 0; height: 10px; min-width: 2px; border-radius: 2px; }
& .sd-bar.sd-ok { background: var(--sd-ok-bar); }
& .sd-bar.sd-hop { background: var(--sd-hop-bar); }
& .sd-bar.sd-fail { background: var(--sd-bad-bar); }
"""


def _theme(selector: str, colours: dict[str, str]) -> str:
    return f"{selector}{{{''.join(f'--sd-{name}:{colour};' for name, colour in colours.items())}}}"


def _sheet() -> str:
    """Put the rules together.

    The operating system's wish counts, unless JupyterLab says which theme it shows (`data-jp-theme-light` of its body).
    """
    card = f".{SCOPE}"
    themes = (
        _theme(card, _LIGHT),
        f"@media (prefers-color-scheme:dark){{{_theme(card, _DARK)}}}",
        _theme(f'[data-jp-theme-light="true"] {card}', _LIGHT),
        _theme(f'[data-jp-theme-light="false"] {card}', _DARK),
    )
    rules = " ".join(_RULES.split()).replace("&", card * 3)
    return "".join(themes) + rules


STYLE = f"<style>{_sheet()}</style>"
"""What stands before each card."""
