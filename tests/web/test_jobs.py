"""What is shown of an upload is one moment of it, however far the thread that reads it goes meanwhile."""

from __future__ import annotations

import io
import threading

from runtriage.model.target import Progress
from runtriage.web.jobs import Diagnosed, Jobs, Named


def test_what_is_shown_of_an_upload_does_not_change_while_it_is_shown() -> None:
    reads, goes_on = threading.Event(), threading.Event()

    def diagnose(target: Named, progress: Progress) -> Diagnosed:
        reads.set()
        goes_on.wait(30)
        raise OSError("the disk is gone")

    jobs = Jobs(diagnose)
    identity = jobs.submit(io.BytesIO(b"step 1 loss 2\n"), "a.log", 14).id
    assert reads.wait(30)
    shown = jobs.get(identity)
    goes_on.set()
    jobs._pool.shutdown(wait=True)  # pyright: ignore[reportPrivateUsage] - the job is over, and its end is what is compared
    ended = jobs.get(identity)
    assert shown is not None and (shown.state, shown.fault) == ("reading", None)
    assert ended is not None and (ended.state, ended.fault) == ("failed", "the disk is gone")
