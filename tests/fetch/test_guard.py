from __future__ import annotations

import contextlib
import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.errors import BlockedAddress, FetchError, UnsupportedUrl
from sitediscover.fetch.guard import checked_url, redirect_target, refusal

SPECIAL = """
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
    172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9
    224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe
    64:ff9b:1::7f00:1 100::1 2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::
    2002:808:808:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1
    2606:4700::5efe:7f00:1 2606:4700::200:5efe:a00:1
""".split()  # noqa: SIM905 - a table of words reads better

PUBLIC = """
    1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 198.17.0.1 198.20.0.1
    223.255.255.254 2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001::1 64:ff9b::808:808
""".split()  # noqa: SIM905 - a table of words reads better

SPELLINGS = """
    http://127.0.0.1/ http://127.1/ http://127.0.1/ http://2130706433/ http://0x7f000001/ http://0x7f.1/
    http://0x7f.0.0.0x1/ http://0177.0.0.1/ http://017700000001/ http://127.0.0.1./ http://0/ http://0.0.0.0/
    http://[::1]/ http://[0:0:0:0:0:0:0:1]/ http://[::]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/
    http://[0:0:0:0:0:ffff:127.0.0.1]/ http://[::127.0.0.1]/ http://[64:ff9b::127.0.0.1]/ http://[2002:7f00:1::]/
    http://[fe80::1%25lo]/ http://[fe80::1%lo]/ http://[FE80::1]/ http://[fec0::1]/ http://[ff02::1]/ http://[fd00::1]/
    http://2852039166/ http://169.254.169.254/latest/meta-data/ http://0xA9FEA9FE/ http://[::ffff:a9fe:a9fe]/
    http://localhost/ http://LOCALHOST/ http://localhost./ http://www.localhost/ http://localhost.localdomain/
    http://ip6-localhost/ http://ip6-allnodes/ http://localhost6.localdomain6/ http://broadcasthost/ http://printer.local/ http://metadata.google.internal/ http://router.home.arpa/
    http://\uff11\uff12\uff17.0.0.1/ http://\u2460\u2461\u2466.0.0.1/ http://127\u30020\u30020\u30021/
    http://10.0.0.1:8080/ http://192.168.1.1:22/ https://127.0.0.1/ http:\\\\127.0.0.1\\ http://127.0.0.1:80/
""".split()  # noqa: SIM905 - a table of words reads better

UNSUPPORTED = """
    ftp://news.example/ file:///etc/passwd gopher://news.example/ data:text/html,x javascript:alert(1) news.example
    http://user@news.example/ http://user:pw@news.example/ http://news.example@127.0.0.1/ http://@news.example/
    http://news.example:8080/ http://news.example:22/ https://news.example:8443/ http://news.example:0/
    http://news.example:99999/ http://news.example:port/ http:/// http:// https://[::1/ http://[zz]/ http://a..b/
    http://%31%32%37.0.0.1/ http://127.0.0.1%2f@news.example/ http://256.1.1.1/ http://1.2.3.4.5/ http://-/%20
""".split()  # noqa: SIM905 - a table of words reads better


@pytest.mark.parametrize("address", SPECIAL)
def test_special_address_is_refused_with_a_reason(address):
    assert refusal(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address_is_taken(address):
    assert refusal(address) is None


@given(st.ip_addresses())
def test_whatever_the_standard_library_calls_private_is_refused(address):
    if not address.is_global or address.is_multicast:
        assert refusal(str(address)) or address in ipaddress.ip_network("64:ff9b::/96")


@given(st.text(max_size=20))
def test_a_text_that_is_no_address_is_refused(text):
    try:
        ipaddress.ip_address(text)
    except ValueError:
        assert refusal(text)


@pytest.mark.parametrize("url", SPELLINGS)
def test_no_spelling_of_a_special_host_is_asked(url):
    with pytest.raises(BlockedAddress):
        checked_url(url.replace("\\", "/"))


@pytest.mark.parametrize("url", UNSUPPORTED)
def test_what_is_no_plain_web_address_is_unsupported(url):
    with pytest.raises(UnsupportedUrl):
        checked_url(url)


@pytest.mark.parametrize("value", [None, 5, b"http://news.example/", ["http://news.example/"]])
def test_what_is_no_text_is_unsupported(value):
    with pytest.raises(UnsupportedUrl, match="is a text"):
        checked_url(value)


def test_harmless_url_comes_back_normalised():
    assert checked_url("HTTPS://News.Example:443/a b#c") == "https://news.example/a%20b"
    assert checked_url("http://news.example:443/") == "http://news.example:443/"


def test_private_addresses_and_ports_are_taken_where_they_are_allowed():
    assert checked_url("http://127.0.0.1:8000/", allow_private=True) == "http://127.0.0.1:8000/"
    assert checked_url("http://localhost:8000/", allow_private=True) == "http://localhost:8000/"


def test_credentials_are_refused_even_where_private_addresses_are_allowed():
    with pytest.raises(UnsupportedUrl) as caught:
        checked_url("http://me:secret@news.example/", allow_private=True)
    assert "secret" not in repr(caught.value)


@given(st.text(max_size=60))
def test_no_text_raises_anything_but_our_own_errors(text):
    for url in (text, f"http://{text}", f"http://[{text}]/"):
        with contextlib.suppress(FetchError):
            assert checked_url(url).startswith(("http://", "https://"))


@pytest.mark.parametrize(
    "location,target",
    [
        ("/there", "https://news.example/there"),
        ("there", "https://news.example/a/there"),
        ("?page=2", "https://news.example/a/b?page=2"),
        ("//www.news.example/", "https://www.news.example/"),
        (" https://www.news.example/ ", "https://www.news.example/"),
        ("https:/there", "https://news.example/there"),
        ("/caf\xc3\xa9", "https://news.example/caf%C3%A9"),
        ("/caf\xe9", "https://news.example/caf%C3%A9"),
        ("/\u65e5", "https://news.example/%E6%97%A5"),
        ("\\\\www.news.example\\x", "https://www.news.example/x"),
        ("../../../x", "https://news.example/x"),
        ("#top", "https://news.example/a/b"),
    ],
)
def test_location_is_read_as_browsers_read_it(location, target):
    assert redirect_target("https://news.example/a/b", location) == target


@pytest.mark.parametrize("location", ["http://127.1/", "//[::1]/", "http://localhost/", "https://10.0.0.1/"])
def test_location_that_leads_to_a_special_host_is_blocked(location):
    with pytest.raises(BlockedAddress):
        redirect_target("https://news.example/", location)


@pytest.mark.parametrize("location", ["mailto:a@b", "http://[", "https://a:b@news.example/", "http://news.example:81/"])
def test_location_that_is_never_followed_is_unsupported(location):
    with pytest.raises(UnsupportedUrl):
        redirect_target("https://news.example/", location)
