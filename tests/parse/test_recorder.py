"""Dumps are read without opening pickles; what would run code is refused; what was cut gives what is whole."""

from __future__ import annotations

import contextlib
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from runtriage.api.diagnosis import diagnose
from runtriage.parse import Parsed
from runtriage.parse.recorder_pickle import CutError, RefusedError, load
from tests.parse.documents import parsed
from tests.parse.dumps import dump, pickled

REAL = Path(__file__).parent / "recorder"
DUMP = dump({"0": [0, 1]}, [("0", 1, "all_reduce", "completed", [4]), ("0", 2, "barrier", "started", [1])])
PLAIN = some.recursive(
    some.none()
    | some.booleans()
    | some.integers(-(2**60), 2**60)
    | some.text(max_size=8)
    | some.floats(allow_nan=False),
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.dictionaries(some.text(max_size=4), inner, max_size=4)
        | some.tuples(inner, inner)
    ),
)


def read(content: bytes, name: str = "nccl_trace_rank_5") -> Parsed:
    return parsed(name, "recorder", content)


def numbers(got: Parsed) -> list[tuple[int | None, float, float]]:
    return [(event.subject.rank, event.numbers["enqueued"], event.numbers["completed"]) for event in got.events]


@given(PLAIN, some.sampled_from([2, 3, 4, 5]))
def test_plain_values_read_as_python_reads_them(value: object, protocol: int) -> None:
    assert load(pickle.dumps(value, protocol)) == value


def test_a_pickle_and_json_say_the_same_of_a_rank() -> None:
    assert numbers(read(pickled(DUMP))) == [(5, 2, 1)]
    assert numbers(read(json.dumps(DUMP).encode(), "trace_5.json")) == [(5, 2, 1)]


class _Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("executed",))


@pytest.mark.parametrize("value", [_Runs(), {"entries": [_Runs()]}, {1, 2}, Path("x"), b"bytes".decode, int])
def test_whatever_needs_code_is_refused(value: object, capsys: pytest.CaptureFixture[str]) -> None:
    for protocol in (0, 1, 2, 3, 4, 5):
        try:
            content = pickle.dumps(value, protocol)
        except (TypeError, AttributeError):
            continue
        with pytest.raises((RefusedError, CutError)):
            load(content)
    assert capsys.readouterr().out == ""


def test_a_hostile_pickle_is_left_out_by_name() -> None:
    got = read(pickle.dumps({"pg_config": _Runs()}, 2))
    assert got.events == []
    assert "it was not opened" in (got.left_out or "")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "an empty file, no dump was written"),
        (pickled(DUMP)[:30], "a flight-recorder dump: it ends in the middle"),
        (json.dumps(DUMP).encode()[:80], "a flight-recorder dump that ends in the middle"),
        (b'{"entries": [' * 9000, "a flight-recorder dump that ends in the middle"),
        (pickled({"version": "2.4", "pg_config": {}, "entries": []}), "a flight-recorder dump: it holds no collective"),
        (pickled({"version": "4.0", "calls": []}), "a flight-recorder dump: its format 4.0 is newer than this reader"),
    ],
)
def test_a_dump_of_which_nothing_can_be_told_says_why(content: bytes, says: str) -> None:
    assert read(content).left_out == says


def test_the_type_tags_of_pytorch_are_passed_over() -> None:
    tagged = b"\x80\x02ctorch.jit._pickle\nrestore_type_tag\n}(X\x01\x00\x00\x00aK\x07uX\x04\x00\x00\x00Dict\x86R."
    assert load(tagged) == {"a": 7}
    with pytest.raises(RefusedError):
        load(tagged.replace(b"restore_type_tag", b"_rebuild_tensor"))


def test_a_dump_cut_anywhere_never_raises_and_keeps_whole_entries() -> None:
    content = pickled(DUMP)
    for end in range(1, len(content), 11):
        got = read(content[:end])
        assert got.left_out or got.cut
    assert numbers(read(content[:-3]))[0][1] == 2


@given(some.binary(max_size=200))
def test_any_bytes_end_in_a_value_or_a_refusal(content: bytes) -> None:
    with contextlib.suppress(RefusedError, CutError):
        load(b"\x80\x02" + content)


def test_what_a_newer_pytorch_adds_is_passed_over_and_said_to_be_newer() -> None:
    newer = {
        **DUMP,
        "version": "9.0",
        "novelty": {"x": [1]},
        "entries": [{**one, "extra": 1} for one in DUMP["entries"]],
    }
    got = read(pickled(newer))
    assert numbers(got) == [(5, 2, 1)]
    assert got.cut == "its format 9.0 is newer than this reader"


@pytest.mark.parametrize(
    ("fault", "mode", "rank"),
    [
        ("absent", "nccl/desync-report", 2),
        ("subgroup", "nccl/desync-report", 3),
        ("mismatch", "nccl/collective-mismatch", 1),
        ("skip", "nccl/rank-divergent-control-flow", 1),
    ],
)
def test_dumps_of_real_gloo_runs_name_the_rank_at_fault(fault: str, mode: str, rank: int) -> None:
    report = diagnose(str(REAL / fault))
    assert (report.run_status, report.failure_mode) == ("hung", mode)
    assert report.culprit is not None and report.culprit.rank == rank
