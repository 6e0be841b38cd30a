"""One line for arguments that do not fit a tool."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import ValidationError


class Server(MCPServer):
    """A server whose tools refuse arguments they do not know, and say in one line what is wrong with the others."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises `ToolError`, one line."""
        known: dict[str, dict[str, Any]] = {
            tool.name: tool.input_schema.get("properties", {}) for tool in await self.list_tools()
        }
        if name not in known:
            raise ToolError(f"there is no tool {name[:40]!r}; there are {', '.join(known)}")
        for given in arguments:
            if given not in known[name]:
                near = get_close_matches(given, known[name], n=1)
                hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known[name])}"
                raise ToolError(f"{name} takes no argument {given[:40]!r}; {hint}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"{name}: {_said(error.__cause__)}") from None
            if isinstance(error.__cause__, ToolError):
                raise ToolError(f"{name}: {error.__cause__}") from None
            raise


def _said(error: ValidationError) -> str:
    faults = [f"{'.'.join(map(str, item['loc']))}: {item['msg'].lower()}" for item in error.errors(include_url=False)]
    return "; ".join(faults)[:300]
