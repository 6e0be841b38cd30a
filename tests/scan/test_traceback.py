from __future__ import annotations

import traceback

import pytest

from runtriage.scan.contract import Row
from runtriage.scan.draft import Draft
from runtriage.scan.traceback import TRUNCATED, read_traceback
from tests.scan.cueing import faults, log, printed
from tests.scan.reading import holds, read


def recorded(name: str) -> list[Draft]:
    return faults(log(f"tracebacks/{name}.txt"))


def kinds(found: list[Draft]) -> list[tuple[str, str | None]]:
    return [(draft.name, draft.captures.get("chain")) for draft in found]


def raised(error: BaseException) -> str:
    try:
        raise error
    except BaseException:  # noqa: BLE001 - whatever was asked for is printed
        return traceback.format_exc()


def test_a_plain_traceback_gives_type_message_frames_and_cites_its_last_line():
    text = "step 1\n" + raised(ValueError("no such shard: 7")) + "Killed\n"
    (draft,) = faults(text)
    assert draft.name == "ValueError"
    assert printed(text, draft) == "ValueError: no such shard: 7"
    assert draft.captures["message"] == "no such shard: 7"
    assert draft.captures["raised_in"].endswith(f"test_traceback.py:{raised.__code__.co_firstlineno + 2}")
    assert draft.captures["function"] == "raised"
    assert "chain" not in draft.captures
    assert text[int(draft.numbers["from"]) : int(draft.numbers["to"])].startswith("Traceback (most recent")


def test_headers_without_anything_below_them_hide_no_traceback_and_are_not_read_to_their_end():
    text = "Traceback (most recent call last):\n" * 40
    assert any(draft.name == "ValueError" for draft in faults(text + raised(ValueError("no such shard: 7"))))
    looked = 0

    def rows():
        nonlocal looked
        for number in range(40):
            looked += 1
            yield Row(number * 36, number * 36 + 35, b"Traceback (most recent call last):")

    assert read_traceback("traceback", rows()).drafts == []
    assert looked < 20


def test_causes_printed_before_are_inner_and_the_last_is_outer():
    assert kinds(recorded("chained")) == [
        ("json.decoder.JSONDecodeError", "inner"),
        ("RuntimeError", "inner"),
        ("KeyError", "outer"),
    ]


def test_the_user_frame_is_the_innermost_outside_installed_and_standard_code():
    inner = recorded("chained")[0]
    assert inner.captures["raised_in"] == "/usr/local/lib/python3.11/json/decoder.py:353"
    assert inner.captures["module"] == "json"
    assert inner.captures["user_frame"] == "/home/ml/project/chained.py:4"
    assert inner.captures["user_function"] == "load"


def test_the_parts_of_an_exception_group_are_inner_and_groups_are_outer():
    found = recorded("group")
    assert kinds(found) == [
        ("ExceptionGroup", "outer"),
        ("ValueError", "inner"),
        ("OSError", "inner"),
        ("ExceptionGroup", "outer"),
        ("TypeError", "inner"),
    ]
    assert found[2].captures["user_frame"] == "/home/ml/project/group.py:2"


@pytest.mark.parametrize("name", ["pool", "futures", "joblib"])
def test_a_traceback_quoted_from_a_worker_process_is_the_remote_cause(name: str):
    inner, outer = recorded(name)
    assert (inner.name, inner.captures["remote"], inner.captures["chain"]) == ("ZeroDivisionError", "yes", "inner")
    assert inner.captures["user_function"] == "work"
    assert outer.captures["chain"] == "outer"
    assert "remote" not in outer.captures


def test_a_data_loader_worker_s_original_traceback_is_the_cause_of_the_one_around_it():
    outer, inner = recorded("dataloader")
    assert outer.captures["message"] == "Caught KeyError in DataLoader worker process 0."
    assert (inner.name, inner.captures["message"]) == ("KeyError", "'label'")
    assert inner.captures["user_frame"] == "/home/ml/project/dl.py:6"
    assert kinds([outer, inner]) == [("KeyError", "outer"), ("KeyError", "inner")]


def test_a_spawned_process_s_error_is_the_cause_and_names_the_process():
    outer, inner = recorded("spawn-raise")
    assert outer.name == "torch.multiprocessing.spawn.ProcessRaisedException"
    assert (inner.name, inner.captures["chain"], inner.subject.local_rank) == ("ValueError", "inner", 1)


def test_a_boxed_traceback_reads_like_a_plain_one():
    (draft,) = recorded("rich")
    assert (draft.name, draft.captures["message"]) == ("ZeroDivisionError", "division by zero")
    assert draft.captures["user_frame"] == "/home/ml/project/richtb.py:6"
    assert draft.captures["user_function"] == "step"


def test_a_traceback_that_a_logger_printed_before_the_program_went_on_is_logged():
    for name in ("logged", "loguru"):
        assert [draft.captures.get("logged") for draft in recorded(name)] == ["yes"]


