"""A folder of signatures that a test may bend."""

from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest

from runtriage.signatures import sources

GOOD = """
schema = 1
id = "oom/gpu-alloc.toaster"
title = "The toaster is full"
mode = "oom/gpu-alloc"
role = "cause"
maturity = "incubating"
explain = "Too much bread."
references = ["https://example.org/toaster"]
checked = "toaster 1.0"
false_positives = ["A test of the toaster"]
fixes = ["less-bread", "second-toaster"]

[[match]]
name = "full"
pattern = \'\'\'toaster (?P<slot>\\d+) is full of bread\'\'\'

[[example]]
expect = "full"
source = "toaster 1.0"
captures = { slot = "3" }
text = "E 12:00 toaster 3 is full of bread"

[[example]]
expect = "none"
source = "made"
why = "an empty toaster"
text = "toaster 3 is free of bread"
"""

FIXES = """
[[fix]]
id = "less-bread"
action = "Toast {count} slices"
plain = "Toast fewer slices"
risk = "needs-approval"
expected_impact = "fits"
impact = 0.5
minutes = 5
reversible = true
validate = "it pops"
proceeds = true

[[fix]]
id = "second-toaster"
action = "Buy another toaster"
risk = "needs-approval"
expected_impact = "twice the room"
impact = 0.9
minutes = 60
reversible = false
validate = "both pop"
proceeds = true
"""


@pytest.fixture
def few_packaged(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a small part of the packaged files stand for all of them."""
    part = tmp_path_factory.mktemp("packaged")
    for name in (
        "oom/gpu-alloc.toml",
        "nan-inf/multinomial.toml",
        "fixes/memory.toml",
        "fixes/numbers.toml",
        "fixes/general.toml",
    ):
        (part / name).parent.mkdir(exist_ok=True)
        copy(sources.PACKAGED / name, part / name)
    monkeypatch.setattr(sources, "PACKAGED", part)


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Write the good signature with some of its text replaced."""

    def write(old: str = "", new: str = "", *, name: str = "oom/toaster.toml", fixes: str = FIXES) -> Path:
        assert old in GOOD
        for path, content in ((name, GOOD.replace(old, new, 1) if old else GOOD), ("fixes/kitchen.toml", fixes)):
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        return tmp_path

    return write
