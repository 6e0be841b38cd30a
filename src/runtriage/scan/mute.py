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
        self._silent: set[tuple[str, bytes]] = set()
        """Lines as they are of which the reader of a cue, who is shown no other line, had nothing to say."""

    def ask(self, block: Block, cue: Cue, found: Segment, read: Callable[[], bool]) -> bool:
        """Tell whether the reader of a cue has something to say of a line; it is only asked, by `read`, where that is not known of the line."""
        whole = found.short and found.start == found.line and block.data.startswith(_BREAKS, found.end)
        if not whole:
            return read()
        line = block.slice(found.start, found.end)
        if cue.reader in MAY and self._says_nothing(cue, line):
            return False
        alone = not (cue.block or cue.lead or cue.stack)
        if alone and (cue.name, line) in self._silent:
            return False
        said = read()
        if alone and not said:
            if len(self._silent) >= FORMS:
                self._silent.clear()
            self._silent.add((cue.name, line))
        return said

    def _says_nothing(self, cue: Cue, line: bytes) -> bool:
        """Tell whether the reader of a cue has nothing to say of any line of the form."""
        form = form_of(line)
        known = self._known.get((cue.reader, form))
        if known is None:
            if len(self._known) >= FORMS:
                self._known.clear()
            known = not MAY[cue.reader](text_of(form[self._reader.speaker(form[:_FRONT])[0] :]))
            self._known[cue.reader, form] = known
        return known
