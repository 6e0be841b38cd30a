"""What the engine of regular expressions makes of the program's own patterns, kept from run to run: making it takes fifty times as long as loading it.

The engine offers no public way to keep it. Where its inner parts are not what they are known to be, and of anything that is damaged,
patterns are compiled as always.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, AnyStr, Final, TypeVar

from msgspec import MsgspecError, Raw, Struct
from msgspec.msgpack import decode, encode

from runtriage.model.target import Cache

_FORMAT: Final = 2
_MOST: Final = 4096
"""Programs that are kept; beyond it only those of the last run stay."""
_WORTH: Final = 8
"""New ones below which writing them down takes longer than compiling them again."""


Kept = TypeVar("Kept")


class Program(Struct, frozen=True, array_like=True):
    """What `_sre.compile` takes: all flags, the number of groups, their names, and the code as machine words."""

    flags: int
    groups: int
    names: dict[str, int]
    code: bytes


class Programs:
    """The programs known to this process, what else was found out about patterns, and which of it this process made or used."""

    def __init__(self) -> None:
        self._known: dict[str, Raw] = {}
        self._used: set[str] = set()
        self._new = 0
        self._recalled = False

    def compiled(self, pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """As `re.compile`. Only for patterns of the program's own: they are written to disk, and text of a run never is."""
        if _engine is None:
            return re.compile(pattern, flags)
        flags = int(flags)
        key = f"{flags}b{pattern.decode('latin-1')}" if isinstance(pattern, bytes) else f"{flags}s{pattern}"
        known = self._known.get(key)
        if known is not None:
            try:
                found = _loaded(pattern, decode(known, type=Program))
            except (RuntimeError, ValueError, TypeError, OverflowError, LookupError, MsgspecError):
                self._known.clear()
            else:
                self._used.add(key)
                return found
        made = _made(pattern, flags)
        self._note(key, encode(made))
        return _loaded(pattern, made)

    def derived(self, what: str, pattern: str, make: Callable[[str], Kept], form: type[Kept]) -> Kept:
        """Return what `make` finds out about a pattern of the program's own, and keep it under a name for that; it must come to the same again."""
        key = f"{what}:{pattern}"
        known = self._known.get(key)
        if known is not None:
            with suppress(MsgspecError):
                found = decode(known, type=form)
                self._used.add(key)
                return found
        made = make(pattern)
        self._note(key, encode(made))
        return made

    def _note(self, key: str, content: bytes) -> None:
        self._known[key] = Raw(content)
        self._used.add(key)
        self._new += 1

    def recall(self, cache: Cache) -> None:
        """Load what earlier runs kept, once."""
        if self._recalled or (stored := cache.load(_name())) is None:
            return
        self._recalled = True
        with suppress(MsgspecError):
            self._known = decode(stored, type=dict[str, Raw]) | self._known

    def keep(self, cache: Cache) -> None:
        """Store what is known where enough of it is new."""
        if self._new < _WORTH:
            return
        self._new = 0
        if len(self._known) > _MOST:
            self._known = {key: content for key, content in self._known.items() if key in self._used}
        cache.save(_name(), encode(self._known))


def _parts() -> Mapping[str, Any] | None:
    """Return the inner parts of the engine, or None where one is missing."""
    if sys.implementation.name != "cpython":
        return None
    try:
        inner, parser, compiler = (import_module(name) for name in ("_sre", "re._parser", "re._compiler"))
        return {
            "make": inner.compile,
            "parse": parser.parse,
            "code": compiler._code,
            "width": inner.CODESIZE,
            "version": inner.MAGIC,
        }
    except (ImportError, AttributeError):
        return None


_engine: Final = _parts()
_WORD: Final = "I"


def _name() -> str:
    """Return the name of the entry: it is of use to this very build of the interpreter alone."""
    width, version = (_engine["width"], _engine["version"]) if _engine is not None else (0, 0)
    return f"patterns-{_FORMAT}-{sys.version}-{sys.platform}-{sys.byteorder}-{version}-{width}"


def _made(pattern: str | bytes, flags: int) -> Program:
    assert _engine is not None
    parsed = _engine["parse"](pattern, flags)
    state = parsed.state
    code = array(_WORD, _engine["code"](parsed, flags))
    return Program(flags | state.flags, state.groups - 1, dict(state.groupdict), code.tobytes())


def _loaded(pattern: AnyStr, program: Program) -> re.Pattern[AnyStr]:
    assert _engine is not None
    names: list[str | None] = [None] * (program.groups + 1)
    for name, group in program.names.items():
        names[group] = name
    code = memoryview(program.code).cast(_WORD).tolist()
    return _engine["make"](pattern, program.flags, code, program.groups, program.names, tuple(names))


PROGRAMS: Final = Programs()
"""Those of this process; threads may share them."""
