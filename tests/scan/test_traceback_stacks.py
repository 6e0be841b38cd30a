"""Stacks that faulthandler prints between the lines of a log become states, rank by rank."""

from __future__ import annotations

import faulthandler
import queue
import tempfile
import threading

import pytest

from runtriage.model.event import STATE
from runtriage.model.raw import RawEvent
from tests.scan.reading import read

STEP = "step 4/900 loss=2.6\n"


def dumped(limit: float | None) -> str:
    """What faulthandler of this very interpreter prints of a thread that waits for data, and of the main thread."""
    held: queue.Queue[None] = queue.Queue()

    def load_batch() -> None:
        held.get()

    thread = threading.Thread(target=load_batch, name="loader", daemon=True)
    thread.start()
    with tempfile.TemporaryFile("w+") as file:
        if limit is None:
            faulthandler.dump_traceback(file)
        else:
            faulthandler.dump_traceback_later(limit, file=file)
            threading.Event().wait(limit * 3)
        held.put(None)
        thread.join()
        file.seek(0)
        return file.read()


def states(text: str) -> list[RawEvent]:
    return [event for event in read(text.encode()).events if event.kind == STATE]


def named(events: list[RawEvent], name: str) -> RawEvent:
    (one,) = (event for event in events if event.name == name)
    return one


@pytest.mark.parametrize("limit", [None, 0.2])
def test_the_main_thread_is_told_from_the_others(limit: float | None) -> None:
    found = states(STEP + dumped(limit) + STEP)
    main = named(found, "stack/main")
    assert ("asked" in main.captures) is (limit is None)
    assert "dumped (" in main.captures["frames"].raw
    assert any("load_batch (" in one.captures["own"].raw for one in found if one.name == "stack/thread")
    assert any(event.name == "stack/timeout" for event in found) is (limit is not None)


def test_each_rank_has_its_own_stack_though_lines_are_interleaved() -> None:
    main = 'Thread 0x00007f8ee648eb80 (most recent call first):\n  File "/w/train.py", line {} in {}\n  File "/w/train.py", line 40 in <module>\n'
    ranks = [("Timeout (0:00:04)!\n" + main.format(10 + rank, f"f{rank}")).splitlines() for rank in range(3)]
    mixed = "".join(f"[rank{rank}]: {lines[row]}\n" for row in range(4) for rank, lines in enumerate(ranks))
    found = [event for event in states(mixed) if event.name == "stack/main"]
    assert {event.subject.rank: event.captures["own"].raw for event in found} == {
        rank: f"f{rank} (/w/train.py:{10 + rank})" for rank in range(3)
    }


def test_a_dump_of_a_fatal_error_stays_the_errors_own() -> None:
    text = f'Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f8ee648eb80 (most recent call first):\n  File "/w/a.py", line 3 in f\n{STEP}'
    assert states(text) == []


def test_a_dump_that_ends_in_the_middle_or_holds_no_frame_is_read_as_far_as_it_goes() -> None:
    cut = "Timeout (0:00:04)!\nThread 0x00007f8ee648eb80 (most recent call first):\n"
    assert states(cut) == []
    assert [event.name for event in states(cut + '  File "/w/a.py", line 3 in f')] == ["stack/timeout", "stack/main"]
    assert states(cut * 3000) == []


def test_a_stack_is_cited_by_what_it_waits_in_or_by_the_package_that_does() -> None:
    waits = [f'  File "/usr/lib/python3.11/queue.py", line {line} in get' for line in range(1, 5)]
    package = '  File "/v/site-packages/torch/utils/data/dataloader.py", line 9 in _try_get_data'
    head = "Timeout (0:00:04)!\nThread 0x00007f8ee648eb80 (most recent call first):\n"
    for frames, first in ((waits, 3), ([*waits, package], 5)):
        main = named(states(head + "\n".join([*frames, '  File "/w/train.py", line 3 in f', ""])), "stack/main")
        assert (main.citation.first_line, main.citation.last_line) == (first, first + 2)
