"""A read-only client of an MCP server that offers the Run:ai tools, over a command's standard streams or over HTTP."""

from __future__ import annotations

import json
import os
import random
import shlex
import time
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from shutil import which
from types import TracebackType
from typing import Any, Final, Self, cast

from runtriage.model.pattern import deferred
from runtriage.model.runai import TOOLS
from runtriage.targets.errors import NO_ACCESS, USAGE, TargetError
from runtriage.targets.runai_reads import Arguments, ReadError, absent

TIMEOUT: Final = 30.0
"""Seconds one answer may take."""
_TRIES: Final = 3
_PAUSE: Final = 0.3
_TEXT: Final = 300
_PAGES: Final = 20
_PREFIX: Final = deferred(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?:__|[_./:-])")
_ABSENT: Final = deferred(r"\bnot found\b|\bunknown (?:synthetic )?workload|\bno such workload\b|\b404\b")
_MISSING_EXTRA: Final = "Run:ai over MCP needs an extra: pip install 'runtriage[mcp]'"


class McpReads:
    """Calls tools of a server; only those of `allowed` are ever called, whatever the server offers.

    `server` is an `http(s)://` URL or a command line; `token` goes into the Authorization header of HTTP requests only.
    """

    def __init__(
        self,
        server: str,
        *,
        token: str | None = None,
        timeout: float = TIMEOUT,
        allowed: Collection[str] = TOOLS,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._server = server
        self._token = token
        self._timeout = timeout
        self._allowed = frozenset(allowed)
        self._pause = pause
        self._stack = ExitStack()
        self._portal: Any = None
        self._client: Any = None
        self._names: dict[str, str] = {}

    def __enter__(self) -> Self:
        try:
            import_module("mcp")
            from anyio.from_thread import start_blocking_portal
        except ImportError:
            raise TargetError(_MISSING_EXTRA, NO_ACCESS) from None
        self._portal = self._stack.enter_context(start_blocking_portal())
        try:
            self._connect()
        except TargetError:
            self._stack.close()
            raise
        except Exception as error:  # noqa: BLE001 - whatever a transport raises, the server cannot be reached
            self._stack.close()
            raise TargetError(f"the MCP server cannot be reached: {_short(error, self._token)}", NO_ACCESS) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._disconnect()
        self._stack.close()

    def call(self, tool: str, arguments: Arguments) -> bytes:
        """Return the JSON document a tool answers with. Raises `ReadError`, and ValueError for a tool that is not allowed."""
        if tool not in self._allowed:
            raise ValueError(f"{tool} is not on the list of tools that may be called")
        failure: Exception = RuntimeError("not asked")
        for attempt in range(_TRIES):
            try:
                if self._client is None:
                    self._connect()
                return self._answer(self._portal.call(self._ask, self._names.get(tool, tool), dict(arguments)))
            except ReadError:
                raise
            except Exception as error:  # noqa: BLE001 - a server that went away raises what its transport raises
                failure = error
                if _timed_out(error):
                    raise ReadError(f"no answer within {self._timeout:g} s") from None
                if _refused(error):
                    break
                self._disconnect()
                self._pause(_PAUSE * 2**attempt * random.uniform(0.5, 1.5))
        raise ReadError(f"the MCP server gave no answer: {_short(failure, self._token)}")

    async def _ask(self, tool: str, arguments: dict[str, object]) -> Any:
        import anyio

        with anyio.fail_after(self._timeout + 1):
            return await self._client.call_tool(tool, arguments, read_timeout_seconds=self._timeout)

    def _connect(self) -> None:
        self._open = ExitStack()
        self._client = self._open.enter_context(self._portal.wrap_async_context_manager(self._session()))
        self._names = offered_names(self._portal.call(self._offered), self._allowed)

    async def _offered(self) -> list[str]:
        """Return the names of the tools the server offers, or none where it does not say."""
        import anyio

        names: list[str] = []
        cursor: str | None = None
        # Whatever a server does with this question, its tools have well-known names that are asked for then.
        with suppress(Exception), anyio.fail_after(self._timeout):
            for _ in range(_PAGES):
                page = await self._client.list_tools(cursor=cursor)
                names += [str(tool.name) for tool in page.tools]
                cursor = page.next_cursor
                if not cursor:
                    break
        return names

    @asynccontextmanager
    async def _session(self) -> AsyncGenerator[Any]:
        from mcp import Client

        async with AsyncExitStack() as stack:
            over_http = self._server.startswith(("http://", "https://"))
            transport = await self._http(stack) if over_http else self._streams(stack)
            yield await stack.enter_async_context(Client(transport, read_timeout_seconds=self._timeout))

    async def _http(self, stack: AsyncExitStack) -> Any:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        client = httpx2.AsyncClient(headers=headers, timeout=self._timeout, follow_redirects=False)
        return streamable_http_client(self._server, http_client=await stack.enter_async_context(client))

    def _streams(self, stack: AsyncExitStack) -> Any:
        from mcp.client.stdio import stdio_client

        from mcp import StdioServerParameters

        try:
            words = shlex.split(self._server)
        except ValueError:
            words = []
        if not words:
            raise TargetError("--mcp: a quote is not closed, or nothing is given; it takes a command or a URL", USAGE)
        if which(words[0]) is None:
            raise TargetError(
                f"--mcp: there is no program {words[0]}; it takes the command of a server, or a URL", USAGE
            )
        parameters = StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))
        return stdio_client(parameters, errlog=stack.enter_context(Path(os.devnull).open("w", encoding="utf-8")))

    def _disconnect(self) -> None:
        if self._client is None:
            return
        self._client = None
        try:
            self._open.close()
        except BaseException as error:  # a dead server may fail to say goodbye
            if isinstance(error, KeyboardInterrupt):
                raise

    def _answer(self, result: Any) -> bytes:
        texts = [str(block.text) for block in result.content if getattr(block, "type", "") == "text"]
        if result.is_error:
            said = _line(" ".join(map(_error, texts)) or "the tool failed without a message", self._token)
            raise absent(said) if _ABSENT.search(said) else ReadError(f"the tool refused: {said}")
        for text in texts:
            try:
                json.loads(text)
            except ValueError:
                continue
            return text.encode()
        held: Any = result.structured_content
        if isinstance(held, dict):
            document = cast("dict[str, Any]", held)
            return json.dumps(document["result"] if set(document) == {"result"} else document).encode()
        raise ReadError("the answer holds no JSON")


