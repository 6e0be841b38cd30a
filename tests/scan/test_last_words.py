from __future__ import annotations

import pytest

from runtriage.model.event import CLOSING, EXCEPTION
from tests.scan.reading import read


def said(text: str) -> list[str]:
    data = text.encode()
    found = [event for event in read(data).events if event.kind == EXCEPTION and "said" in event.captures]
    return [data[event.citation.byte_start : event.citation.byte_end].decode() for event in found]


@pytest.mark.parametrize(
    "sentence",
    [
        "GPU-hour quota of team vision is used up: 0.0 of 120.0 h left",
        "refusing to train on a table without labels",
        "Error: could not find checkpoint runs/a/last.ckpt",
        "--lr must be above 0, got -1",
        "c.pt holds no EMA shadow parameters, was it written with --no-ema?",
        "[preflight] stage tokenize exited with 4; skipping train",
        "found 0 tiles under /srv/tiles: nothing usable",
        "upstream task shard-build is FAILED, train will not be run",
        "2026-01-01 10:00:00 flow | StageFailed: fit not started: stage tokens is in state 'failed'",
        "[2026-01-01 10:00:00][ERROR] clip 6 was recorded at 22050 Hz",
    ],
)
def test_a_sentence_that_refuses_and_stands_last_is_what_ended_the_program(sentence: str):
    assert said(f"loading\n{sentence}\n") == [sentence]


@pytest.mark.parametrize(
    "after",
    [
        "make: *** [Makefile:12: train] Error 1",
        "run.sh: line 3: 4120 Aborted                 python fit.py",
        "Aborted (core dumped)",
        "[wrapper] trainer exited with rc=2",
        "",
        "srun: error: n1: task 0",
    ],
)
def test_what_a_launcher_prints_behind_the_sentence_does_not_hide_it(after: str):
    assert said(f"the table train.csv does not have the column price\n{after}\n") != []


@pytest.mark.parametrize(
    "line",
    [
        "no checkpoint found, starting from scratch instead",
        "validation loss 0.31 below the best so far, saved best.pt",
        "WARNING could not find the cache folder",
        "2026-01-01 10:00:00 INFO tokenizer file not found on this host",
        "step 40 loss 0.2",
        "cannot?",
        "best dev f1 0.71 at epoch 4, below the 0.75 of last week",
        "wrote predictions.csv, 12 rows had no label",
        "model exported to model.onnx, 3 unknown ops were folded",
        "kept 3 checkpoints, removed 2 truncated ones",
        "2026-01-01 10:00:00 ERROR could not push metrics to the tracking server",
    ],
)
def test_a_line_of_a_program_that_goes_on_is_no_last_word(line: str):
    assert said(f"step 10 loss 0.4\n{line}\n") == []


@pytest.mark.parametrize("line", ["ERROR main: run aborted", "exiting", "the job was terminated."])
def test_a_line_that_says_only_that_it_is_over_leaves_the_reason_above_to_be_told(line: str):
    reason = "2026-01-01 10:00:00 CRITICAL loader: shard 7 differs from its digest"
    assert said(f"step 10 loss 0.4\n{reason}\n{line}\n") == [reason]


def test_a_sentence_that_other_lines_follow_is_no_last_word():
    assert said("could not find the index file\nstep 10 loss 0.4\n") == []


def test_a_line_of_an_exception_s_message_is_no_last_word():
    assert said("ValueError: bad input:\n  the column price must be a number\n") == []


def closing(text: str) -> list[str]:
    return [event.name for event in read(text.encode()).events if event.kind == CLOSING]


def test_a_text_that_is_shown_between_rules_is_not_said_by_the_program():
    log = "step 10 loss 0.4\nstep 20 loss 0.3\n--- sample ---\nit failed to read but the model was not\n---\n"
    assert said(log) == []
    assert closing(log) == ["own"]


@pytest.mark.parametrize("line", ["lr=0.1 wins", "kept 12 of 40 trees", "--- sample ---\na quiet green river\n---"])
def test_words_that_are_new_at_the_end_close_the_log(line: str):
    assert closing(f"step 10 loss 0.4\nstep 20 loss 0.3\n{line}\n") == ["own"]


@pytest.mark.parametrize(
    "line",
    [
        "writing checkpoint-200.pth",
        "loading the second shard ...",
        "worker 3 lost its connection",
        "step 30 loss 0.2",
        "received SIGTERM from the scheduler",
        "shard 42 gone",
        "disk full",
    ],
)
def test_what_is_under_way_or_goes_wrong_closes_nothing(line: str):
    assert closing(f"step 10 loss 0.4\nstep 20 loss 0.3\n{line}\n") == []


def test_words_that_came_before_close_nothing():
    assert closing("epoch 1: share 0.4\nstep 20 loss 0.3\nepoch 2: share 0.3\n") == []


@pytest.mark.parametrize("cut", range(4, 44))
def test_a_line_that_is_cut_where_the_copy_of_the_log_ends_closes_nothing(cut: int):
    line = "2026-01-01 10:00:{:02d} INFO step {} loss {:.4f} lr 1e-4\n"
    log = "".join(line.format(step % 60, step, 9 / (step + 1)) for step in range(10, 40))
    assert closing(log + line.format(40, 40, 0.2195)[:cut]) == []


