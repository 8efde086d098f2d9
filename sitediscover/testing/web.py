"""A web in a dict, in the place of the internet."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from requests import PreparedRequest, Response, Session
from requests import exceptions as errors
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from requests.utils import get_encoding_from_headers
from urllib3 import HTTPResponse

from sitediscover.fetch import PoliteSession
from sitediscover.testing.answers import Answer, Call, Web, respond
from sitediscover.testing.clock import FakeClock

if TYPE_CHECKING:
    from collections.abc import Mapping

_ORIGIN = re.compile(r"https?://[^/?#\s]+")
_ERRORS: Mapping[str, type[errors.RequestException]] = {
    "refused": errors.ConnectionError,
    "timeout": errors.ReadTimeout,
    "tls": errors.SSLError,
}


class FakeWeb:
    """A web in a dict: `{"https://host": {"/path?query": answer, "*": answer for every other path}}`.

    An answer is a body (text or bytes), an `Answer`, or a callable that takes a `Call` and returns one of these. A path
    that is missing answers 404, a host that is missing refuses the connection. The dict is not copied: what a test
    changes in it is what the next request sees.

    Attributes:
        clock: the clock that delays and sleeps move.
        calls: what was asked, in order.
        adapter: the web as a transport of `requests`.
    """

    def __init__(self, web: Web, *, clock: FakeClock | None = None) -> None:
        """Take a web.

        Args:
            web: its hosts, as scheme and host, and their answers by path and query.
            clock: a new one where none is given.

        Raises:
            ValueError: a host or a path that no request could ever match.
        """
        for origin, paths in web.items():
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"a host of a web is written https://host, not {origin!r}")
            for path in paths:
                if path != "*" and not path.startswith("/"):
                    raise ValueError(f"a path of a web starts with a slash, or is '*': {path!r} of {origin}")
        self.clock = clock or FakeClock()
        self.calls: list[Call] = []
        self.adapter = _FakeAdapter(web, self.clock, self.calls)

    @property
    def requests(self) -> list[str]:
        """Return the addresses that were asked, in order."""
        return [call.url for call in self.calls]

    def mount(self, session: Session) -> Session:
        """Put the web in the place of the internet.

        Args:
            session: whose adapters for http and https are replaced.

        Returns:
            The same session.
        """
        session.mount("http://", self.adapter)
        session.mount("https://", self.adapter)
        return session

    def session(self, **options: Any) -> PoliteSession:
        """Return a polite session on this web and its clock.

        Args:
            options: what `PoliteSession` takes.
        """
        return PoliteSession(**{"http": self.mount(Session()), "clock": self.clock, **options})


class _FakeAdapter(BaseAdapter):
    def __init__(self, web: Web, clock: FakeClock, calls: list[Call]) -> None:
        super().__init__()
        self._web, self._clock, self._calls = web, clock, calls

    def send(  # noqa: PLR0917 - the signature of requests
        self,
        request: PreparedRequest,
        stream: bool = False,  # noqa: ARG002, FBT001, FBT002 - the signature of requests
        timeout: Any = None,
        verify: object = True,  # noqa: ARG002, FBT002
        cert: object = None,  # noqa: ARG002
        proxies: object = None,  # noqa: ARG002
    ) -> Response:
        call = Call(
            method=request.method or "GET",
            url=request.url or "",
            headers=CaseInsensitiveDict(request.headers),
            at=self._clock.time(),
        )
        self._calls.append(call)
        answer = respond(self._web, call) or Answer(error="refused")
        patience = _read_timeout(timeout)
        if answer.error == "timeout" or (patience is not None and answer.delay > patience):
            answer = replace(answer, error="timeout", delay=patience or 0.0)
        self._clock.advance(answer.delay)
        if answer.error:
            raise _ERRORS[answer.error](f"{answer.error}: {call.url}", request=request)
        return _response(answer, request)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _read_timeout(timeout: Any) -> float | None:
    """Return the seconds a caller waits for an answer; `requests` takes a number, a pair or urllib3's `Timeout`."""
    seconds = timeout[1] if isinstance(timeout, tuple) else getattr(timeout, "read_timeout", timeout)
    return float(seconds) if isinstance(seconds, int | float) else None


def _response(answer: Answer, request: PreparedRequest) -> Response:
    assert isinstance(answer.body, bytes)  # noqa: S101 - respond() has made it so
    response = Response()
    response.status_code, response.url, response.request = answer.status, request.url or "", request
    response.headers = CaseInsensitiveDict(answer.headers)
    response.encoding = get_encoding_from_headers(response.headers)
    response.raw = HTTPResponse(
        body=io.BytesIO(answer.body),
        headers=response.headers,
        status=answer.status,
        preload_content=False,
        decode_content=False,
        request_method=request.method,
    )
    return response
