"""Messages on standard input, one a line: what is none is answered as a fault, and no line is longer than it may be."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, cast

import anyio
import anyio.from_thread
import anyio.lowlevel
from anyio.lowlevel import EventLoopToken
from anyio.streams.memory import MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

LONGEST: Final = 1 << 20
"""Bytes that one message may have, over whatever it comes."""
_READ: Final = 1 << 16
_STDIN: Final = 0

Answer = Callable[[SessionMessage], Awaitable[None]]


class Wire:
    """The lines of standard input that are messages; `answer` is where faults of the others go, once it is known."""

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self._told = anyio.Event()

    def answered_by(self, answer: Answer) -> None:
        """Say where faults go; no line is looked at before."""
        self.answer = answer
        self._told.set()

    async def __aiter__(self) -> AsyncIterator[str]:
        sending, receiving = anyio.create_memory_object_stream[bytes | None]()
        reader = threading.Thread(target=_read, args=(sending, anyio.lowlevel.current_token()), daemon=True)
        reader.start()
        await self._told.wait()
        assert self.answer is not None
        async with receiving:
            async for line in receiving:
                fault = _fault(line)
                if fault is not None:
                    await self.answer(SessionMessage(fault))
                elif line is not None and line.strip():
                    yield line.decode("utf-8", "replace")


def _read(sending: MemoryObjectSendStream[bytes | None], loop: EventLoopToken) -> None:
    """Send each line on; None stands for one that is too long. Ends with the stream, or with the loop that takes the lines.

    In a thread that nothing waits for: a read cannot be called off, and the process must end without another line.
    """
    wire = _taken()
    with contextlib.suppress(anyio.RunFinishedError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        kept, dropping = bytearray(), False
        while data := _more(wire):
            *ended, rest = data.split(b"\n")
            for piece in ended:
                line = None if dropping or len(kept) + len(piece) > LONGEST else bytes(kept) + piece
                anyio.from_thread.run(sending.send, line, token=loop)
                kept, dropping = bytearray(), False
            dropping = dropping or len(kept) + len(rest) > LONGEST
            kept = bytearray() if dropping else kept + rest
        if kept or dropping:
            anyio.from_thread.run(sending.send, None if dropping else bytes(kept), token=loop)
        anyio.from_thread.run_sync(sending.close, token=loop)


def _taken() -> int:
    """Return a descriptor of standard input that no child can read from; in its old place nothing is to be read."""
    wire = os.dup(_STDIN)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.close(nothing)
    return wire


def _more(wire: int) -> bytes:
    try:
        return os.read(wire, _READ)
    except OSError:  # a terminal that went away
        return b""


def _fault(line: bytes | None) -> JSONRPCError | None:
    """Return the answer to what is no message, with the id it gives where it gives one."""
    if line is None:
        return _refused(None, INVALID_REQUEST, f"a message may have {LONGEST:,} bytes")
    if not line.strip():
        return None
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _told(line)
    asks = isinstance(message, JSONRPCNotification) and b'"id"' in line and "id" in (_members(line) or ())
    return _told(line) if asks else None  # a request whose id is none would wait for ever


def _told(line: bytes) -> JSONRPCError:
    given = _members(line)
    if given is None:
        return _refused(None, PARSE_ERROR, "this line is no JSON")
    identity = given.get("id")
    known = isinstance(identity, int) and not isinstance(identity, bool)
    known = known or (isinstance(identity, str) and identity.isascii())
    return _refused(identity if known else None, INVALID_REQUEST, "this is no JSON-RPC message in Unicode text")


def _members(line: bytes) -> dict[str, Any] | None:
    """Return the members of the object that a line holds, none where it holds something else, None where it is no JSON."""
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", given) if isinstance(given, dict) else {}


def _refused(identity: str | int | None, code: int, said: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=identity, error=ErrorData(code=code, message=said))
