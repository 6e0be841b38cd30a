from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runtriage.scan.ansi import CODES, clean

PARTS = st.lists(
    st.sampled_from([b"\x1b[31m", b"\x1b[0m", b"\x1b[2K", b"\x1b]0;title\x07", b"\x1b(B", b"ab", b"\n", b"c"])
)


@given(PARTS.map(b"".join))
def test_places_in_the_text_lead_back_to_the_bytes(data: bytes):
    text = clean(bytearray(data), len(data))
    assert bytes(text.data) == CODES.sub(b"", data)
    for at, byte in enumerate(bytes(text.data)):
        end = text.end(at + 1)
        assert byte in data[text.start(at) : end]
        assert text.at(text.start(at)) <= at


@given(PARTS.map(b"".join), st.integers(0, 80))
def test_a_place_in_the_bytes_leads_to_the_text_behind_it(data: bytes, raw: int):
    raw = min(raw, len(data))
    text = clean(bytearray(data), len(data))
    at = text.at(raw)
    assert len(CODES.sub(b"", data[:raw])) >= at or b"\x1b" in data[:raw]
    assert 0 <= at <= len(text.data)


def test_codes_never_swallow_a_line_break():
    data = b"\x1b]0;unfinished\nnext\x07\x1b["
    assert bytes(clean(bytearray(data), len(data)).data).count(b"\n") == 1
