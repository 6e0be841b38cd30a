"""Secrets of Kubernetes written out as YAML or JSON: every value below `data` and `stringData` is one, whatever it is called."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER, is_placeholder

_KIND: Final = deferred(r"(?<![\w.-])kind\\{0,8}[\"']?[ \t]{0,4}:[ \t]{0,4}\\{0,8}[\"']?Secret(?:List)?\b")
_OTHER: Final = deferred(r"(?<![\w.-])kind\\{0,8}[\"']?[ \t]{0,4}:[ \t]{0,4}\\{0,8}[\"']?(?!Secret)[A-Z]\w")
_BLOCK: Final = deferred(r"^(?P<indent>[ \t]{0,40})(?:- )?(?P<name>data|stringData):[ \t]{0,8}\r?(?=\n)", re.MULTILINE)
_FLOW: Final = deferred(r"(?<![\w.-])(?P<name>data|stringData)(?:\\{0,8}[\"'])?[ \t]{0,4}:\s{0,40}\{")
_ENTRY: Final = deferred(r"(?P<lead>[ \t]{0,80}(?:- )?[\"']?[\w./-]{1,253}[\"']?:[ \t]{1,8})(?P<value>[^\n]{1,8000})")
_STRING: Final = deferred(
    r"(?P<lead>\\{0,8}[\"'][\w./-]{1,253}\\{0,8}[\"']\s{0,4}:\s{0,4}\\{0,8}[\"'])(?P<value>[^\"'\\\n]{1,8000})"
)
_OPENED: Final = deferred(r"[|>][-+]?\d?")
_BASE64: Final = deferred(r"[\"']?(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?[\"']?")
_FARTHEST: Final = 8_000


def without_manifests(text: str) -> str:
    """Return the text with the values of such documents replaced; the number of lines stays."""
    if "stringData" not in text and "data" not in text:
        return text
    return "---\n".join(map(_document, text.split("---\n")))


def _document(text: str) -> str:
    is_secret = _KIND.search(text) is not None
    is_other = not is_secret and _OTHER.search(text) is not None
    return _without_flow(_without_blocks(text, is_secret, is_other), is_secret)


def _without_blocks(text: str, is_secret: bool, is_other: bool) -> str:
    heads = [*_BLOCK.finditer(text)]
    lines = text.split("\n") if heads else []
    first = passed = at = 0
    for head in heads:
        first += text.count("\n", at, head.end())
        at = head.end()
        if first + 1 < passed:
            continue
        last = passed = _end(lines, first + 1, len(head["indent"].expandtabs()))
        sure = is_secret or head["name"] == "stringData"
        if sure or (not is_other and _is_encoded(lines[first + 1 : last])):
            lines[first + 1 : last] = _without_values(lines[first + 1 : last])
    return "\n".join(lines) if heads else text


def _without_flow(text: str, is_secret: bool) -> str:
    parts: list[str] = []
    done = 0
    for head in _FLOW.finditer(text):
        if head.end() >= done and (is_secret or head["name"] == "stringData"):
            end = _closed(text, head.end())
            parts += (text[done : head.end()], _STRING.sub(_masked, text[head.end() : end]))
            done = end
    return "".join((*parts, text[done:])) if parts else text


def _end(lines: list[str], first: int, depth: int) -> int:
    at = first
    while at < len(lines) and (not lines[at].strip() or len(lines[at]) - len(lines[at].lstrip(" \t")) > depth):
        at += 1
    return at


def _is_encoded(lines: list[str]) -> bool:
    """Tell a Secret of which the kind was cut off: all values are whole base64, one of them padded."""
    values = [found["value"].strip() for line in lines if (found := _ENTRY.fullmatch(line))]
    padded = any(value.strip("\"'").endswith("=") for value in values)
    return padded and len(values) == len(lines) - lines.count("") and all(map(_BASE64.fullmatch, values))


def _without_values(lines: list[str]) -> list[str]:
    cleaned: list[str] = []
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" \t"))
        if depth is not None and (indent > depth or not line.strip()):
            cleaned.append(line and line[:indent] + (MARKER if line.strip() else ""))
            continue
        depth = None
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            cleaned.append(line)
        elif _OPENED.fullmatch(entry["value"].strip()):
            depth = indent
            cleaned.append(line)
        else:
            cleaned.append(line if is_placeholder(entry["value"].strip()) else entry["lead"] + MARKER)
    return cleaned


def _closed(text: str, start: int) -> int:
    end = text.find("}", start, start + _FARTHEST)
    return end if end >= 0 else min(len(text), start + _FARTHEST)


def _masked(found: re.Match[str]) -> str:
    return found[0] if is_placeholder(found["value"]) else found["lead"] + MARKER
