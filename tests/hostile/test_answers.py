"""Servers that are broken, slow or malicious: each ends in a typed result, in time, in memory, and in the log."""

from __future__ import annotations

import contextlib
import gzip
import os
import pathlib
import re
import resource
import socket
import struct
import zlib

import pytest

from sitediscover.errors import (
    DeadlineExceeded,
    NoConnection,
    RobotsUnreachable,
    TooManyRedirects,
    Unreachable,
    UnsupportedUrl,
)
from sitediscover.fetch import Ledger, Page

pytestmark = pytest.mark.slow

OK = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
GROWTH = 64 * 1024  # KiB
ZEROS = b"\0" * 2**20


def answer(body=b"hello", *headers, status=b"200 OK"):
    lines = [b"HTTP/1.1 " + status, b"Connection: close", *headers]
    if not any(line.lower().startswith((b"content-length", b"transfer-encoding")) for line in headers):
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def sends(*parts):
    return lambda visit: [visit.send(part) for part in parts]


def drips(first, then=b"x" * 10_000, every=0.05):
    def behave(visit):
        visit.send(first)
        visit.drip(then, every)

    return behave


def floods(first, piece):
    def behave(visit):
        visit.send(first)
        while True:
            visit.send(piece)

    return behave


def silent(visit):
    visit.pause(30)


def resets(visit):
    visit.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def resets_after(data):
    def behave(visit):
        visit.send(data)
        visit.pause(0.1)
        resets(visit)

    return behave


def bomb(size_mib, layers=1):
    """Zeros by the MiB, a gzip member each, in layers."""
    data = gzip.compress(ZEROS, 9) * size_mib
    for _ in range(layers - 1):
        data = gzip.compress(data, 9)
    return data


def truncated(page):
    return page.truncated


def body_is(body, *, cut=False):
    return lambda page: page.body == body and page.truncated is cut


def status_is(status):
    return lambda page: page.status == status


def cut_at(size):
    return lambda page: page.truncated and len(page.body) <= size


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


LIMIT = 8 * 2**20
CHUNKED = b"Transfer-Encoding: chunked"
GZIP = b"Content-Encoding: gzip"

