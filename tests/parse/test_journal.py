"""The journal that systemd keeps, asked for as JSON, reads like the system log it is."""

from __future__ import annotations

import json
from pathlib import Path

from runtriage.api.diagnosis import diagnose
from tests.parse.documents import parsed


def record(seconds: int, words: object, host: str = "gn07", **more: str) -> str:
    said = {"__REALTIME_TIMESTAMP": str(1794621600000000 + seconds * 1000000), "_HOSTNAME": host, "MESSAGE": words}
    return json.dumps({**said, "SYSLOG_IDENTIFIER": "kernel", "_TRANSPORT": "kernel", **more}) + "\n"


def log(*records: str) -> str:
    return parsed("gn07-journal.json", "kernel", "".join(records).encode()).logs["journal.log"].decode()


def test_each_record_is_a_line_of_its_host_and_program_in_order_of_time():
    told = log(record(60, "second"), record(1, "first", SYSLOG_IDENTIFIER="slurmd", _PID="812"))
    assert told.splitlines() == [
        "2026-11-14T02:00:01.000000+00:00 gn07 slurmd[812]: first",
        "2026-11-14T02:01:00.000000+00:00 gn07 kernel: second",
    ]


def test_a_message_of_bytes_and_one_of_several_lines_are_one_line_each():
    assert log(record(1, [72, 105, 10, 33]), record(2, "a\nb")).splitlines()[0].endswith("kernel: Hi !")


def test_records_that_are_cut_or_hold_no_words_say_nothing():
    assert log(record(1, "kept"), record(2, None), record(3, "cut")[:-9]).count("\n") == 1


def test_a_gpu_that_left_the_bus_is_found_in_a_journal_with_its_node(tmp_path: Path):
    (tmp_path / "gn07-journal.json").write_text(
        record(1, "usb 1-1: new high-speed USB device")
        + record(9, "NVRM: Xid (PCI:0000:5d:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.")
    )
    report = diagnose(str(tmp_path))
    assert (report.failure_mode, report.culprit.node if report.culprit else None) == ("cuda/fell-off-bus", "gn07")


def test_a_time_of_characters_that_are_no_decimal_digits_is_no_time():
    assert log(record(1, "kept"), record(2, "odd", __REALTIME_TIMESTAMP="\u00b2\u00b3")).count("\n") == 1
