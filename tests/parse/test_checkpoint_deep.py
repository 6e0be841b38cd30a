"""What a checkpoint holds is told from its bytes: files that torch wrote, and what nobody may execute."""

import pickle
import struct
from pathlib import Path

import pytest

from runtriage.parse.checkpoint_deep import look_deep
from runtriage.parse.checkpoint_pickle import tell
from runtriage.parse.checkpoint_zip import data_offset, entries
from runtriage.targets.fetched import Kept
from tests.parse.documents import parsed, safetensors

SAVED = Path(__file__).parent / "saved"


def told(name: str):
    content = (SAVED / name).read_bytes()
    stream = Kept(content)
    (entry,) = [entry for entry in entries(stream, len(content)) if entry.name.endswith("/data.pkl")]
    start = data_offset(stream, entry)
    assert start is not None
    return tell(content[start : start + entry.size])


def test_the_parts_of_a_state_are_told_by_their_names() -> None:
    full, weights = told("step_100.pt"), told("step_200.pt")
    assert (full.optimizer, full.rng, full.whole) == (True, True, True)
    assert (weights.optimizer, weights.rng, weights.whole) == (False, False, True)
    assert weights.storages == {"0": ("FloatStorage", 32), "1": ("FloatStorage", 4)}
    assert told("bf16.pt").storages == {"0": ("BFloat16Storage", 32), "1": ("BFloat16Storage", 4)}


def test_a_file_of_torch_says_whether_it_holds_an_optimizer() -> None:
    pieces = [
        parsed(name, "checkpoint", (SAVED / name).read_bytes()).pieces[0] for name in ("step_100.pt", "step_200.pt")
    ]
    assert [(piece.optimizer, piece.rng) for piece in pieces] == [(True, True), (False, False)]


@pytest.mark.parametrize("name", ["step_200.pt", "bf16.pt"])
def test_weights_that_are_no_numbers_are_counted(name: str) -> None:
    content = (SAVED / name).read_bytes()
    weights = look_deep(Kept(content), "torch", len(content))
    assert weights is not None
    assert (weights.tensors, weights.numbers, weights.spoilt) == (2, 36, (("data/0", 2),))


def test_weights_that_are_numbers_are_clean() -> None:
    content = (SAVED / "step_100.pt").read_bytes()
    weights = look_deep(Kept(content), "torch", len(content))
    assert weights is not None
    assert weights.spoilt == ()
    assert weights.numbers > 100


def test_a_safetensors_file_is_looked_into() -> None:
    content = bytearray(safetensors(400))
    assert look_deep(Kept(bytes(content)), "safetensors", len(content)).spoilt == ()
    content[-4:] = struct.pack("<f", float("nan"))
    assert look_deep(Kept(bytes(content)), "safetensors", len(content)).spoilt == (("w", 1),)


def test_an_older_file_whose_tensors_cannot_be_found_is_not_judged() -> None:
    content = (SAVED / "legacy.pt").read_bytes()
    assert look_deep(Kept(content), "pickle", len(content)) is None


class _Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return (exec, ("raise SystemExit('executed')",))


@pytest.mark.parametrize("protocol", range(6))
def test_a_hostile_pickle_is_read_and_nothing_in_it_is_called(protocol: int) -> None:
    assert tell(pickle.dumps({"optimizer": _Evil()}, protocol)).optimizer


@pytest.mark.parametrize(
    "content", [b"", b"\x80\x02", b"\x80\x02h\xff.", b"\x80\x02t.", b"(" * 1000 + b"t.", b"\xff" * 50]
)
def test_a_damaged_pickle_ends_early(content: bytes) -> None:
    assert tell(content).storages == {}