def offered_names(offered: Collection[str], allowed: Collection[str]) -> dict[str, str]:
    """Return what a gateway calls the allowed tools: all of them behind one and the same prefix, or else no name but their own."""
    names = frozenset(offered)
    if names & frozenset(allowed) or not allowed:
        return {}
    first = min(allowed)
    prefixes = {name.removesuffix(first) for name in names if name.endswith(first)}
    whole = [
        prefix
        for prefix in prefixes
        if _PREFIX.fullmatch(prefix) and all(f"{prefix}{tool}" in names for tool in allowed)
    ]
    return {tool: f"{whole[0]}{tool}" for tool in allowed} if len(whole) == 1 else {}


def _error(text: str) -> str:
    """Return the message of an error that comes as `{"error": ...}` or plainly."""
    try:
        return str(json.loads(text)["error"])
    except (ValueError, TypeError, KeyError):
        return text


def _timed_out(error: Exception) -> bool:
    return isinstance(error, TimeoutError) or "timed out" in str(error)


def _refused(error: Exception) -> bool:
    """Tell whether the server answered with an error of the protocol: asking again would change nothing."""
    return type(error).__name__ in ("McpError", "MCPError") and "closed" not in str(error).lower()


def _short(error: BaseException, token: str | None) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return _line(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, token)


def _line(text: str, token: str | None) -> str:
    """Return one short line without the token."""
    line = " ".join(text.split())[:_TEXT]
    return line.replace(token, "***") if token else line
