"""Patterns that are compiled when they are first needed: most runs of the program meet few of them, and all wait for its start."""

from __future__ import annotations

import re
from typing import Any, AnyStr, Final, cast

from runtriage.model.programs import PROGRAMS

_METHODS: Final = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Deferred:
    """Stands for a `re.Pattern` until it is used; its methods are then those of the compiled pattern, at no further cost."""

    __slots__ = ("_flags", "pattern", *_METHODS)

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled: re.Pattern[Any] = PROGRAMS.compiled(cast(Any, self.pattern), self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def deferred(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, at the first use; not for patterns made of a run's text (see `Programs.compiled`). Only methods and attributes work: `re.search(deferred(...), text)` does not."""
    return cast("re.Pattern[AnyStr]", _Deferred(pattern, flags))
