"""The miniature web behind `sitediscover demo`: eight news sites on loopback, with real sockets and TLS."""

from sitediscover.demo.many import build_many
from sitediscover.demo.report import keep_serving, run_demo
from sitediscover.demo.server import MiniatureWeb, serve
from sitediscover.demo.sites import SITES, DemoSite, build_web

__all__ = ["SITES", "DemoSite", "MiniatureWeb", "build_many", "build_web", "keep_serving", "run_demo", "serve"]
