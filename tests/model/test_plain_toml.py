"""The program's own tables are read the same in both ways; what is written otherwise is refused, not misread."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import runtriage
from runtriage.model.plain_toml import plain_tables

_ROOT = Path(runtriage.__file__).parent


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("judge/explains.toml", "edge"),
        ("detect/states.toml", "state"),
        ("detect/states_platforms.toml", "state"),
        ("detect/states_process.toml", "state"),
    ],
)
def test_tables_of_the_program_say_what_toml_says(name: str, heading: str) -> None:
    text = (_ROOT / name).read_text(encoding="utf-8")
    assert plain_tables(text, heading) == tomllib.loads(text)[heading]


@pytest.mark.parametrize(
    "text", ["cause = 1\n", "[[edge]]\ncause=1\n", "[[edge]]\ncause = 'a'\n", "[[edge]]\na = [\n1]\n"]
)
def test_other_ways_to_write_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        plain_tables(text, "edge")
