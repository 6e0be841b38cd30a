"""What a wrapper, a queue or a test harness leaves in a small JSON object of how the command it ran ended: an exit code or a signal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.event import EXIT
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, is_document, load_json

_LIMIT: Final = 1 << 16
_SIGNALS: Final = ("term_signal", "termination_signal", "exit_signal", "signal", "killed_by_signal")
_CODES: Final = ("exit_code", "exitcode", "exit_status", "return_code", "returncode", "rc")
_NAMED: Final = deferred(rb'"(?:' + "|".join((*_SIGNALS, *_CODES)).encode() + rb')"\s*:\s*(?:-?\d{1,5}|null)\s*[,}\n]')
_RAN: Final = deferred(
    rb'"(?:child|command|cmd|cmdline|argv|args|pid|job|job_id|task|started?|started_at|start_time|ended|ended_at|end_time|finished|finished_at'
    rb'|duration|duration_s|elapsed|elapsed_s|wall_s|runtime)"\s*:'
)
"""What was run, or when: an exit code alone may be what somebody expects."""
_HIGHEST: Final = 64
_WIDEST: Final = 255


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is one small object that names an exit code or a signal of something that ran."""
    if len(head) >= _LIMIT or head.lstrip()[:1] != b"{" or not is_document(head):
        return False
    return _NAMED.search(head) is not None and _RAN.search(head) is not None


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return how the command ended, where the object itself says so and not something inside it."""
    content, _ = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    return Parsed(events=[] if root is None else list(_end(root)), bytes_read=len(content))


def _end(root: Node) -> Iterator[RawEvent]:
    at = next((name for name in _SIGNALS if 0 < (root.number(name) or 0) < _HIGHEST), None)
    if at is not None:
        ended = root.number(at) or 0.0
        yield _exit(root.get(at), f"ended by signal {ended:.0f}", {"code": -ended, "signal": ended})
        return
    at = next((name for name in _CODES if root.number(name) is not None), None)
    code = root.number(at) if at is not None else None
    if at is not None and code is not None and code.is_integer() and -_HIGHEST < code <= _WIDEST:
        yield _exit(root.get(at), f"exit code {code:.0f}", {"code": code})


def _exit(at: Node, shown: str, numbers: dict[str, float]) -> RawEvent:
    return RawEvent(
        kind=EXIT,
        name="signal" if "signal" in numbers else "exit-code",
        citation=at.cite(),
        excerpt=RawText(shown),
        captures={"by": RawText("launcher")},
        numbers=numbers,
    )


PARSERS = (Parser(id="wrapper-record", claims=claims, read=read),)
