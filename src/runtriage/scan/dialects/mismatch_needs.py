"""Which words the expressions of `mismatch_terms` cannot do without, so that hardly a line has to be searched with any of them.

To find the words takes longer than to compile the expressions, so they are kept beside this file: after a change of the terms,
`written()` says what it has to hold.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from msgspec.json import decode

from runtriage.scan.dialects.mismatch_terms import COSTS, KINDS, SCORES

NEEDS: Final = tuple(dict.fromkeys((*(need for kind in (*KINDS, *SCORES) for need in kind[-1]), *COSTS)))


@cache
def words_of_needs() -> dict[str, tuple[str, ...]]:
    """Return, by expression, words in small letters one of which all that it matches holds; none where that is not known."""
    kept = decode(Path(__file__).with_suffix(".json").read_bytes(), type=list[tuple[str, ...]])
    return dict(zip(NEEDS, kept, strict=True))


def written() -> str:
    """Return what the file has to hold, found anew in the texts of the expressions."""
    import json

    from runtriage.scan.words_first import needed_by_all

    rows = (json.dumps(needed_by_all(need), ensure_ascii=False) for need in NEEDS)
    return "[\n" + ",\n".join(rows) + "\n]\n"
