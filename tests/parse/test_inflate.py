from __future__ import annotations

import gzip
import random
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.parse.inflate import MAX_MEMBERS, STEP, Inflater, inflate

TEXT = b" ".join(b"%d" % (number * 7_919) for number in range(20_000))
ZIPPED = gzip.compress(TEXT)


def run(data: bytes, size: int = 1_000, **options) -> tuple[bytes, Inflater]:
    inflater = Inflater(**({"max_output": 10**9} | options))
    out = [piece for at in range(0, len(data), size) for piece in inflater.feed(data[at : at + size])]
    out += inflater.finish()
    assert all(0 < len(piece) <= STEP for piece in out)
    return b"".join(out), inflater


@pytest.mark.parametrize("size", [1, 7, 10**6])
@pytest.mark.parametrize(
    "data, expected, layers",
    [
        pytest.param(TEXT[:5_000], TEXT[:5_000], 0, id="plain"),
        pytest.param(b"", b"", 0, id="empty"),
        pytest.param(b"\x1f", b"\x1f", 0, id="half a magic number"),
        pytest.param(gzip.compress(TEXT[:5_000]), TEXT[:5_000], 1, id="one member"),
        pytest.param(gzip.compress(b"ab") + gzip.compress(b"cd"), b"abcd", 1, id="two members"),
        pytest.param(gzip.compress(b"ab") + bytes(99) + gzip.compress(b"cd"), b"abcd", 1, id="zeros between members"),
        pytest.param(gzip.compress(b"ab") + b"junk" + gzip.compress(b"cd"), b"ab", 1, id="junk after a member"),
        pytest.param(gzip.compress(gzip.compress(b"ab")), b"ab", 2, id="two layers"),
    ],
)
def test_what_a_stream_holds_comes_out(data, expected, layers, size):
    out, inflater = run(data, size)
    assert (out, inflater.layers) == (expected, layers)
    assert not (inflater.truncated)
    assert not (inflater.capped)
    assert not (inflater.corrupt)


def test_a_third_layer_is_passed_on_as_it_is():
    inner = gzip.compress(b"ab")
    assert run(gzip.compress(gzip.compress(inner)))[0] == inner


def test_no_layer_is_taken_off_where_none_may_be():
    assert run(ZIPPED, max_layers=0)[0] == ZIPPED


@given(st.integers(20, len(ZIPPED) - 1), st.integers(100, 5_000))
def test_a_cut_stream_gives_a_beginning_and_says_so(cut, size):
    out, inflater = run(ZIPPED[:cut], size)
    assert TEXT.startswith(out)
    assert inflater.truncated
    # Deflate holds back one block of symbols at most.
    assert len(out) >= len(TEXT) * (cut - 3_000) / len(ZIPPED) - STEP


def test_a_broken_checksum_costs_nothing():
    out, inflater = run(ZIPPED[:-8] + bytes(8))
    assert out == TEXT
    assert inflater.corrupt


def test_what_comes_before_a_broken_block_is_given():
    stored = gzip.compress(random.Random(1).randbytes(200_000), compresslevel=0)
    # A stored block is a byte, its length, the length's complement, and the bytes (RFC 1951, 3.2.4); the second's
    # length and complement do not agree any more.
    length = int.from_bytes(stored[11:13], "little")
    broken = bytearray(stored)
    broken[10 + 5 + length + 1] ^= 0xFF
    out, inflater = run(bytes(broken))
    assert out == gzip.decompress(stored)[:length]
    assert inflater.corrupt
    assert not inflater.truncated


@pytest.mark.parametrize("data", [TEXT, ZIPPED, gzip.compress(ZIPPED)])
def test_the_cap_holds_and_is_flagged(data):
    out, inflater = run(data, max_output=1_234)
    assert len(out) <= 1_234
    assert inflater.capped


def test_output_of_exactly_the_cap_is_not_flagged():
    out, inflater = run(ZIPPED, max_output=len(TEXT))
    assert out == TEXT
    assert not inflater.capped


def test_members_are_read_up_to_a_number():
    data = gzip.compress(b"x") * (MAX_MEMBERS + 1)
    out, inflater = run(data, 65_536)
    assert out == b"x" * MAX_MEMBERS
    assert inflater.corrupt
    assert not run(data[: -len(gzip.compress(b"x"))], 65_536)[1].corrupt


def test_a_bomb_of_empty_members_costs_little_time():
    bomb = gzip.compress(gzip.compress(b"") * 400_000)
    start = time.process_time()
    assert b"".join(inflate([bomb], max_output=10**9)) == b""
    assert time.process_time() - start < 1


def test_a_bomb_costs_no_memory():
    bomb = gzip.compress(bytes(30_000_000))
    tracemalloc.start()
    try:
        size = sum(map(len, inflate([bomb], max_output=20_000_000)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size == 20_000_000
    assert peak < 1_000_000
