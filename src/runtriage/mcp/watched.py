"""Work in a thread that tells how far it is, and that ends soon after its client went away or its time is over."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import anyio
import anyio.from_thread
import anyio.lowlevel
from anyio.lowlevel import EventLoopToken
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from runtriage.api.watch import StoppedError, Watch

Result = TypeVar("Result")
_EVERY: Final = 0.25
_AT_ONCE: Final = 4
"""Calls that are worked on at the same time: each may hold hundreds of MB, and all share one interpreter, which also has to answer."""


class Desk:
    """Where calls are worked on, a few at a time; `seconds` is what one may take, its wait for a place included."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._places = anyio.CapacityLimiter(_AT_ONCE)

    async def watched(self, work: Callable[[Watch], Result], context: Context[Any, Any]) -> Result:
        """Do the work in a thread and report its progress to the client. Raises `ToolError` where it takes too long."""
        job = _Job(work, Watch(self._seconds), self._places)
        async with anyio.create_task_group() as group:
            group.start_soon(_tell, job.watch, context)
            try:
                with anyio.move_on_after(self._seconds):
                    await self._places.acquire_on_behalf_of(job)
                    job.start(anyio.lowlevel.current_token())
                    await job.ended.wait()
            finally:
                job.watch.stopped = True
            group.cancel_scope.cancel()
        if job.fault is not None:
            raise job.fault
        if job.outcome:
            return job.outcome[0]
        if not job.started:
            raise ToolError(f"{_AT_ONCE} other calls took all of its {self._seconds:g} s; ask again once they are over")
        raise ToolError(f"it took longer than {self._seconds:g} s; name a smaller target, or pass last_lines")


class _Job(Generic[Result]):
    """One piece of work. Its place is free only when its thread has ended, which may be later than its client's answer."""

    def __init__(self, work: Callable[[Watch], Result], watch: Watch, places: anyio.CapacityLimiter) -> None:
        self.watch = watch
        self.ended = anyio.Event()
        self.started = False
        self.outcome: list[Result] = []
        self.fault: Exception | None = None
        self._work = work
        self._places = places

    def start(self, loop: EventLoopToken) -> None:
        """Work in a thread that does not hold the process up when the server ends."""
        self.started = True
        threading.Thread(target=self._done, args=(loop,), daemon=True).start()

    def _done(self, loop: EventLoopToken) -> None:
        try:
            self.outcome.append(self._work(self.watch))
        except StoppedError:
            pass
        except Exception as error:  # noqa: BLE001 - raised again in the call, which may tell its client of it
            self.fault = error
        finally:
            with contextlib.suppress(anyio.RunFinishedError):  # the server ended first
                anyio.from_thread.run_sync(self._over, token=loop)

    def _over(self) -> None:
        self._places.release_on_behalf_of(self)
        self.ended.set()


async def _tell(watch: Watch, context: Context[Any, Any]) -> None:
    told = -1
    while True:
        await anyio.sleep(_EVERY)
        if watch.read > told:
            told = watch.read
            await context.report_progress(watch.read, watch.total, "bytes read")
