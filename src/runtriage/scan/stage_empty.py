"""What a task of a workflow says of having written nothing, in a log of its own in which nothing failed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import STAGE_EMPTY
from runtriage.model.pattern import deferred
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.quiet import from_end
from runtriage.scan.stage_rows import OF_DATA

_LONGEST: Final = 400
_CUE: Final = deferred(
    rb"(?<![\w.])(?:0|no) (?:\w+ )?(?:rows|records|samples|examples|documents|lines|files|images|items|events|clips|shards|sentences)\b",
    re.IGNORECASE,
)
_WROTE: Final = deferred(
    r"(?<![a-z])(?:wrote|written|writes|writing|saved|saving|exported|produced|published|stored|uploaded|materiali[sz]ed|inserted|loaded)(?![a-z])[^\n]{0,40}?(?<![\w.])(?:0|no) (?:\w+ )?[a-z]+s(?![a-z])"
    r"|(?<![\w.])(?:0|no) (?:\w+ )?[a-z]+s (?:were |was )?(?:wrote|written|saved|exported|produced|published|stored|uploaded|materiali[sz]ed|inserted)(?![a-z])",
    re.IGNORECASE,
)
_ASIDE: Final = deferred(
    r"(?<![a-z])(?:errors?|warnings?|skipped|rejected|bad|invalid|duplicates?|failures|dropped|missing|retries|dead[- ]letter|quarantined?)(?![a-z])",
    re.IGNORECASE,
)
"""What is good to have none of."""


def empty(block: Block, reader: LineReader) -> Iterator[Draft]:
    """Yield the first of the last lines that says that nothing was written, of data that somebody else is to read."""
    found: Draft | None = None
    for start, line in from_end(block):
        if _CUE.search(line) is None or len(line) > _LONGEST:
            continue
        text = line[reader.speaker(line)[0] :].decode("utf-8", "replace")
        words = text[message_start(text) :]
        if _WROTE.search(words) and not (_ASIDE.search(words) or OF_DATA.search(words)):
            found = Draft(kind=STATEMENT, name=STAGE_EMPTY, start=start, end=start + len(line))
    if found is not None:
        yield found
