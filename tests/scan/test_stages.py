"""What a driver of several stages reports at the end of a log."""

from __future__ import annotations

import pytest

from tests.scan.reading import read


def told(lines: list[str]) -> list[tuple[str, str]]:
    events = [event for event in read("\n".join([*lines, ""]).encode()).events if event.name.startswith("stages/")]
    return [(event.name.removeprefix("stages/"), event.excerpt.raw.rpartition("\n")[2]) for event in events]


@pytest.mark.parametrize(
    ("lines", "root"),
    [
        (
            [
                "02:05 nightly[driver] clean ... ok",
                "02:06 nightly[driver] embed ... gave up after 3 tries",
                "02:06 nightly[driver] fit ... not attempted",
            ],
            1,
        ),
        (
            [
                '{"node": "ingest", "state": "succeeded"}',
                '{"node": "embed", "state": "failed", "code": 17}',
                '{"node": "fit", "state": "blocked", "by": ["embed"]}',
            ],
            1,
        ),
        (["[runner] stage prep exited with 4; skipping train, eval"], 0),
        (
            [
                "== step 2/3 index: ok",
                "ranker needs index/part-0.faiss, which index did not leave behind",
                "== step 3/3 ranker: not started",
            ],
            1,
        ),
        (
            [
                "09:00:00   extract    success    42 s",
                "09:00:42   validate   failed      3 s   rows=0 expected>1000",
                "09:00:45   train      not run",
            ],
            1,
        ),
        (
            [
                "  pull-corpus    SUCCEEDED  00:03:10",
                "  pretrain       TIMED_OUT  06:00:00",
                "  finetune       ABORTED    -",
            ],
            1,
        ),
        (["[flow] gather ok 12s", "[flow] shard ok 0.1s", "[flow] fit exit 3", "[flow] 2 good, none left"], 2),
        (
            [
                "agent gpu-05 lost, no heartbeat",
                "task b died with gpu-05",
                "task c was never placed",
            ],
            1,
        ),
    ],
)
def test_a_stage_that_failed_and_what_was_not_begun_for_it_are_told(lines: list[str], root: int) -> None:
    assert told(lines) == [("failed", lines[root])]


def test_what_the_stage_said_itself_right_above_is_cited_with_what_is_said_of_it() -> None:
    lines = ["[p] stage prep", "prep: 0 archives in the inbox", "[p] stage prep exited with 4; skipping stage train"]

    (event,) = [event for event in read("\n".join([*lines, ""]).encode()).events if event.name == "stages/failed"]

    assert (event.citation.first_line, event.citation.last_line) == (2, 3)


@pytest.mark.parametrize(
    "lines",
    [
        ["Stage 'prepare' didn't change, skipping", "Stage 'train' didn't change, skipping"],
        ["[p] stage report failed (optional), skipping", "[p] stage train done", "[p] pipeline done"],
        [
            "[p] task a failed, attempt 1",
            "[p] task b was not started yet",
            "[p] task a succeeded",
            "[p] all tasks done",
        ],
        ["step 40 loss 0.4", "step 41 failed to parse a record, skipped", "step 42 loss 0.4"],
        ["test_stage_fails ... ok", "test_step_skipped ... skipped 'no GPU'", "3 passed, 1 skipped, 1 xfailed"],
        ["job eval failed the gate once", "skipping checkpoint, no improvement"],
        ["worker 3 exited with code 0", "pipeline stage publish skipped by request"],
        ["node gpu-1: 2 rows failed validation, dropped 2 rows", "stage clean done", "stage train done"],
    ],
)
def test_what_goes_on_or_was_left_out_on_purpose_is_not(lines: list[str]) -> None:
    assert told(lines) == []


def test_a_stage_that_refuses_what_a_stage_before_it_made_is_told() -> None:
    made = ["python features.py --day 9 > features.tsv", "features.tsv: done", "python fit.py features.tsv model.npz"]
    refused = "fit: features.tsv has 0 rows, nothing to fit on"

    assert told([*made, refused, "make: *** [Makefile:4: model.npz] Error 1"]) == [("handed", refused)]


