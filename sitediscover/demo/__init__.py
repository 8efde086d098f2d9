"""The miniature web behind `sitediscover demo`."""
