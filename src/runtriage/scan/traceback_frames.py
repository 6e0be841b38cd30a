"""The frames of a printed stack: which is innermost, and which is the innermost that the user wrote."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.scan.traceback_notebook import Arrow, read_place

_FRAME = deferred(
    r' {0,40}(?:> ?)?File "(?P<file>[^"]{1,1000})", line (?P<line>\d{1,9})(?:,? in (?P<function>.{1,200}))?'
)
_BOXED = deferred(r"│ (?P<file>[^\s│][^│:]{0,500}):(?P<line>\d{1,9}) in (?P<function>\S{1,200})")
_POINTED = deferred(r"│ ❱ {0,6}\d{1,7} │ {0,200}(\S.{0,400}?) {0,200}│?$")
"""The line of a listing in a box that was being run."""
_INSTALLED = deferred(r"(?:^|[/\\])(?:site-packages|dist-packages)[/\\](?P<top>[^/\\]+)")
_STANDARD = deferred(
    r"(?:^|[/\\])lib(?:64)?[/\\]python\d(?:\.\d+)?t?[/\\](?P<top>[^/\\]+)|(?:^|[/\\])(?:Lib|Python\d{2,3}[/\\]lib)[/\\](?P<winlib>[^/\\]+)$"
)
_INTERNAL = deferred(
    r"<frozen (?P<top>[\w.]+)>|<(?:__array_function__|string|decorator-gen-\d+|attrs generated .{1,100})>"
)
_COMPILED = deferred(r"(?P<top>[\w-]+)[/\\].*\.(?:pyx|pxi|pxd|cc|cpp|cu|rs)$")
_SCRIPT = deferred(r"[/\\](?:bin|Scripts)[/\\][\w.-]+$")
_LOADS = deferred(r"load_(?:weights|model|checkpoint|state(?:_dict)?)\Z|restore_checkpoint\Z")
_FETCHES = deferred(r"_worker_loop\Z|__getitems?__\Z|(?:default_)?collate(?:_fn)?\Z|_data_worker\Z")
_SOURCE = 200
_FOREIGN = (_INTERNAL, _INSTALLED, _STANDARD, _COMPILED)


class Frame(NamedTuple):
    """One printed frame."""

    file: str
    line: int
    function: str
    listed: bool = False
    """A listing follows, in which an arrow points at the line."""

    @property
    def place(self) -> str:
        """The frame as `file:line`."""
        return f"{self.file}:{self.line}" if self.line else self.file


def read_frame(text: str) -> Frame | None:
    """Read a frame line of CPython, faulthandler, loguru, rich or IPython; None when the line is none."""
    found = _FRAME.match(text) if 'File "' in text[:50] else _BOXED.match(text)
    if found is None:
        place = read_place(text)
        return None if place is None else Frame(*place, listed=True)
    return Frame(found["file"].strip(), int(found["line"]), (found["function"] or "").strip())


def is_user(frame: Frame) -> bool:
    """Tell whether the frame's code is neither installed, nor part of Python, nor a launcher's script."""
    return _is_users(frame.file)


@lru_cache(maxsize=1024)
def _is_users(path: str) -> bool:
    if any(pattern.search(path) for pattern in _FOREIGN):
        return False
    return not (_SCRIPT.search(path) and not path.endswith(".py"))


def package(frame: Frame) -> str:
    """The top-level package or module that the frame's file belongs to."""
    for pattern in _FOREIGN:
        if found := pattern.search(frame.file):
            top = next((part for part in found.groups() if part), "python")
            return top.split(".")[0]
    name = re.split(r"[/\\]", frame.file)[-1]
    return name.removesuffix(".py") or name


@lru_cache(maxsize=1024)
def _loads(function: str) -> bool:
    return _LOADS.search(function) is not None


class Frames(Struct):
    """A stack as it is read; `first_is_innermost` for faulthandler's order."""

    first_is_innermost: bool = False
    count: int = 0
    main: bool = False
    """The outermost frame is the top of the program that was started."""
    innermost: Frame | None = None
    user: Frame | None = None
    source: str = ""
    """The line of code that the user's innermost frame quotes."""
    awaits_source: bool = False
    loads: str = ""
    fetches: str = ""

    def add(self, frame: Frame) -> None:
        """Take the next printed frame."""
        self.count += 1
        if self.count == 1:
            self.main = not self.first_is_innermost and frame.function == "<module>"
        if not self.loads and _loads(frame.function):
            self.loads = frame.function
        if not self.fetches and _FETCHES.search(frame.function):
            self.fetches = frame.function
        if self.innermost is None or not self.first_is_innermost:
            self.innermost = frame
        own = (self.user is None or not self.first_is_innermost) and is_user(frame)
        self.awaits_source = own and not frame.listed
        if own:
            self.user, self.source = frame, ""

    def quote(self, text: str) -> None:
        """Take a line of code that follows a frame."""
        if text.startswith("│"):
            found = _POINTED.match(text)
            text = found[1] if found else ""
        if self.awaits_source and text:
            self.source, self.awaits_source = text[:_SOURCE], False

    def point(self, arrow: Arrow) -> None:
        """Take the line of a listing that failed."""
        last = self.innermost
        if last is None or not last.listed:
            return
        self.innermost = last._replace(line=arrow.line)
        if self.user is last:
            self.user, self.source = self.innermost, arrow.code[:_SOURCE]

    def captures(self) -> dict[str, str]:
        """The captures that `runtriage.model.event` names for the frames of an exception."""
        found: dict[str, str] = {"main": "yes"} if self.main else {}
        if self.innermost is not None:
            found["raised_in"] = self.innermost.place
            found["module"] = package(self.innermost)
            if self.innermost.function:
                found["function"] = self.innermost.function
        if self.loads:
            found["loads"] = self.loads
        if self.fetches:
            found["fetches"] = self.fetches
        if self.user is not None:
            found["user_frame"] = self.user.place
            if self.user.function:
                found["user_function"] = self.user.function
            if self.source:
                found["source"] = self.source
        return found
