"""Bytes in, values out: no I/O here, and no exceptions for bad data."""
