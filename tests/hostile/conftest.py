"""A server on the loopback that does whatever a case says, byte by byte."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from dataclasses import dataclass, field

import pytest

from sitediscover.fetch import PoliteSession

NO_RULES = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass
class Visit:
    """One connection: what was asked, and the socket to answer on."""

    sock: socket.socket
    path: str
    head: str
    stopped: threading.Event

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def drip(self, data: bytes, every: float = 0.05) -> None:
        for byte in data:
            self.send(bytes([byte]))
            self.pause(every)

    def pause(self, seconds: float) -> None:
        """Wait without keeping the test's end waiting."""
        if self.stopped.wait(seconds):
            raise ConnectionAbortedError("the test is over")


@dataclass
class HostileServer:
    """Answers robots.txt with 404 and everything else as `behave` does, unless that wants robots.txt too."""

    behave: object = None
    robots_too: bool = False
    visits: list[str] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=32)
        self.listener.settimeout(0.1)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def _accept(self):
        while not self.stopped.is_set():
            try:
                sock, _ = self.listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            worker = threading.Thread(target=self._serve, args=(sock,), daemon=True)
            self.threads.append(worker)
            worker.start()

    def _serve(self, sock):
        sock.settimeout(5)
        with contextlib.suppress(OSError), sock:
            head = b""
            while b"\r\n\r\n" not in head:
                data = sock.recv(65536)
                if not data:
                    return
                head += data
            path = head.split(b" ", 2)[1].decode("latin-1")
            self.visits.append(path)
            visit = Visit(sock, path, head.decode("latin-1"), self.stopped)
            if path == "/robots.txt" and not self.robots_too:
                visit.send(NO_RULES)
            else:
                self.behave(visit)

    def close(self):
        self.stopped.set()
        self.listener.close()
        self.thread.join(5)
        for worker in self.threads:
            worker.join(5)


@pytest.fixture
def server():
    found = HostileServer()
    yield found
    found.close()


@pytest.fixture
def make_session():
    made = []

    def make(**options):
        settings = {"allow_private": True, "pause": 0, "timeout": 0.4, "deadline": 0.8, **options}
        made.append(PoliteSession(**settings))
        return made[-1]

    yield make
    for session in made:
        session.close()


@pytest.fixture
def stopwatch():
    started = time.monotonic()
    return lambda: time.monotonic() - started