def test_a_traceback_that_a_logger_printed_last_is_not_logged_away():
    (draft,) = recorded("crashlogged")
    assert "logged" not in draft.captures


def test_ignored_exceptions_say_so_and_threads_are_named():
    thread, finaliser, at_exit = recorded("thread")
    assert thread.captures["thread"] == "prefetcher"
    assert finaliser.captures["ignored"] == at_exit.captures["ignored"] == "yes"
    assert [draft.captures.get("ignored") for draft in recorded("aio")] == ["yes"]


def test_a_syntax_error_without_a_header_is_read_with_its_place():
    (alone,), (imported,) = recorded("syntax"), recorded("imports-syntax")
    for draft in (alone, imported):
        assert (draft.name, draft.captures["user_frame"]) == ("SyntaxError", "/home/ml/project/syntax.py:1")


def test_repeated_frames_are_skipped():
    (draft,) = recorded("recurse")
    assert (draft.name, draft.numbers["frames"]) == ("RecursionError", 4.0)


def test_a_fatal_interpreter_error_takes_the_frames_of_the_current_thread():
    (draft,) = recorded("fault")
    assert (draft.name, draft.captures["message"]) == ("Fatal Python error", "Segmentation fault")
    assert draft.captures["raised_in"] == "/usr/local/lib/python3.11/ctypes/__init__.py:519"
    assert draft.captures["user_frame"] == "/home/ml/project/fault.py:4"


def test_lines_of_other_ranks_between_do_not_disturb():
    text = "\n".join(
        [
            "[rank0]: Traceback (most recent call last):",
            "[rank1]: Traceback (most recent call last):",
            '[rank0]:   File "/home/ml/train.py", line 5, in <module>',
            '[rank1]:   File "/home/ml/train.py", line 9, in <module>',
            "[rank1]:     batch = next(it)",
            "[rank0]:     loss.backward()",
            "[rank1]: StopIteration",
            "[rank0]: RuntimeError: Connection closed by peer",
            "",
        ]
    )
    found = faults(text)
    assert sorted((draft.name, draft.captures["user_frame"]) for draft in found) == [
        ("RuntimeError", "/home/ml/train.py:5"),
        ("StopIteration", "/home/ml/train.py:9"),
    ]


def test_two_tracebacks_mixed_without_prefixes_give_both_exceptions():
    frame = '  File "/home/ml/train.py", line 5, in <module>'
    text = "\n".join(
        ["Traceback (most recent call last):"] * 2 + [frame, frame, "ValueError: a", "RuntimeError: b", ""]
    )
    assert [draft.name for draft in faults(text)] == ["ValueError", "RuntimeError"]


def test_log_lines_inside_a_traceback_are_stepped_over():
    text = "\n".join(
        [
            "Traceback (most recent call last):",
            '  File "/home/ml/train.py", line 5, in <module>',
            "2026-11-29 13:00:18,972 INFO rank1 step 5 loss 2.0",
            "loss: 2.0",
            "    main()",
            "ValueError: bad",
            "",
        ]
    )
    assert [(draft.name, draft.captures["message"]) for draft in faults(text)] == [("ValueError", "bad")]


def test_a_traceback_that_was_cut_is_kept_as_truncated():
    text = 'Traceback (most recent call last):\n  File "/home/ml/train.py", line 5, in <module>\n    main()\n'
    (draft,) = faults(text)
    assert (draft.name, draft.captures["truncated"]) == (TRUNCATED, "yes")
    assert printed(text, draft) == "Traceback (most recent call last):"


def test_a_bare_exception_line_counts_and_a_warning_or_a_sentence_does_not():
    text = "RuntimeError: CUDA error\nUserWarning: old\nThis is not an Error: really\n2026-01-01 10:00:00 ERROR ValueError: x\n"
    assert [(draft.name, draft.captures["bare"]) for draft in faults(text)] == [("RuntimeError", "yes")]


def test_a_bare_exception_that_the_program_went_on_from_is_logged():
    (draft,) = faults("OSError: cannot read 7.png\n2026-01-01 10:00:00,000 INFO step 8 loss 1.0\n")
    assert draft.captures["logged"] == "yes"


def test_a_message_that_starts_on_the_next_line_is_found():
    text = 'Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nmod.ConfigError: \n  bad key: lr\n'
    (draft,) = faults(text)
    assert (draft.name, draft.captures["message"]) == ("mod.ConfigError", "bad key: lr")


def test_cpp_exceptions_carry_their_type_and_what_they_say():
    text = "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\nAborted (core dumped)\n"
    (draft,) = faults(text)
    assert (draft.name, draft.captures) == ("std::bad_alloc", {"module": "c++", "message": "std::bad_alloc"})
    assert printed(text, draft).count("\n") == 1


