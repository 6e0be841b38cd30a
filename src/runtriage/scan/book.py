"""The layouts learnt so far, shared by all artifacts of a run."""

from __future__ import annotations

import re
from typing import Final

from runtriage.scan.layout import RANKED, SLOT, Layout, Parse, Speaks, learn

_AFTER: Final = 12
"""Lines of one shape that the reference reads before its layout is learnt: learning costs about as much."""
_LAYOUTS: Final = 64
_SHAPES: Final = 4096
_LONGEST: Final = 2048


class Book:
    """Layouts, the one that matched last in front, and how often each other shape was seen. One thread uses it at a time.

    `rows` counts the lines that were read one by one. With `ranks`, lines are alike that differ in the rank they name: what the
    file of one rank teaches serves those of all others, but many such lines cannot be read at once.
    """

    def __init__(self, *, ranks: bool = False) -> None:
        self.rows = 0
        self._slots = RANKED if ranks else SLOT
        self._layouts: list[Layout] = []
        self._seen: dict[bytes, int] = {}

    def find(self, body: bytes) -> tuple[Layout, re.Match[bytes]] | None:
        """Return the layout that reads a line (without its launcher's prefix), and its numbers."""
        for index, layout in enumerate(self._layouts):
            found = layout.pattern.fullmatch(body)
            if found is not None:
                if index:
                    self._layouts.insert(0, self._layouts.pop(index))
                return layout, found
        return None

    def note(self, body: bytes, parse: Parse, speaks: Speaks) -> None:
        """Count a line that only the reference could read, and learn its layout when its shape keeps coming."""
        if len(body) > _LONGEST:
            return
        shape = self._slots.sub(b"0", body)
        count = self._seen.get(shape, 0) + 1
        if count == 1 and len(self._seen) >= _SHAPES:
            self._seen.clear()
        self._seen[shape] = count
        if count == _AFTER and (layout := self._learnt(body, parse, speaks)) is not None:
            self._layouts.insert(0, layout)
            del self._layouts[_LAYOUTS:]

    def _learnt(self, body: bytes, parse: Parse, speaks: Speaks) -> Layout | None:
        layout = learn(body, parse, speaks, self._slots)
        return learn(body, parse, speaks) if layout is None and self._slots is RANKED else layout
