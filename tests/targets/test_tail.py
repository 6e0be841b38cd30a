from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.targets import tail as tail_module
from runtriage.targets.spool import _Memory
from runtriage.targets.tail import Tail, tail_of_file, tail_of_stream


def _expected(content: bytes, lines: int) -> Tail:
    whole = content.split(b"\n")
    if whole[-1] == b"":
        whole.pop()
    first = max(len(whole) - lines, 0)
    return Tail(sum(len(line) + 1 for line in whole[:first]), first + 1)


CONTENTS = [
    b"",
    b"one",
    b"one\n",
    b"one\ntwo",
    b"one\ntwo\n",
    b"\n\n\n",
    b"a\n" * 10,
    b"long" * 50 + b"\nx\n",
    b"x\n\n",
]


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("lines", [1, 2, 3, 500])
@pytest.mark.parametrize("chunk", [1, 3, 1 << 20])
def test_file_and_stream_agree_with_the_plain_way(
    tmp_path: Path, monkeypatch, content: bytes, lines: int, chunk: int
) -> None:
    monkeypatch.setattr(tail_module, "_CHUNK", chunk)
    path = tmp_path / "x.log"
    path.write_bytes(content)
    assert tail_of_file(path, lines) == _expected(content, lines)
    assert tail_of_stream(_Memory(content), lines) == _expected(content, lines)


@given(st.lists(st.sampled_from([b"a", b"\n", b"bc\n"]), max_size=30).map(b"".join), st.integers(1, 8))
def test_streams_of_any_shape(content: bytes, lines: int) -> None:
    assert tail_of_stream(_Memory(content), lines) == _expected(content, lines)


def test_lines_before_a_far_tail_are_not_counted(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tail_module, "COUNTED", 3)
    path = tmp_path / "x.log"
    path.write_bytes(b"one\ntwo\nthree\n")
    assert tail_of_file(path, 1) == Tail(8, None)
