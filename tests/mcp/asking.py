"""A server in this process and the SDK's own client for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp.types import CallToolResult, TextContent

from mcp import Client
from runtriage.api.config import Config, History
from runtriage.mcp.policy import policy
from runtriage.mcp.reading import Reading
from runtriage.mcp.server import Apply, server
from runtriage.store.memory import MemoryCache

Result = TypeVar("Result")
_CACHE = MemoryCache()
"""Shared, so that the catalogue is compiled once for all tests."""


def reading(*allow: Path, history: Path | None = None, remote: tuple[str, ...] = ()) -> Reading:
    config = Config(history=History(path=str(history)) if history else History(enabled=False))
    return Reading(policy(list(allow), remote), config, _CACHE)


def session(
    ask: Callable[[Client], Awaitable[Result]], *allow: Path, apply: Apply | None = None, **options: Any
) -> Result:
    """Run a conversation with a server that may read some folders."""

    async def talk() -> Result:
        async with Client(server(reading(*allow, **options), seconds=60, apply=apply)) as client:
            return await ask(client)

    return asyncio.run(talk())


def call(tool: str, arguments: dict[str, Any], *allow: Path, **options: Any) -> CallToolResult:
    """Return what one tool answers."""
    return session(lambda client: client.call_tool(tool, arguments), *allow, **options)


def text(result: CallToolResult) -> str:
    """Return the text of an answer."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def answer(result: CallToolResult) -> dict[str, Any]:
    """Return the structured content of an answer that is no fault."""
    assert not result.is_error, text(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


class Lasting:
    """A client of a server that goes on between questions; starting both costs more than most answers."""

    def __init__(self, client: Client, loop: asyncio.AbstractEventLoop) -> None:
        self._client = client
        self.loop = loop

    def call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        return asyncio.run_coroutine_threadsafe(self._client.call_tool(tool, arguments), self.loop).result(120)


@contextmanager
def lasting(*allow: Path) -> Generator[Lasting]:
    """Run a server that may read some folders, with its loop in a thread, for many questions."""
    ready, over = threading.Event(), asyncio.Event()
    started: list[Lasting] = []

    async def talk() -> None:
        async with Client(server(reading(*allow), seconds=60)) as client:
            started.append(Lasting(client, asyncio.get_running_loop()))
            ready.set()
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(talk(),), daemon=True)
    thread.start()
    assert ready.wait(60)
    try:
        yield started[0]
    finally:
        started[0].loop.call_soon_threadsafe(over.set)
        thread.join(60)