def test_words_that_are_new_close_the_log_without_a_line_end_too():
    assert closing("step 10 loss 0.4\nstep 20 loss 0.3\nlr=0.1 wins") == ["own"]


def test_what_a_bar_redraws_closes_nothing():
    assert closing("step 10\n" + "loss 1.0\r" * 50) == []


def test_what_a_child_said_right_above_its_parent_s_traceback_is_its_last_word():
    text = (
        "step 6 loss 0.2\n"
        "clip_007.mp4: moov atom not found\n"
        "Traceback (most recent call last):\n"
        '  File "train.py", line 6, in decode\n'
        "    subprocess.run(command, check=True)\n"
        "subprocess.CalledProcessError: Command '['decode', '7']' returned non-zero exit status 1.\n"
    )
    assert said(text) == ["clip_007.mp4: moov atom not found"]
    assert said(text.replace("clip_007.mp4: moov atom not found", "step 7 loss 0.1")) == []


@pytest.mark.parametrize(
    "front",
    [
        "[ 5022.700140] ",
        "[  +0.000006] ",
        "[Sat Nov 14 02:16:40 2026] ",
        "Nov 14 02:16:40 n01 kernel: ",
        "Nov 14 02:16:40 n01 systemd[1]: ",
    ],
)
def test_what_a_kernel_says_last_is_no_word_of_a_program(front: str):
    assert (
        said(f"{front}usb 1-1: new device\n{front}usb 1-1: device descriptor read/64, error: not supported by port 4\n")
        == []
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "clip id a-12 occurs twice in fit.list",
        "warm-up of 400 updates does not fit into 100 updates",
        "the 8 GB arena is full, asked for another 64 MB",
        "F reader: magic number 0x1f8b expected in rows.gz, saw 0x3c21",
    ],
)
def test_a_complaint_that_is_the_very_last_sentence_is_one_that_may_have_ended_the_program(sentence: str):
    data = f"loading\n{sentence}\n".encode()
    (event,) = [event for event in read(data).events if event.kind == EXCEPTION]
    assert "said" in event.captures


@pytest.mark.parametrize(
    "end",
    [
        "epoch 4/4 loss 0.2\nexpected 4 epochs, ran 4",
        "step 40 loss 0.2\nno sample of the list was rejected",
        "step 40 loss 0.2\nrun used only 12 of 40 hours of the queue",
        "missing images: 0, broken links: 0, total 12 checks",
        "no label is wrong twice; f1 0.88",
        "final test error: 0.12",
        "bad rows skipped",
        "| 41.2 | nan | 38.2 |",
    ],
)
def test_a_remark_behind_steps_a_count_of_nothing_and_a_score_are_no_complaint(end: str):
    assert said(f"loading\n{end}\n") == []


@pytest.mark.parametrize(
    ("reason", "farewell"),
    [
        ("cannot read snap/400: format 7, this build reads 3 to 5", "Nothing was changed on disk. Bye."),
        ("clip 31.wav: 0 of 0.50 s left, cannot make frames of it", "stopped; 31 of 50 clips were used, thrown away"),
        ("line 812: 8 columns where 9 were announced", "import abandoned, nothing was trained"),
        ("2026-01-01 10:00:00 【错误】 top_k=12 大于 experts=8, invalid", "2026-01-01 10:00:00 【信息】 程序退出"),
    ],
)
def test_a_farewell_leaves_the_reason_above_it_to_be_told(reason: str, farewell: str):
    assert said(f"run 7 begins\n{reason}\n{farewell}\n") == [reason]


@pytest.mark.parametrize(
    "above", ["epoch 9: accuracy 0.91", "all 40 shards read", "no early stop was needed in run 7, best 0.91"]
)
def test_a_farewell_behind_a_good_end_is_no_last_word(above: str):
    assert said(f"run 7 begins\n{above}\nstopped; the server was left running\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "labcache: shard 42 is not on any replica",
        "labcache: shard 42 is gone",
        "labcache: no replica holds shard 42",
        "labcache: the lease on shard 42 was revoked",
        "the feeder went away",
        "disk quota is used up",
    ],
)
def test_a_sentence_behind_the_last_step_that_tells_neither_a_result_nor_what_was_done_is_no_end(line: str):
    assert closing(f"step 1 loss 2.0\nstep 2 loss 1.9\n{line}\n") == []


@pytest.mark.parametrize(
    "line",
    ["the cache held 40 shards of the corpus", "the mean of the last rounds is 0.91", "kept 12 of 40 trees"],
)
def test_a_sentence_behind_the_last_step_that_tells_a_result_is_an_end(line: str):
    assert closing(f"step 1 loss 2.0\nstep 2 loss 1.9\n{line}\n") == ["own"]


def test_the_code_that_a_tracker_prints_behind_a_time_is_not_why_the_program_left():
    guard = "2026-10-21 05:36:14 | ERROR | LossGuard: train loss above 1.5 x best for 10 windows, stopping (exit 3)"
    told = "2026-10-21 05:36:16 | INFO | wandb: run finished with exit code 3"
    steps = [f"2026-10-21 05:3{at}:12 | INFO | step {at} loss 3.{at}" for at in range(6)]
    assert said("\n".join([*steps, guard, told, ""])) == said("\n".join([*steps, guard, ""]))
    assert not any("finished" in str(words) for words in said("\n".join([*steps, guard, told, ""])))
