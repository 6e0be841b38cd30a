"""A client for versions of the SDK of years ago, run in an environment of its own: prints what it was told as JSON."""

from __future__ import annotations

import asyncio
import json
import sys


async def main() -> None:
    from mcp.client.stdio import stdio_client  # pyright: ignore

    from mcp import ClientSession, StdioServerParameters  # pyright: ignore

    started = StdioServerParameters(
        command=sys.argv[1], args=["-m", "runtriage", "mcp", "--allow", "."], env=json.loads(sys.argv[2])
    )
    async with stdio_client(started) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        tools = await session.list_tools()
        found = await session.call_tool("diagnose", {"target": "failed.log"})
        refused = await session.call_tool("diagnose", {"target": "../failed.log"})
    said = [[each.isError, each.content[0].text] for each in (found, refused)]
    print(json.dumps({"protocol": hello.protocolVersion, "tools": [tool.name for tool in tools.tools], "said": said}))


asyncio.run(main())
