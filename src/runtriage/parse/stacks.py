"""Dumps of the stacks of Python processes: py-spy's text and JSON, and faulthandler's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, cast

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, Value
from runtriage.parse.stacks_text import FAULT, SPY, read_fault, read_spy, timeouts
from runtriage.parse.stacks_thread import FRAMES, Process, Thread, frame, joined
from runtriage.parse.tables import cite, state

_LIMIT: Final = 32 << 20
_RANK: Final = deferred(r"rank[-_]?(\d{1,6})(?!\d)", 2)
_JSON: Final = deferred(rb'\s*\[\s*\{\s*"pid"\s*:\s*\d+\s*,\s*"thread_id"')
_OTHERS: Final = 24
"""Threads beside the main one that are told of each process."""


def claims_json(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is the JSON of `py-spy dump`."""
    return bool(_JSON.match(head))


def claims_text(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a dump of stacks from its start on; dumps inside logs are the log engine's."""
    if artifact.kind != "stacks":
        return False
    return bool(SPY.search(head) or FAULT.search(head))


def read_json(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each thread; a document that was cut while it was written gives what is whole in it."""
    content, cut = read_all(stream, _LIMIT)
    return _parsed(artifact, _processes(content, artifact.path), len(content), cut)


def read_text(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each thread, and one for each time-out that made faulthandler dump."""
    content, cut = read_all(stream, _LIMIT)
    spy = SPY.search(content[:65_536]) is not None
    found = read_spy(content, artifact.path) if spy else read_fault(content, artifact.path)
    parsed = _parsed(artifact, found, len(content), cut)
    for line in timeouts(content):
        parsed.events.append(state("stack/timeout", cite(artifact.path, line), message=line.text))
        break
    return parsed


def _parsed(artifact: Artifact, found: list[Process], size: int, cut: bool) -> Parsed:
    named = _RANK.search(artifact.path.rpartition("/")[2])
    rank = artifact.rank if artifact.rank is not None else int(named[1]) if named else None
    alone = sum(1 for process in found if process.threads) == 1
    events: list[RawEvent] = []
    for process in found:
        if process.rank is None and alone:
            process.rank = rank
        events += _states(process, artifact)
    return Parsed(events=events, bytes_read=size, cut="longer than 32 MiB" if cut else None)


def _states(process: Process, artifact: Artifact) -> Iterator[RawEvent]:
    subject = Subject(rank=process.rank, pid=process.pid, node=artifact.node)
    main = process.main()
    others = [thread for thread in process.threads if thread is not main and thread.frames]
    for thread in [*([main] if main is not None and main.frames else []), *others[:_OTHERS]]:
        yield _state(thread, subject, main=thread is main)


def _state(thread: Thread, subject: Subject, *, main: bool) -> RawEvent:
    own = next((call for call in thread.frames if not call.installed), None)
    return state(
        "stack/main" if main else "stack/thread",
        thread.citation,
        subject,
        message=str(thread.frames[0]),
        thread=thread.name,
        own="" if own is None else str(own),
        frames=joined(thread.frames),
    )


def _processes(content: bytes, artifact: str) -> list[Process]:
    found: dict[int, Process] = {}
    for thread in _threads(content, artifact):
        pid = int(thread.number("pid") or 0)
        process = found.setdefault(pid, Process(pid, None))
        name = thread.text("thread_name")
        one = Thread(name, thread.cite(), main=name == "MainThread" or thread.number("os_thread_id") == pid)
        for call in list(thread.get("frames").items())[:FRAMES]:
            path = call.text("short_filename") if call.text("short_filename").count("/") else call.text("filename")
            one.frames.append(frame(call.text("name"), path, int(call.number("line") or 0)))
        process.threads.append(one)
    return list(found.values())


def _threads(content: bytes, artifact: str) -> Iterator[Node]:
    """Yield the threads of one or several lists that stand one after the other."""
    text = content.decode("utf-8", "replace")
    decoder, at, many = json.JSONDecoder(), 0, 0
    while (at := _skip(text, at)) < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        where = Node(cast("Value", value), artifact, "" if many == 0 else f"/{many}")
        yield from where.items()
        many += 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


PARSERS = (
    Parser(id="stacks-json", claims=claims_json, read=read_json),
    Parser(id="stacks-text", claims=claims_text, read=read_text, scanned=True),
)
