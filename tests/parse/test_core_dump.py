"""Core dumps are named for the reader by their notes, and their memory is left alone."""

from __future__ import annotations

import resource
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from runtriage.model.artifact import Artifact
from runtriage.parse import recognise
from tests.parse.documents import Bytes, parsed


def note(kind: int, body: bytes) -> bytes:
    return struct.pack("<III", 5, len(body), kind) + b"CORE\0\0\0\0" + body + bytes(-len(body) % 4)


def core(ended: int = 11, program: bytes = b"python3") -> bytes:
    notes = note(1, struct.pack("<i", ended).ljust(112, b"\0")) + note(3, bytes(40) + program.ljust(96, b"\0"))
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0
    )
    segment = struct.pack("<IIQQQQQQ", 4, 0, 120, 0, 0, len(notes), 0, 4)
    return header + segment + notes


def said(content: bytes) -> str:
    return parsed("core.4711", "core", content).left_out or ""


def test_program_and_signal_are_told() -> None:
    assert said(core()) == "a core dump of python3, ended by SIGSEGV; a debugger reads it"


@pytest.mark.parametrize("cut", [1, 40, 64, 100, 130, 200])
def test_a_cut_dump_is_still_a_dump(cut: int) -> None:
    assert said(core()[:cut]).startswith("a core dump")


def test_control_characters_of_a_name_are_dropped() -> None:
    assert "a core dump of x;" not in said(core(program=b"\x1b[2Jx"))
    assert "\x1b" not in said(core(program=b"\x1b[2Jx"))


def test_memory_is_not_read() -> None:
    content = core() + bytes(5_000_000)
    stream = Bytes(content)
    artifact = Artifact(path="core", kind="core", size=len(content))
    parser = recognise(artifact, content[:64])
    assert parser is not None
    parser.read(artifact, stream)
    assert stream.taken < 10_000


def test_a_dump_the_kernel_wrote_is_read(tmp_path: Path) -> None:
    pattern = Path("/proc/sys/kernel/core_pattern")
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if not pattern.exists() or pattern.read_text().strip() != "core" or limit == 0:
        pytest.skip("this kernel writes its core dumps elsewhere")
    allow = f"resource.setrlimit(resource.RLIMIT_CORE, ({2**26}, {limit}))"
    program = f"import ctypes, resource; {allow}; ctypes.string_at(0)"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False, capture_output=True)
    (dump,) = tmp_path.glob("core*")
    assert "SIGSEGV" in said(dump.read_bytes())
