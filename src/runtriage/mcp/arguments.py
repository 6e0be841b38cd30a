"""One line for arguments that do not fit a tool or a prompt, and for faults of this program itself."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any, Final, cast

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult
from pydantic import ValidationError

from runtriage.mcp.wire import Wire
from runtriage.redact import clean

_TEXT: Final = 2000
"""Characters that one argument of a prompt may have."""
_FAULT: Final = 600


class Server(MCPServer):
    """A server whose tools and prompts refuse arguments they do not know, and say in one line what is wrong with the others."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises `ToolError`, one line."""
        known: dict[str, dict[str, Any]] = {
            tool.name: tool.input_schema.get("properties", {}) for tool in await self.list_tools()
        }
        if name not in known:
            raise ToolError(_absent("tool", name, known))
        fault = _unknown(name, arguments, known[name])
        if fault is not None:
            raise ToolError(fault)
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            if os.environ.get("RUNTRIAGE_DEBUG"):
                raise
            kind = type(error.__cause__).__name__
            raise ToolError(f"{name}: an error of runtriage, not of the run ({kind})") from None
        except ToolError as error:
            cause = error.__cause__
            said = _said(cause) if isinstance(cause, ValidationError) else str(cause or error)
            raise ToolError(f"{name}: {_shown(said)}") from None

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Return a prompt. Raises `MCPError`, one line."""
        prompts = {prompt.name: prompt.arguments or [] for prompt in await self.list_prompts()}
        given = arguments or {}
        fault = _absent("prompt", name, prompts) if name not in prompts else None
        fault = fault or _unknown(name, given, [each.name for each in prompts[name]])
        lacking = [each.name for each in prompts.get(name, ()) if each.required and each.name not in given]
        if fault is None and lacking:
            fault = f"{name}: {lacking[0]}: field required"
        if fault is None and any(len(str(value)) > _TEXT for value in given.values()):
            fault = f"{name}: an argument should have at most {_TEXT} characters"
        if fault is not None:
            raise MCPError(INVALID_PARAMS, fault)
        return await super().get_prompt(name, arguments, context)

    async def run_stdio_async(self) -> None:
        """Answer on standard output what comes on standard input, until that ends."""
        wire = Wire()
        incoming = cast("anyio.AsyncFile[str]", wire)  # nothing but its lines is asked for
        try:
            async with stdio_server(stdin=incoming) as (reading, writing):
                wire.answered_by(writing.send)
                inner = self._lowlevel_server
                await inner.run(reading, writing, inner.create_initialization_options())
        except* BrokenPipeError:  # the client went away without a word
            pass


def _absent(kind: str, name: str, known: Collection[str]) -> str:
    return f"there is no {kind} {name[:40]!r}; there are {', '.join(known)}"


def _unknown(name: str, given: Mapping[str, Any], known: Collection[str]) -> str | None:
    """Return what to say of the first argument that is not known."""
    for each in given:
        if each not in known:
            near = get_close_matches(each[:100], known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known)}"
            return f"{name} takes no argument {each[:40]!r}; {hint}"
    return None


def _shown(said: str) -> str:
    """Return one line of a fault, which may quote a name or what a server answered, as it may leave the tool."""
    try:
        return clean(" ".join(said.split()))[:_FAULT]
    except ValueError:
        return "a fault whose text may not be shown"


def _said(error: ValidationError) -> str:
    faults = [f"{'.'.join(map(str, item['loc']))}: {item['msg'].lower()}" for item in error.errors(include_url=False)]
    return "; ".join(faults)
