"""Lines that wake a reader which has nothing to say of them: rows of a log that tell what was done, at every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from runtriage.scan.alike import FORMS, form_of
from runtriage.scan.block import Block
from runtriage.scan.contract import Cue, LineReader
from runtriage.scan.dialects.phrase_finish import may_finish
from runtriage.scan.events import text_of
from runtriage.scan.segment import Segment

MAY: Final[Mapping[str, Callable[[str], bool]]] = {"finish": may_finish}
"""For readers of one line, by their name: whether some line of a form, without the prefix of its speaker, means something to them."""
_FRONT: Final = 256
_BREAKS: Final = (b"\n", b"\r\n")
"""What ends a line of which nothing was drawn over."""


class Mutes:
    """The forms of whole lines of which it is known that they say nothing."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._known: dict[tuple[str, bytes], bool] = {}

    def hold(self, block: Block, cue: Cue, found: Segment) -> bool:
        """Tell whether the reader of a cue has nothing to say of a line, without asking it where that is known of its form."""
        may = MAY.get(cue.reader)
        if may is None or not found.short or found.start != found.line:
            return False
        if not block.data.startswith(_BREAKS, found.end):
            return False
        form = form_of(block.slice(found.start, found.end))
        known = self._known.get((cue.reader, form))
        if known is None:
            if len(self._known) >= FORMS:
                self._known.clear()
            known = not may(text_of(form[self._reader.speaker(form[:_FRONT])[0] :]))
            self._known[cue.reader, form] = known
        return known
