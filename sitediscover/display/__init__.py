"""How results show themselves in a notebook: HTML, pandas frames, matplotlib plots.

What stands here draws values and never makes any: it knows the types of later rooms for the type checker only, so that
those may call it when they are asked to show themselves.
"""

from sitediscover.display.plots import plot_days, plot_intervals, plot_lastmod, plot_requests

__all__ = ["plot_days", "plot_intervals", "plot_lastmod", "plot_requests"]
