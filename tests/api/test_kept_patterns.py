"""Of the patterns of a diagnosis only the program's own are written to disk: those made of a run's text end with the process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.msgpack import decode

from runtriage.api.diagnosis import diagnose
from runtriage.model import programs
from tests.model.keeping import Store

OF_THE_RUN = ("quixnode", "zorb", "frobuser", "glimmer")
HOSTED = "".join(
    f"{host}: 10:{step // 60:02d}:{step % 60:02d} zorbtrainer INFO step {step} | zorbloss {2 / step:.4f} | zorbphase glimmer\n"
    for step in range(1, 400)
    for host in ("quixnode-07", "quixnode-08")
)
END = """quixnode-07: Traceback (most recent call last):
quixnode-07:   File "/home/frobuser/zorb/train.py", line 14, in zorbmain
quixnode-07:     zorbstep(batch)
quixnode-07: ZorbError: quixnode-07 lost glimmerdata
"""
PLAIN = "".join(f"step={step} zorbloss={2 / step:.4f} zorbrate=0.1 glimmer\n" for step in range(1, 3000))


def _told(patterns: list[str]) -> set[str]:
    return {word for pattern in patterns for word in OF_THE_RUN if word in pattern.lower()}


def test_no_word_of_a_run_is_in_a_pattern_that_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zorbnodes.log").write_text(HOSTED + END, encoding="utf-8")
    (tmp_path / "zorbplain.log").write_text(PLAIN, encoding="utf-8")
    compiled: list[str] = []
    compile_ = re.compile

    def spied(pattern: str | bytes, flags: int = 0) -> re.Pattern[Any]:
        compiled.append(pattern if isinstance(pattern, str) else pattern.decode("latin-1"))
        return compile_(pattern, flags)

    monkeypatch.setattr(re, "compile", spied)
    monkeypatch.setattr(programs, "_WORTH", 0)
    store = Store()

    diagnose(str(tmp_path), cache=store)

    (kept,) = (decode(content) for name, content in store.entries.items() if name.startswith("patterns-"))
    assert len(kept) > 100
    assert _told(list(kept)) == set()
    assert _told(compiled) >= {"quixnode", "zorb", "glimmer"}, "patterns of the run's text were made, too"
