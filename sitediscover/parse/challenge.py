"""Bot walls: answers that stand where the page should be, whatever their status says.

A challenge with 200 or 202 is a refusal, never an empty page (fundus#936, crawlee: actor-scraper#341).
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_CHALLENGE_LINKS = 10
"""Links that a challenge page has at most. Many vendors leave the same script on real pages, which have more."""
_SEARCHED = 262_144


class Mark(NamedTuple):
    """What tells one kind of bot wall."""

    name: str
    title: str
    body: str


# Each by its page title, or by what its body cannot do without. An empty pattern is not asked.
MARKS: tuple[Mark, ...] = (
    Mark("cloudflare", r"just a moment\.\.\.|attention required! .*cloudflare", r"_cf_chl_opt|cf-browser-verif"),
    Mark("datadome", r"", r"geo\.captcha-delivery\.com|ct\.captcha-delivery\.com"),
    Mark("imperva", r"pardon our interruption", r"Incapsula incident ID|_Incapsula_Resource\?SWUDNSAI"),
    Mark("perimeterx", r"access to this page has been denied", r"px-captcha"),
    Mark("akamai", r"", r"errors\.edgesuite\.net|bm-verify=|sec-if-cpt-container"),
    Mark("aws-waf", r"", r"window\.gokuProps|AwsWafIntegration\.(?:checkForceRefresh|forceRefreshToken)"),
    Mark("sucuri", r"sucuri website firewall", r"sucuri_cloudproxy_js"),
    Mark("ddos-guard", r"ddos-guard", r"/\.well-known/ddos-guard/(?:js-)?challenge"),
    Mark("anubis", r"making sure you(?:'|&#39;|\u2019)re not a bot!?", r"anubis_challenge"),
    Mark("siteground", r"robot challenge screen", r"/\.well-known/(?:sg)?captcha/"),
    Mark("imunify360", r"one moment, please\.\.\.", r"imunify360|wsidchk"),
    Mark("vercel", r"vercel security checkpoint", r""),
    Mark("fastly", r"client challenge", r""),
    Mark("kasada", r"", r"window\.KPSDK"),
    Mark("litespeed", r"bot verification", r"/\.lsrecap/recaptcha"),
    Mark("qrator", r"", r"/__qrator/"),
    Mark("stackpath", r"", r"/sbbi/\?sbbpg="),
    Mark("cookie-test", r"", r"document\.cookie\s*=\s*[\"']__test=|slowAES\.decrypt"),
    Mark("other", r"(?:robot check|are you (?:a )?(?:robot|human)\??|human verification|security check|bot check"
         r"|checking your browser.*|verifying (?:that )?you are human.*|please wait\.* \| .*)", r""),
)  # fmt: skip


def challenge_in(html: bytes, title: str, links: int) -> str | None:
    """Return the name of the bot wall that a page is, or None for a page.

    Args:
        html: the body.
        title: the page's title.
        links: how many links it has.
    """
    if links > MAX_CHALLENGE_LINKS:
        return None
    body = html[:_SEARCHED].decode("latin-1")
    for mark in MARKS:
        if mark.title and re.fullmatch(mark.title, title, re.IGNORECASE):
            return mark.name
        if mark.body and re.search(mark.body, body):
            return mark.name
    return None
