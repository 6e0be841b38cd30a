"""Members of answers whose shape a server decides: whatever is not as expected counts as empty."""

from __future__ import annotations

from typing import Any, cast


def mapping(value: object, *keys: str) -> dict[str, Any]:
    """Return the object at a path of keys below a value, an empty one where there is none."""
    for key in keys:
        value = cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def entries(value: object, *keys: str) -> list[dict[str, Any]]:
    """Return the objects of the list at a path of keys below a value."""
    held = mapping(value, *keys[:-1]).get(keys[-1]) if keys else value
    return [mapping(each) for each in cast("list[object]", held)] if isinstance(held, list) else []
