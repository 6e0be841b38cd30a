"""Work in a thread that tells how far it is, and that ends soon after its client went away or its time is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from runtriage.api.watch import StoppedError, Watch

Result = TypeVar("Result")
_EVERY = 0.25


async def watched(work: Callable[[Watch], Result], context: Context[Any, Any], seconds: float) -> Result:
    """Do the work in a thread and report its progress to the client. Raises `ToolError` where it takes too long."""
    watch = Watch(seconds)
    outcome: list[Result] = []
    faults: list[Exception] = []

    def guarded() -> None:
        try:
            outcome.append(work(watch))
        except StoppedError:
            return
        except Exception as error:  # noqa: BLE001 - raised again below, outside the group that would wrap it
            faults.append(error)

    async with anyio.create_task_group() as group:

        async def tell() -> None:
            told = -1
            while True:
                await anyio.sleep(_EVERY)
                if watch.read > told:
                    told = watch.read
                    await context.report_progress(watch.read, watch.total, "bytes read")

        group.start_soon(tell)
        try:
            with anyio.move_on_after(seconds):
                await anyio.to_thread.run_sync(guarded, abandon_on_cancel=True)
        finally:
            watch.stopped = True
        group.cancel_scope.cancel()
    if faults:
        raise faults[0]
    if not outcome:
        raise ToolError(f"it took longer than {seconds:g} s; name a smaller target, or pass last_lines")
    return outcome[0]
