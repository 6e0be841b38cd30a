"""A log is read in pieces: what NCCL says is found and cited wherever it stands, with and without the engine that looks for its words."""

from __future__ import annotations

import pytest

from runtriage.parse import literals
from tests.detect.nccl_lines import call, init, ready
from tests.parse.documents import parsed

_NOISE = "".join(f"step {number} loss 2.5, Using the cache, COMPLETE\n" for number in range(8000))


def _nothing(name: str) -> None:
    """Stand for a package that is not installed."""


@pytest.fixture(params=["hyperscan", "without"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without":
        monkeypatch.setattr(literals, "find_spec", _nothing)


@pytest.mark.usefixtures("engine")
def test_words_far_apart_are_read_and_cited_by_line_and_bytes() -> None:
    text = ready(2) + _NOISE + call(1, 7, 2) + _NOISE + "gpu0:1:2 [0] NCCL INFO Using network IB\n" + _NOISE
    events = parsed("nccl.log", "log", text.encode()).events
    seats = {event.numbers["rank"]: event for event in events if event.name == "nccl/seat"}
    assert {event.name for event in events} >= {"nccl/seat", "nccl/network"}
    assert seats[1].numbers["called"] == 7
    for event in events:
        place, start = event.citation, event.citation.byte_start or 0
        assert place.first_line == text[:start].count("\n") + 1
        assert start == 0 or text[start - 1] == "\n"


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("text", ["", "\n", _NOISE, init(0, 2).rstrip("\n"), "x" * 700_000])
def test_text_without_a_finished_set_up_is_read_to_its_end(text: str) -> None:
    assert parsed("nccl.log", "log", ("NCCL INFO \n" + text).encode()).bytes_read == len(text) + 11


def test_both_ways_to_look_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = "".join(call(rank, number, 4) for number in range(5) for rank in range(4))
    text = (ready(4) + _NOISE + calls + _NOISE).encode()
    told = parsed("nccl.log", "log", text).events
    monkeypatch.setattr(literals, "find_spec", _nothing)
    assert told
    assert parsed("nccl.log", "log", text).events == told