def test_a_ray_task_error_wraps_the_worker_s_exception():
    text = "\n".join(
        [
            "Traceback (most recent call last):",
            '  File "/home/ml/train.py", line 40, in <module>',
            "    ray.get(ref)",
            "ray.exceptions.RayTaskError(ValueError): ray::train_fn() (pid=123, ip=10.0.0.1)",
            '  File "/home/ml/train.py", line 12, in train_fn',
            '    raise ValueError("bad rows")',
            "ValueError: bad rows",
            "",
        ]
    )
    outer, inner = faults(text)
    assert (outer.name, outer.captures["chain"]) == ("ray.exceptions.RayTaskError(ValueError)", "outer")
    assert (inner.captures["chain"], inner.captures["remote"], inner.captures["user_frame"]) == (
        "inner",
        "yes",
        "/home/ml/train.py:12",
    )


@pytest.mark.parametrize(
    "line",
    [
        b"a." * 2000,
        b"A" * 4096,
        b"  " * 2000,
        b'  File "' + b"x" * 4000,
        b"(" * 4000,
        b"| " * 2000,
        b"+-" * 2000,
        b"~^" * 2000,
    ],
    ids=["dots", "letters", "blanks", "file", "brackets", "margins", "rules", "markers"],
)
def test_hostile_lines_are_read_in_bounded_work_and_give_no_exception(line: bytes):
    rows = [Row(0, 0, b""), Row(0, 1, b"Traceback (most recent call last):"), *[Row(1, 2, line)] * 500]
    assert [draft.name for draft in read_traceback("traceback", iter(rows)).drafts] in ([], ["A" * 81], [TRUNCATED])


def test_the_engine_finds_every_rank_s_exception_in_an_interleaved_cascade():
    stack = [
        "Traceback (most recent call last):",
        '  File "/home/ml/train.py", line 5, in <module>',
        "    main()",
        "RuntimeError: peer gone",
    ]
    lines = [f"[rank{rank}]: {line}" for line in stack for rank in range(32)]
    events = [event for event in read("\n".join(lines).encode()).events if event.kind == "exception"]
    assert sorted(event.subject.rank or 0 for event in events) == list(range(32))
    assert {event.captures["user_frame"].raw for event in events} == {"/home/ml/train.py:5"}


def test_the_engine_knows_a_logged_exception_on_the_first_line_s_speaker():
    text = (
        "[rank1]: 2026-01-01 10:00:00 ERROR skipping a batch\n[rank0]: x\n[rank1]: Traceback (most recent call last):\n"
    )
    text += '[rank1]:   File "t.py", line 1, in f\n[rank1]: KeyError: 1\n[rank1]: 2026-01-01 10:00:01 INFO step 5 loss 1.0\n'
    (event,) = [event for event in read(text.encode()).events if event.kind == "exception"]
    assert event.captures["logged"].raw == "yes"


def test_words_of_another_process_between_frames_are_no_exception():
    text = "\n".join(
        [
            "Traceback (most recent call last):",
            '  File "/home/ml/train.py", line 5, in <module>',
            "Epoch: 3",
            "    main()",
            '  File "/home/ml/train.py", line 9, in main',
            "Loss: 2.0",
            "OSError: [Errno 5] Input/output error",
            "",
        ]
    )
    assert [(draft.name, draft.captures["user_frame"]) for draft in faults(text)] == [
        ("OSError", "/home/ml/train.py:9")
    ]


def test_a_traceback_taller_than_what_is_looked_at_is_named_by_its_last_line():
    frames = "".join(
        f'  File "/w/model.py", line {n % 97}, in forward\n    x = self.layer{n}(x)\n' for n in range(3000)
    )
    text = f"step 1\nTraceback (most recent call last):\n{frames}RecursionError: maximum recursion depth exceeded\n"
    (event,) = (event for event in read(text.encode()).events if event.kind == "exception")
    assert event.name == "RecursionError"
    assert holds(text.encode(), event.citation)
    assert event.citation.last_line == text.count("\n")


def test_a_tall_traceback_that_the_log_ends_in_is_kept_as_truncated():
    frames = "".join(f'  File "/w/model.py", line {n % 97}, in forward\n    x = self.layer{n}(x)\n' for n in range(500))
    (draft,) = faults(f"Traceback (most recent call last):\n{frames}")
    assert draft.name == TRUNCATED


def test_parts_of_a_group_that_were_never_raised_have_the_place_of_the_group() -> None:
    text = """  + Exception Group Traceback (most recent call last):
  |   File "/home/ml/project/launch.py", line 33, in check
  |     raise ExceptionGroup("the plan has 2 problems", found)
  | ExceptionGroup: the plan has 2 problems (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | PlanProblem: 30 layers cannot be dealt evenly to 4 stages
    +---------------- 2 ----------------
    | PlanProblem: global batch 64 is no multiple of micro batch 6
    +------------------------------------
"""

    group, *parts = [event for event in read(text.encode()).events if event.kind == "exception"]

    assert group.name == "ExceptionGroup"
    assert [part.name for part in parts] == ["PlanProblem", "PlanProblem"]
    assert {part.captures["raised_in"].raw for part in parts} == {"/home/ml/project/launch.py:33"}
