"""The table of accelerators that `sky show-gpus` prints."""

from __future__ import annotations

from typing import Final

from runtriage.model.pattern import deferred

_HEADING: Final = deferred(r"^(?:GPU|ACCELERATOR)S?\s{2,}.*REQUESTABLE_QTY_PER_NODE")
_ROW: Final = deferred(r"(\S[\w.+-]*)\s{2,}(\d+(?:,\s?\d+)*)(?:\s{2,}|\s*$)")


def offered(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return each accelerator with the counts that one node can be asked for."""
    found: dict[str, tuple[int, ...]] = {}
    inside = False
    for line in text.splitlines():
        if _HEADING.match(line.strip()):
            inside = True
        elif not line.strip():
            inside = False
        elif inside and (row := _ROW.match(line.strip())) is not None:
            found.setdefault(row[1], tuple(int(count) for count in row[2].replace(" ", "").split(",")))
    return sorted(found.items())
