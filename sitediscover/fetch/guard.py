"""Which addresses are never asked. Pure: nothing here asks the network.

`ipaddress.is_global` passes multicast, 64:ff9b::7f00:1, fec0::, ::7f00:1, and before 3.12.1 also 2002:7f00:1::, so the
tables of IANA's special-purpose registries (RFC 6890) are written out.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from sitediscover.errors import BlockedAddress, InvalidUrl, UnsupportedUrl
from sitediscover.urls import normalise_url, resolve

_V4 = tuple(
    (IPv4Network(network), what)
    for network, what in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a provider's customers"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved by the IETF"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "AS112"),
        ("192.52.193.0/24", "multicast tunnels"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("192.175.48.0/24", "AS112"),
        ("198.18.0.0/15", "benchmarks"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
# Only 2000::/3 is given out (RFC 4291, 2.4; IANA): loopback, link-local, site-local, unique-local, multicast, mapped
# and compatible addresses all lie outside. What is special inside stands here.
_V6_GLOBAL = IPv6Network("2000::/3")
_V6 = tuple(
    (IPv6Network(network), what)
    for network, what in (
        ("2001::/23", "reserved by the IETF: Teredo, ORCHID, benchmarks"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
    )
)
# The one wrapping that real networks resolve public sites to (DNS64, RFC 6147): judged by the address inside.
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)  # RFC 5214, 6.1: an interface identifier that holds an IPv4 address

# Names that never mean a public host: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), ICANN (internal),
# and what /etc/hosts commonly calls the loopback.
_LOCAL_NAMES = ("localhost", "localdomain", "localdomain4", "localdomain6", "local", "internal", "home.arpa")
_LOCAL_HOSTS = (
    *("broadcasthost", "ip6-allnodes", "ip6-allrouters", "ip6-localhost", "ip6-localnet", "ip6-loopback"),
    *("ip6-mcastprefix", "localhost4", "localhost6"),
)
_PORTS = (None, 80, 443)
_LOGIN = re.compile(r"[/\\]{2}[^/?#]*@")


def refusal(address: str) -> str | None:
    """Say why an address is never asked.

    Args:
        address: a literal IPv4 or IPv6 address, without brackets.

    Returns:
        A word or two, or None where it is public.
    """
    if "%" in address:
        return "an address of this machine's own links"
    try:
        found = ip_address(address)
    except ValueError:
        return "no address"
    return _refuse_v4(found) if isinstance(found, IPv4Address) else _refuse_v6(found)


def _refuse_v4(address: IPv4Address) -> str | None:
    return next((what for network, what in _V4 if address in network), None)


def _refuse_v6(address: IPv6Address) -> str | None:
    if address in _NAT64:
        return _refuse_v4(IPv4Address(int(address) & 0xFFFF_FFFF))
    if address not in _V6_GLOBAL:
        return "not public"
    if (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP:
        return "ISATAP"
    return next((what for network, what in _V6 if address in network), None)


def checked_url(url: str, *, allow_private: bool = False) -> str:
    """Return a URL as it will be asked, where it can be seen to be harmless.

    Names are judged again by what they resolve to when the connection is made.

    Args:
        url: what is to be asked.
        allow_private: take private addresses, and any port.

    Raises:
        UnsupportedUrl: scheme, port, credentials, or no URL at all.
        BlockedAddress: its host is a special address, or a name for this machine or network.
    """
    if not isinstance(url, str):
        raise UnsupportedUrl(f"{url!r:.120}", f"a URL is a text, not {type(url).__name__}")
    try:
        normal = normalise_url(url)
    except InvalidUrl as error:
        shown = f"{without_login(url)!r:.120}"
        if _has_zone(url):
            raise BlockedAddress(shown, "an address of this machine's own links") from None
        raise UnsupportedUrl(shown, without_login(str(error))) from None
    if allow_private:
        return normal
    parts = urlsplit(normal)
    host = parts.hostname or ""
    why = refusal(host) if _is_address(host) else _local_name(host)
    if why:
        raise BlockedAddress(normal, f"{host} is never asked: {why}")
    if parts.port not in _PORTS:
        raise UnsupportedUrl(normal, f"port {parts.port} is never asked")
    return normal


def redirect_target(base: str, location: str, *, allow_private: bool = False) -> str:
    """Return the URL that a Location header means.

    Args:
        base: the address that answered.
        location: the header as written.
        allow_private: take private addresses, and any port.

    Raises:
        UnsupportedUrl: scheme, port, credentials, or no URL at all.
        BlockedAddress: its host is a special address, or a name for this machine or network.
    """
    try:
        # Headers are read as Latin-1; what is not ASCII was UTF-8 most of the time.
        text = location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        text = location
    return checked_url(resolve(base, text) or text, allow_private=allow_private)


def without_login(text: str) -> str:
    """Return a text about a URL without the user name and password in it: errors and logs are read by others."""
    return _LOGIN.sub("//...@", text)


def _is_address(host: str) -> bool:
    return ":" in host or host.rpartition(".")[2].isdigit()


def _local_name(host: str) -> str | None:
    local = host in _LOCAL_HOSTS or any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
    return "a name of the local network" if local else None


def _has_zone(url: str) -> bool:
    authority = url.partition("//")[2].partition("/")[0].rpartition("@")[2]
    return authority.startswith("[") and "%" in authority
