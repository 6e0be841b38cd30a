"""Names of files as they are shown: any bytes may stand in a file name, few may stand in a report."""

from __future__ import annotations

from typing import Final

from runtriage.model.pattern import deferred

_UNSAFE: Final = deferred(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_DIGITS: Final = deferred(r"(\d+)")


def shown(name: str) -> str:
    """Return a file name with control characters, invisible characters and undecodable bytes written as escapes."""
    return _UNSAFE.sub(lambda found: _escaped(found[0]), name)


def order(name: str) -> tuple[tuple[int, str, int], ...]:
    """Return a sort key that puts `rank2` before `rank10`."""
    return tuple(
        (part.isdecimal(), part if not part.isdecimal() else "", int(part) if part.isdecimal() else 0)
        for part in _DIGITS.split(name)
    )


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
