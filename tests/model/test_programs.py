"""Patterns that were compiled by an earlier run are the patterns of this one."""

from __future__ import annotations

import re

import pytest
from msgspec.msgpack import decode, encode

from runtriage.model import programs
from runtriage.model.programs import Programs
from tests.model.keeping import Store

PATTERNS: tuple[tuple[str, int], ...] = (
    (r"(?P<word>[a-z]+)-(?P<number>\d{1,3})", re.IGNORECASE),
    (r"^\s*at (?P<file>[^:\n]+):(\d+)$", re.MULTILINE),
    (r"(?<![\w.])(?:nan|inf)(?!\w)", re.IGNORECASE),
    (r"\N{GREEK SMALL LETTER MU}s|[\u2581-\u2588]{2,}|\bé+\b", 0),
    (r"(?>a+)b|(?s:x.y)", 0),
    (r"(a)?(?(1)b|c)", 0),
    (r"[^\x00-\x1f]{0,40}?;", re.ASCII),
    (r" # nothing but a comment", re.VERBOSE),
)
TEXT = "Rank-3 lost\n  at /tmp/model.py:14\nloss NaN, 4 μs ▂▃▄ éé aaab x\ny ab c; node-12"


def _found(pattern: re.Pattern[str], text: str = TEXT) -> list[tuple[tuple[int, int], dict[str, str | None]]]:
    return [(found.span(), found.groupdict()) for found in pattern.finditer(text)]


def _kept() -> Store:
    store, first = Store(), Programs()
    for pattern, flags in PATTERNS:
        first.compiled(pattern, flags)
    first.keep(store)
    return store


def test_a_pattern_that_an_earlier_run_kept_finds_what_a_compiled_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    store, later = _kept(), Programs()
    later.recall(store)
    monkeypatch.setattr(programs, "_made", lambda *_: pytest.fail("it was compiled once more"))

    for pattern, flags in PATTERNS:
        known, now = later.compiled(pattern, flags), re.compile(pattern, flags)
        assert _found(known) == _found(now)
        assert (known.pattern, known.flags, known.groups) == (now.pattern, now.flags, now.groups)
        assert dict(known.groupindex) == dict(now.groupindex)


def test_what_was_compiled_before_anything_was_recalled_is_no_reason_to_forget_the_rest() -> None:
    store, later = _kept(), Programs()
    later.compiled("early")
    later.recall(store)
    before = dict(store.entries)
    for pattern, flags in PATTERNS:
        assert _found(later.compiled(pattern, flags)) == _found(re.compile(pattern, flags))
    later.keep(store)

    assert store.entries == before


def test_bytes_and_text_that_read_alike_are_different_patterns() -> None:
    store, first, later = Store(), Programs(), Programs()
    for number in range(8):
        first.compiled(rf"\w{{{number}}}é")
        first.compiled(rf"\w{{{number}}}é".encode("latin-1"))
    first.keep(store)
    later.recall(store)

    assert later.compiled(r"\w{2}é").fullmatch("ééé") is not None
    assert later.compiled(r"\w{2}é".encode("latin-1")).fullmatch("ééé".encode("latin-1")) is None


@pytest.mark.parametrize("content", [b"", b"\x00", b"no program", encode({"a": 1})])
def test_an_entry_that_makes_no_sense_is_forgotten(content: bytes) -> None:
    store, later = _kept(), Programs()
    store.entries = dict.fromkeys(store.entries, content)
    later.recall(store)

    assert _found(later.compiled(*PATTERNS[0])) == _found(re.compile(*PATTERNS[0]))


@pytest.mark.parametrize("code", [b"", b"abc", b"\xff" * 64])
def test_a_program_the_engine_refuses_is_compiled_again(code: bytes) -> None:
    store, later = _kept(), Programs()
    for name, content in store.entries.items():
        damaged = {key: [*program[:3], code] for key, program in decode(content).items()}
        store.entries[name] = encode(damaged)
    later.recall(store)

    for pattern, flags in PATTERNS:
        assert _found(later.compiled(pattern, flags)) == _found(re.compile(pattern, flags))


def test_few_new_programs_are_not_worth_writing_down() -> None:
    store, first = Store(), Programs()
    for pattern, flags in PATTERNS[:7]:
        first.compiled(pattern, flags)
    first.keep(store)

    assert store.entries == {}


def test_where_too_many_were_kept_only_those_of_the_last_run_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    store, later = _kept(), Programs()
    monkeypatch.setattr(programs, "_MOST", 10)
    later.recall(store)
    for number in range(9):
        later.compiled(f"new {number}")
    later.keep(store)

    (content,) = store.entries.values()
    assert sorted(decode(content)) == [f"0snew {number}" for number in range(9)]


def test_an_interpreter_without_the_known_parts_compiles_as_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_engine", None)
    store, first = Store(), Programs()
    for pattern, flags in PATTERNS:
        assert _found(first.compiled(pattern, flags)) == _found(re.compile(pattern, flags))
    first.keep(store)

    assert store.entries == {}


def test_a_pattern_that_is_none_is_told_as_always() -> None:
    with pytest.raises(re.error):
        Programs().compiled("(")


def test_what_was_found_out_about_a_pattern_is_kept_and_not_looked_for_again() -> None:
    store, first, later = Store(), Programs(), Programs()
    made: list[str] = []

    def lengths(pattern: str) -> list[tuple[str, int]]:
        made.append(pattern)
        return [(part, len(part)) for part in pattern.split("|")]

    patterns = ["|".join(["ab", "c" * each]) for each in range(1, 9)]
    told = [first.derived("lengths", each, lengths, list[tuple[str, int]]) for each in patterns]
    first.keep(store)
    later.recall(store)

    assert [later.derived("lengths", each, lengths, list[tuple[str, int]]) for each in patterns] == told
    assert made == patterns
    assert later.derived("shapes", patterns[0], str.upper, str) == "AB|C"
    assert later.derived("lengths", patterns[0], str.upper, str) == "AB|C"
