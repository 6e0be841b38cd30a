"""Settings written one a line (`name = value`, `--name value`) or as a printed `Namespace(...)`."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.pattern import deferred
from runtriage.parse.config_tree import Scalar

_LINES = 5_000
_LINE = deferred(r"\s{0,40}(?:--?)?([A-Za-z_][\w.-]{0,80})(?:\s{0,40}[:=]\s{0,40}|\s{1,40})([^\s#;][^\n#;]{0,200})")
_PAIR = deferred(r"\b([A-Za-z_]\w{0,80})=('[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|[^,()\s]{1,200})")
_PRINTED = ("Namespace(", "TrainingArguments(", "Arguments(")


def line_scalars(content: bytes) -> Iterator[Scalar]:
    """Yield the settings of a text, at most 5,000 lines of it."""
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n")[:_LINES], 1):
        if any(printed in line for printed in _PRINTED):
            yield from (Scalar(pair[1], pair[2].strip("'\""), number) for pair in _PAIR.finditer(line[:65_536]))
        elif found := _LINE.match(line[:400]):
            yield Scalar(found[1].replace("-", "_"), found[2].strip().strip("'\",").strip(), number)
