from __future__ import annotations

import pytest

from runtriage.scan import compile_rules
from runtriage.scan.dialects.cues import CUES
from runtriage.scan.find import Span
from runtriage.scan.find_hyperscan import Hyperscan
from tests.scan.reading import PATTERNS, catalogue

FEW = CUES[:4]
"""Cues that are compiled soon; all of them take seconds."""
DATA = b"No space left on device: '/a/b'\n"


class Memory:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load(self, name: str) -> bytes | None:
        return self.kept.get(name)

    def save(self, name: str, content: bytes) -> None:
        self.kept[name] = content


def hits(rules: object) -> list[tuple[int, int]]:
    return rules.finder().find(DATA, Span(0, 0, len(DATA)))  # pyright: ignore


def test_compiled_rules_are_kept_and_loaded_again(monkeypatch: pytest.MonkeyPatch):
    cache = Memory()
    first = compile_rules(catalogue(), cache)
    monkeypatch.setattr(Hyperscan, "compile", lambda *_: pytest.fail("compiled again"))
    again = compile_rules(catalogue(), cache)
    assert len(cache.kept) == 1
    assert hits(again) == hits(first)


def test_other_patterns_have_another_place_in_the_cache():
    cache = Memory()
    compile_rules(catalogue(), cache, FEW)
    compile_rules(catalogue({**PATTERNS, "more": "something else entirely"}), cache, FEW)
    assert len(cache.kept) == 2


@pytest.mark.parametrize("damage", [b"", b"not a database", None])
def test_a_damaged_cache_is_compiled_anew(damage: bytes | None):
    cache = Memory()
    first = compile_rules(catalogue(), cache, FEW)
    ((name, good),) = cache.kept.items()
    cache.kept[name] = good[:100] + b"\0" + good[101:] if damage is None else damage
    assert hits(compile_rules(catalogue(), cache, FEW)) == hits(first)
    assert cache.kept[name] == good


def test_a_pattern_the_engine_refuses_is_named_and_left_out():
    rules = compile_rules(catalogue({**PATTERNS, "bad": r"look(?=ahead) here"}), Memory(), FEW)
    assert [line.partition(":")[0] for line in rules.broken] == ["bad#p"]
    assert len(rules.rules) == len(compile_rules(catalogue(), None, FEW).rules)


def test_no_pattern_at_all_finds_nothing():
    assert hits(compile_rules(catalogue({}), None, cues=())) == []