# name: what the server does, and what must come of it: an error's class, or what is true of the page.
CASES = {
    # Slow.
    "silence": (silent, DeadlineExceeded),
    "closes-at-once": (lambda visit: None, Unreachable),
    "resets-at-once": (resets, Unreachable),
    "drips-the-status-line": (drips(b"", b"HTTP/1.1 200 OK" + b" " * 5000), DeadlineExceeded),
    "drips-a-header": (drips(OK + b"X-Slow: "), DeadlineExceeded),
    "drips-headers-for-ever": (drips(OK, b"A: b\r\n" * 2000, 0.02), DeadlineExceeded),
    "drips-a-body-of-known-length": (drips(answer(b"", b"Content-Length: 10000")), DeadlineExceeded),
    "drips-a-body-until-the-end": (drips(OK + b"\r\n"), DeadlineExceeded),
    "drips-chunks": (drips(answer(b"", CHUNKED), b"1\r\nx\r\n" * 2000, 0.02), DeadlineExceeded),
    "drips-a-chunk-size": (drips(answer(b"", CHUNKED), b"0" * 2000, 0.05), DeadlineExceeded),
    "drips-trailers": (drips(answer(chunk(b"x") + b"0\r\n", CHUNKED), b"A: b\r\n" * 2000, 0.02), DeadlineExceeded),
    "drips-gzip": (
        drips(answer(b"", GZIP, b"Content-Length: 9000"), gzip.compress(os.urandom(8000))),
        DeadlineExceeded,
    ),
    "stops-in-the-body": (
        lambda visit: (visit.send(answer(b"abc", b"Content-Length: 10")), silent(visit)),
        DeadlineExceeded,
    ),
    "says-continue-for-ever": (floods(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), (DeadlineExceeded, Unreachable)),
    "says-early-hints-for-ever": (floods(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), DeadlineExceeded),
    "drips-early-hints": (drips(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 99), DeadlineExceeded),
    "reset-content-without-an-end": (
        lambda visit: (visit.send(b"HTTP/1.1 205 Reset Content\r\n\r\n"), silent(visit)),
        body_is(b""),
    ),
    "drips-a-refusal": (drips(b"HTTP/1.1 403 Forbidden\r\n\r\n"), status_is(403)),
    # Large.
    "endless-body": (floods(OK + b"\r\n", b"x" * 65536), cut_at(LIMIT)),
    "endless-chunks": (floods(answer(b"", CHUNKED), chunk(b"x" * 65536)), cut_at(LIMIT)),
    "endless-header-line": (floods(OK + b"X: ", b"x" * 65536), Unreachable),
    "endless-headers": (floods(OK, b"X-Header: value\r\n" * 1000), Unreachable),
    "megabytes-of-headers": (sends(OK, *[b"X: " + b"a" * 65_000 + b"\r\n"] * 90, b"\r\nhello"), Unreachable),
    "megabytes-of-codings": (sends(OK, *[GZIP + b",gzip" * 12_000 + b"\r\n"] * 90, b"\r\nhello"), Unreachable),
    "endless-status-line": (floods(b"HTTP/1.1 200 ", b"x" * 65536), Unreachable),
    "endless-chunk-extension": (floods(answer(b"", CHUNKED) + b"1;", b"x" * 65536), Unreachable),
    "endless-empty-gzip-members": (
        floods(OK + GZIP + b"\r\n\r\n", gzip.compress(b"") * 500),
        (DeadlineExceeded, Unreachable, truncated),
    ),
    "declares-a-terabyte": (sends(answer(b"little", b"Content-Length: 1099511627776")), body_is(b"little", cut=True)),
    "declares-a-huge-chunk": (sends(answer(b"ffffffffffffffff\r\nlittle", CHUNKED)), body_is(b"little", cut=True)),
    "bomb": (sends(answer(bomb(300), GZIP)), cut_at(LIMIT)),
    "bomb-without-header": (sends(answer(bomb(300))), cut_at(LIMIT)),
    "bomb-in-a-bomb": (sends(answer(bomb(300, layers=2), GZIP)), cut_at(LIMIT)),
    "bomb-in-three-layers": (sends(answer(bomb(100, layers=3), GZIP)), Unreachable),
    "bomb-by-deflate": (sends(answer(zlib.compress(ZEROS * 100, 9), b"Content-Encoding: deflate")), cut_at(LIMIT)),
    "bomb-in-a-redirect": (
        sends(answer(bomb(300), GZIP, b"Location: /there", status=b"302 Found")),
        TooManyRedirects,
    ),
    "endless-body-of-a-redirect": (
        floods(b"HTTP/1.1 302 Found\r\nLocation: /there\r\n\r\n", b"x" * 65536),
        TooManyRedirects,
    ),
    "bomb-in-an-error-page": (sends(answer(bomb(300), GZIP, status=b"404 Not Found")), status_is(404)),
    # Broken HTTP.
    "not-http": (sends(b"SSH-2.0-OpenSSH_9.6\r\n"), Unreachable),
    "http-0.9": (sends(b"<html>hello</html>"), Unreachable),
    "status-of-letters": (sends(b"HTTP/1.1 abc OK\r\n\r\n"), Unreachable),
    "status-of-four-digits": (sends(b"HTTP/1.1 2000 OK\r\n\r\n"), Unreachable),
    "status-zero": (sends(b"HTTP/1.1 000 Nothing\r\n\r\n"), Unreachable),
    "status-999": (sends(answer(b"no", status=b"999 Denied")), status_is(999)),
    "status-299": (sends(answer(b"hello", status=b"299 Odd")), body_is(b"hello")),
    "status-204-with-a-body": (sends(answer(b"hello", status=b"204 No Content")), body_is(b"")),
    "status-304-unasked": (sends(answer(b"", status=b"304 Not Modified")), lambda page: not page.not_modified),
    "switching-protocols": (sends(b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n" + b"x" * 100), status_is(101)),
    "early-hints": (
        sends(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", answer(b"hello")),
        lambda page: (page.status, page.body, "Link" in page.headers) == (200, b"hello", False),
    ),
    "processing": (sends(b"HTTP/1.1 102 Processing\r\n\r\n" * 3, answer(b"hello")), body_is(b"hello")),
    "two-lengths": (sends(answer(b"hello", b"Content-Length: 5", b"Content-Length: 6")), (Unreachable, Page)),
    "negative-length": (sends(answer(b"hello", b"Content-Length: -5")), body_is(b"hello")),
    "length-of-letters": (sends(answer(b"hello", b"Content-Length: five")), body_is(b"hello")),
    "length-and-chunks": (
        sends(answer(chunk(b"hello") + b"0\r\n\r\n", CHUNKED, b"Content-Length: 3")),
        body_is(b"hello"),
    ),
    "chunked-and-a-blank": (sends(answer(chunk(b"hello") + b"0\r\n\r\n", CHUNKED + b" ")), body_is(b"hello")),
    "gzip-and-chunked": (
        sends(answer(chunk(gzip.compress(b"hello")) + b"0\r\n\r\n", b"Transfer-Encoding: gzip, chunked")),
        body_is(b"hello"),
    ),
    "chunked-on-a-line-of-its-own": (
        sends(answer(chunk(b"hello") + b"0\r\n\r\n", b"Transfer-Encoding: identity", CHUNKED, b"Content-Length: 3")),
        body_is(b"hello"),
    ),
    "chunked-first": (sends(answer(b"hello", b"Transfer-Encoding: chunked, gzip")), body_is(b"hello")),
    "chunk-size-of-letters": (sends(answer(b"zz\r\nhello\r\n", CHUNKED)), Unreachable),
    "negative-chunk-size": (sends(answer(b"-5\r\nhello\r\n", CHUNKED)), (Unreachable, Page)),
    "chunks-end-early": (sends(answer(chunk(b"hello"), CHUNKED)), body_is(b"hello", cut=True)),
    "body-ends-early": (sends(answer(b"hello", b"Content-Length: 50")), body_is(b"hello", cut=True)),
    "reset-in-the-body": (resets_after(answer(b"hello", b"Content-Length: 50")), body_is(b"hello", cut=True)),
    "nul-in-a-header": (sends(answer(b"hello", b"X: a\0b")), body_is(b"hello")),
    "header-without-a-colon": (sends(answer(b"hello", b"nonsense")), Page),
    "headers-in-utf-8": (sends(answer(b"hello", "X-Ort: Köln".encode())), body_is(b"hello")),
    "odd-charset": (sends(answer(b"hello", b"Content-Type: text/html; charset=\x00\xff\x01")), body_is(b"hello")),
    "charset-of-blanks": (
        sends(answer(b"hello", b"Content-Type: text/html; charset=" + b" " * 60_000 + b"=")),
        lambda page: page.charset is None,
    ),
    "cookie-junk": (sends(answer(b"hello", *[b"Set-Cookie: " + b"a=b; expires=" * 4000] * 3)), body_is(b"hello")),
    # Broken compression.
    "gzip-that-is-none": (sends(answer(b"<html>", GZIP)), body_is(b"<html>")),
    "gzip-ends-early": (sends(answer(gzip.compress(b"hello" * 9999)[:-20], GZIP)), truncated),
    "gzip-broken": (sends(answer(gzip.compress(os.urandom(5000))[:3000] + b"junk" * 99, GZIP)), truncated),
    "gzip-members": (sends(answer(gzip.compress(b"hel") + gzip.compress(b"lo"), GZIP)), body_is(b"hello")),
    "gzip-twice": (
        sends(answer(gzip.compress(gzip.compress(b"hello")), b"Content-Encoding: gzip, gzip")),
        body_is(b"hello"),
    ),
    "gzip-and-junk": (sends(answer(gzip.compress(b"hello") + b"junk", GZIP)), body_is(b"hello")),
    "fifty-codings": (sends(answer(b"hello", b"Content-Encoding: " + b"gzip, " * 50)), Unreachable),
    "deflate-raw": (sends(answer(zlib.compress(b"hello", wbits=-15), b"Content-Encoding: deflate")), body_is(b"hello")),
    "deflate-junk": (sends(answer(b"\xff" * 5000, b"Content-Encoding: deflate")), Unreachable),
    "deflate-that-is-text": (sends(answer(b"<html>hello", b"Content-Encoding: deflate")), body_is(b"<html>hello")),
    "deflate-that-is-gzip": (sends(answer(gzip.compress(b"hello"), b"Content-Encoding: deflate")), body_is(b"hello")),
    "gzip-that-is-zlib": (sends(answer(zlib.compress(b"hello" * 99), GZIP)), Unreachable),
    "gzip-of-a-head-only": (sends(answer(gzip.compress(b"hello")[:10], GZIP)), Unreachable),
    "gzip-with-an-endless-name": (sends(answer(b"\x1f\x8b\x08\x08" + b"a" * 200_000, GZIP)), Unreachable),
    "gzip-of-a-million-empty-members": (sends(answer(gzip.compress(gzip.compress(b"") * 400_000, 9))), Unreachable),
    "gzip-of-a-million-small-members": (sends(answer(gzip.compress(gzip.compress(b"x") * 380_000, 9))), truncated),
    "brotli-unasked": (sends(answer(b"\x0b\x02\x80hello\x03", b"Content-Encoding: br")), Unreachable),
    "zstd-unasked": (sends(answer(b"(\xb5/\xfd$\x05)\x00\x00hello", b"Content-Encoding: zstd")), Unreachable),
    # Redirects.
    "circle": (sends(answer(b"", b"Location: /", status=b"302 Found")), TooManyRedirects),
    "ever-longer": (
        lambda visit: visit.send(answer(b"", b"Location: /x" + visit.path.encode(), status=b"301 Moved")),
        TooManyRedirects,
    ),
    "to-a-file": (sends(answer(b"", b"Location: file:///etc/passwd", status=b"302 Found")), UnsupportedUrl),
    "to-a-script": (sends(answer(b"", b"Location: javascript:alert(1)", status=b"302 Found")), UnsupportedUrl),
    "to-data": (sends(answer(b"", b"Location: data:text/html,hello", status=b"302 Found")), UnsupportedUrl),
    "with-credentials": (sends(answer(b"", b"Location: http://a:b@127.0.0.1/", status=b"302 Found")), UnsupportedUrl),
    "to-port-zero": (sends(answer(b"", b"Location: http://127.0.0.1:0/", status=b"302 Found")), UnsupportedUrl),
    "to-half-an-address": (sends(answer(b"", b"Location: http://[", status=b"302 Found")), UnsupportedUrl),
    "to-two-places": (
        sends(answer(b"", b"Location: /there", b"Location: //127.0.0.2/", status=b"302 Found")),
        Unreachable,
    ),
    "to-one-place-twice": (
        sends(answer(b"", b"Location: /", b"Location: /", status=b"302 Found")),
        TooManyRedirects,
    ),
    "to-a-closed-port": (sends(answer(b"", b"Location: http://127.0.0.1:1/", status=b"302 Found")), NoConnection),
    "to-nowhere": (sends(answer(b"gone", status=b"301 Moved")), lambda page: page.status == 301 and page.body == b""),
    "to-an-empty-place": (sends(answer(b"", b"Location:   ", status=b"302 Found")), status_is(302)),
    "to-a-megabyte": (sends(answer(b"", b"Location: /" + b"a" * 60_000, status=b"302 Found")), UnsupportedUrl),
    "server-error": (sends(answer(b"", status=b"500 Oops")), status_is(500)),
}


def reset_peak():
    with contextlib.suppress(OSError):
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    return peak_kib()


def peak_kib():
    """Return the most memory held since the last reset; where the system has no /proc, since the start."""
    status = pathlib.Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1])


def outcome_of(ask):
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - which kind it is is what is tested
        return error


def fits(result, expected):
    if isinstance(expected, tuple):
        return any(fits(result, one) for one in expected)
    if isinstance(expected, type):
        return isinstance(result, expected)
    return isinstance(result, Page) and expected(result)


@pytest.mark.parametrize("name", CASES)
def test_hostile_answer_ends_typed_in_time_and_in_memory(name, server, make_session, stopwatch):
    server.behave, expected = CASES[name]
    session, ledger, before = make_session(), Ledger(25), reset_peak()

    result = outcome_of(lambda: session.get(server.url, ledger=ledger))

    assert fits(result, expected), repr(result)[:300]
    assert stopwatch() < session.deadline + 1
    assert peak_kib() - before < GROWTH
    assert [request.url for request in ledger.requests] == [
        server.url.rstrip("/") + path for path in server.visits
    ] or (name == "to-a-closed-port")
    assert all(request.note != "under way" and request.note.isprintable() for request in ledger.requests)


@pytest.mark.parametrize("name", CASES)
def test_hostile_robots_file_never_lets_us_in_by_mistake(name, server, make_session, stopwatch):
    server.behave, _ = CASES[name]
    server.robots_too = True
    session, ledger = make_session(), Ledger(25)

    result = outcome_of(lambda: session.robots(server.url, ledger=ledger))

    assert stopwatch() < session.deadline + 1
    if isinstance(result, Exception):
        assert isinstance(result, Unreachable | RobotsUnreachable | UnsupportedUrl), repr(result)
    assert ledger.spent == len(ledger.requests) >= 1


@pytest.mark.parametrize(
    "name", [name for name in CASES if name.startswith(("drips", "endless", "bomb", "stops", "gzip", "deflate"))]
)
def test_hostile_stream_ends_with_what_it_held(name, server, make_session, stopwatch):
    server.behave, _ = CASES[name]
    session, ledger, before = make_session(), Ledger(25), reset_peak()

    def read():
        with session.stream(server.url, ledger=ledger, max_bytes=LIMIT) as stream:
            return stream, sum(map(len, stream))

    result = outcome_of(read)

    assert stopwatch() < session.deadline + 1
    assert peak_kib() - before < GROWTH
    if isinstance(result, Exception):
        assert isinstance(result, Unreachable | TooManyRedirects), repr(result)
    else:
        stream, size = result
        assert size <= LIMIT
        assert stream.truncated or stream.error is None
        assert ledger.requests[-1].size == size
