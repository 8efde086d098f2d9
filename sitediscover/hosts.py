"""Host names and literal addresses: one spelling each, and who owns them. Pure."""

from __future__ import annotations

import re
import socket
from functools import cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address

import idna

from sitediscover.errors import InvalidUrl

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC_LABEL = re.compile(r"\d+|0x[0-9a-f]*")


def normalise_host(host: str) -> str:
    """Return a host in lower case and ASCII (IDNA 2008, UTS 46), addresses in their usual spelling.

    Args:
        host: a name or a literal address, IPv6 with or without its brackets.

    Raises:
        InvalidUrl: it can be neither.
    """
    if host.startswith("[") or ":" in host:
        return f"[{_ipv6(host.removeprefix('[').removesuffix(']'), host)}]"
    name = host
    if not host.isascii():
        try:
            name = idna.encode(host, uts46=True, std3_rules=False).decode("ascii")
        except (idna.IDNAError, UnicodeError) as error:
            raise InvalidUrl(f"not a host name: {host!r:.80}") from error
    name = name.lower().removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):  # noqa: PLR2004 - RFC 1035, 2.3.4
        raise InvalidUrl(f"not a host name: {host!r:.80}")
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        # A last label that is a number makes it an IPv4 address in every browser (WHATWG URL, host parser):
        # 2130706433, 0x7f.1 and 127.1 are all 127.0.0.1.
        try:
            return str(IPv4Address(socket.inet_aton(name)))
        except (OSError, ValueError) as error:
            raise InvalidUrl(f"not an IPv4 address: {host!r:.80}") from error
    return name


def _ipv6(text: str, host: str) -> str:
    try:
        address = IPv6Address(text)
    except AddressValueError as error:
        raise InvalidUrl(f"not an IPv6 address: {host!r:.80}") from error
    if address.scope_id is not None:
        # fe80::1%eth0 names an interface of this machine: no address of a site.
        raise InvalidUrl(f"an IPv6 address with a zone: {host!r:.80}")
    mapped = address.ipv4_mapped
    # Python 3.13 writes ::ffff:127.0.0.1; browsers write it in hexadecimal (WHATWG URL, IPv6 serialiser).
    return address.compressed if mapped is None else f"::ffff:{int(mapped) >> 16:x}:{int(mapped) & 0xFFFF:x}"


@cache
def _public_suffixes():  # type: ignore[no-untyped-def]  # noqa: ANN202 - the package has no types
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - 40 ms of start-up, needed by few

    return PublicSuffixList()


def registrable_domain(host: str) -> str:
    """Return the part of a host that one owner registers: `example.co.uk` of `www.news.example.co.uk`.

    By the Public Suffix List (publicsuffix.org), private part included: two blogs on one platform are two owners.

    Args:
        host: a normalised host.

    Returns:
        The registrable domain; the host itself where it is an address or a public suffix.
    """
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return str(_public_suffixes().privatesuffix(host) or host)
    return host
