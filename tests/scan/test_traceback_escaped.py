"""Tracebacks that loggers print within one line."""

from __future__ import annotations

import json

import pytest

from tests.scan.cueing import faults

TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/srv/job/save.py", line 3, in <module>\n'
    '    torch.save(m, "/mnt/x.pt")\n'
    'OSError: [Errno 122] Disk quota exceeded: "/mnt/x.pt"\n'
)
RECORD = {"level": "error", "msg": "training failed", "exc": TRACEBACK, "step": 40}


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(RECORD),
        json.dumps({"message": "boom\n" + TRACEBACK}),
        json.dumps({"log": json.dumps(RECORD) + "\n", "stream": "stderr"}),
        str(RECORD),
    ],
)
def test_a_traceback_in_a_string_of_a_record_keeps_its_frames_and_its_message(line: str):
    (draft,) = faults(f'{{"level": "info", "step": 39}}\n{line}\n')
    assert draft.name == "OSError"
    assert draft.captures["message"] == '[Errno 122] Disk quota exceeded: "/mnt/x.pt"'
    assert draft.captures["user_frame"] == "/srv/job/save.py:3"


def test_a_record_of_a_warning_ends_nothing_and_what_work_follows_was_caught():
    (warned,) = faults(json.dumps({"level": "warning", "exc": TRACEBACK}) + "\n")
    assert warned.captures["ignored"] == "yes"
    (logged,) = faults(json.dumps(RECORD) + '\n{"level": "info", "step": 41, "loss": 2.0}\n')
    assert logged.captures["logged"] == "yes"


def test_records_in_a_row_are_tracebacks_of_their_own():
    assert len(faults(2 * (json.dumps(RECORD) + "\n"))) == 2


def test_a_traceback_that_is_cut_within_its_string_takes_nothing_from_the_lines_behind():
    found = faults(json.dumps(RECORD)[:150] + "\nValueError: of somebody else\n")
    assert [draft.name for draft in found if "user_frame" in draft.captures] == ["Traceback"]
