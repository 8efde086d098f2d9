"""Many sites: on threads, or on any executor."""

from sitediscover.batch.many import discover_many

__all__ = ["discover_many"]
