"""Accelerators as SkyPilot tells them: the table that `sky show-gpus` prints, or the list an API server returns."""

from __future__ import annotations

from typing import Final

from runtriage.model.pattern import deferred
from runtriage.parse.pointer import load_json
from runtriage.parse.workflow.manifest import whole

_HEADING: Final = deferred(r"^(?:GPU|ACCELERATOR)S?\s{2,}.*REQUESTABLE_QTY_PER_NODE")
_ROW: Final = deferred(r"(\S[\w.+-]*)\s{2,}(\d+(?:,\s?\d+)*)(?:\s{2,}|\s*$)")


def offered(text: str) -> list[tuple[str, tuple[int, ...]]] | None:
    """Return each accelerator with the counts that one node can be asked for, or None where the answer holds no table."""
    if text.lstrip().startswith("["):
        return _listed(text)
    found: dict[str, tuple[int, ...]] = {}
    inside = seen = False
    for line in text.splitlines():
        if _HEADING.match(line.strip()):
            inside = seen = True
        elif not line.strip():
            inside = False
        elif inside and (row := _ROW.match(line.strip())) is not None:
            found.setdefault(row[1], tuple(int(count) for count in row[2].replace(" ", "").split(",")))
    return sorted(found.items()) if seen else None


def _listed(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the same from a list of clusters, each with rows of name, counts, all there are, and how many are free."""
    root = load_json(text.encode(), "accelerators")
    found: dict[str, set[int]] = {}
    for cluster in root.items() if root is not None else ():
        for rows in list(cluster.items())[1:2]:
            for row in rows.items():
                held = list(row.items())[:2]
                name = held[0].value if held else None
                counts = [whole(each) for each in held[-1].items()] if held else []
                if isinstance(name, str):
                    found.setdefault(name, set()).update(count for count in counts if count is not None)
    return sorted((name, tuple(sorted(counts))) for name, counts in found.items())
