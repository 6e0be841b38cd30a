"""What a registry's documents hold, as far as pulling an image needs it. Anything else in them is not looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from runtriage.model.pattern import deferred
from runtriage.targets.json_values import mapping

_DIGEST: Final = deferred(r"sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})")
_LAYERS: Final = 200


class Part(NamedTuple):
    """One blob that an image is made of; `size` is 0 where the manifest does not say."""

    step: str
    digest: str
    size: int


def document_of(content: bytes) -> dict[str, Any] | None:
    """Return the manifest or index that bytes hold, or None for anything that no node could make a container of."""
    try:
        found: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    held = cast("dict[str, Any]", found)
    return held if platforms(held) or _digest(held.get("config")) else None


def platforms(found: Mapping[str, Any]) -> dict[str, str]:
    """Return the digest of the image for each platform of an index, and nothing for the manifest of one image."""
    listed = found.get("manifests")
    rows = cast("list[object]", listed) if isinstance(listed, list) else []
    chosen: dict[str, str] = {}
    for row in rows:
        digest = _digest(row)
        if digest:
            chosen.setdefault(_platform(mapping(row)), digest)
    return chosen


def parts(found: Mapping[str, Any]) -> Iterator[Part]:
    """Yield config and layers that the registry itself has to deliver."""
    layers = found.get("layers")
    rows = [
        ("config", found.get("config")),
        *(("layer", row) for row in (cast("list[object]", layers) if isinstance(layers, list) else [])[:_LAYERS]),
    ]
    for step, row in rows:
        digest, size = _digest(row), mapping(row).get("size")
        if digest and not mapping(row).get("urls"):
            yield Part(step, digest, size if isinstance(size, int) and size > 0 else 0)


def refusal(content: bytes) -> tuple[str, str]:
    """Return code and message of the first error that an answer names; both are empty where it names none."""
    try:
        first = json.loads(content)["errors"][0]
        return str(first.get("code", ""))[:60], str(first.get("message", ""))[:300]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return "", ""


def _digest(row: object) -> str:
    """Return the digest a descriptor names, or an empty string; it becomes a piece of an address, so that it must be one."""
    digest = mapping(row).get("digest")
    return digest if isinstance(digest, str) and _DIGEST.fullmatch(digest) else ""


def _platform(row: Mapping[str, Any]) -> str:
    platform = mapping(row, "platform")
    return f"{platform.get('os', '')}/{platform.get('architecture', '')}"