@pytest.mark.parametrize(
    "lines",
    [
        ["python features.py > features.tsv", "python fit.py features.tsv", "fit: features.tsv has 40 rows"],
        ["python fit.py features.tsv", "features.tsv: 40 rows", "fit: features.tsv has no column day"],
        ["> stage a", "wrote a.tsv", "> stage b", "WARNING a.tsv has no header", "b.tsv: 40 rows", "> stage c", "done"],
    ],
)
def test_a_file_of_the_same_stage_or_a_remark_on_one_is_not(lines: list[str]) -> None:
    assert told(lines) == []


HOLLOW = [
    "[nightly] step 1/3 extract",
    "extract: query returned 0 rows in 11.8s",
    "[nightly] step 1/3 ok (0)",
    "[nightly] step 2/3 train",
    "train: read data/trips.csv",
    "[nightly] step 2/3 ok (0)",
    "[nightly] step 3/3 gate",
    "gate: promotion refused, the newest trip is 8 days old",
    "[nightly] finished",
]


def test_a_stage_that_brought_nothing_is_told_where_a_gate_refuses_at_the_end() -> None:
    assert told(HOLLOW) == [("hollow", HOLLOW[1])]


@pytest.mark.parametrize(
    "lines",
    [
        [*HOLLOW[:7], "gate: promoted", HOLLOW[8]],
        [HOLLOW[0], "extract: found no duplicates", *HOLLOW[2:]],
        [HOLLOW[0], "extract: query returned 4000 rows", *HOLLOW[2:]],
    ],
)
def test_a_stage_that_brought_something_or_a_gate_that_is_open_is_no_hollow_stage(lines: list[str]) -> None:
    assert told(lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["  trial 1   ok      0.2", "  trial 2   failed  -", "  trial 3   failed  -"],
        ["  prep   ok      0.2", "  plots   failed  -", "  train   ok      9.1"],
        ["  plots   failed  -", "  mails   failed  -"],
    ],
)
def test_rows_that_are_numbered_or_followed_by_good_ones_or_all_bad_are_no_report_of_stages(lines: list[str]) -> None:
    assert told(lines) == []


_MISSED = [
    "encoder: reading vocab.json",
    "Traceback (most recent call last):",
    '  File "/w/train_encoder.py", line 3, in <module>',
    '    vocab = json.load(open("vocab.json"))',
    "FileNotFoundError: [Errno 2] No such file or directory: 'vocab.json'",
    "make: *** [Makefile:7: encoder.pt] Error 1",
]


@pytest.mark.parametrize(
    "behind",
    [
        ["make: *** Waiting for unfinished jobs....", "vocab: wrote vocab.json, 90 entries"],
        ["[vocab] saved out/vocab.json"],
        ["10:02:11 vocab | exported vocab.json"],
    ],
)
def test_a_file_that_another_stage_writes_later_was_not_waited_for(behind: list[str]) -> None:
    assert told([*_MISSED, *behind]) == [("late", _MISSED[4])]


@pytest.mark.parametrize(
    "behind",
    [
        [],
        ["vocab: could not write vocab.json"],
        ["vocab: wrote words.json"],
        ["encoder: waiting for vocab.json", "vocab: wrote vocab.json", "encoder: reading vocab.json"],
        ["encoder: wrote vocab.json"],
        ["wrote vocab.json"],
        ["deploy: would have written vocab.json"],
    ],
)
def test_a_file_that_nobody_else_writes_or_that_its_reader_comes_back_to_is_only_missing(behind: list[str]) -> None:
    assert told([*_MISSED, *behind]) == []


@pytest.mark.parametrize(
    "line",
    [
        "[02:00:25] {extract.py:77} INFO - wrote 0 rows to gs://ctr/clicks.parquet",
        "exported no records to out/day.csv",
        "0 rows were inserted into daily",
    ],
)
def test_a_task_that_wrote_nothing_is_told(line: str) -> None:
    assert told(["query finished", line, "done"]) == [("empty", line)]


@pytest.mark.parametrize(
    "line",
    [
        "wrote 0 bad rows to rejects.csv",
        "wrote 10 rows to day.csv",
        "saved 0 errors",
        "wrote 0 duplicates",
        "found 0 rows",
        "loss 0 samples 12",
    ],
)
def test_what_is_good_to_have_none_of_or_was_only_found_is_not_told(line: str) -> None:
    assert told(["query finished", line, "done"]) == []
