from __future__ import annotations

import re

import pytest

from runtriage.scan.contract import WORDS
from runtriage.scan.dialects.cues import CUES, READERS
from runtriage.scan.draft import Draft
from tests.scan.cueing import drafts, log


def of(kind: str, text: str) -> list[Draft]:
    return [draft for draft in drafts(text + "\n") if draft.kind == kind]


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("2026-11-29 13:05:15,316 | INFO    | train | finished with batch size 22848", "message"),
        ("Training finished.", "message"),
        ("training complete", "message"),
        ("INFO:train:all 12 shards consumed, run complete", "message"),
        ('{"event": "training complete", "epochs": 30}', "message"),
        ("all ranks finished 100 steps", "message"),
        ("[0] done: best val 1.1204 at step 880", "message"),
        ("done.", "message"),
        ("✓ Job finished (status: SUCCEEDED).", "message"),
        ("(TrainController pid=55) [State Transition] RUNNING -> FINISHED.", "launcher"),
        ('{"event": "finished", "steps": 1200}', "message"),
        ("saved final model to out/final", "message"),
        ("epoch complete: 3192 records used; wrote final.pt", "message"),
        ("[after training is done] datetime: 2026-11-29 13:05:15", "message"),
        ("100 epochs completed in 1.203 hours.", "message"),
        (
            "{'train_runtime': '12.62', 'train_samples_per_second': '475.4', 'train_loss': '0.63', 'epoch': '60'}",
            "summary",
        ),
        ("`Trainer.fit` stopped: `max_epochs=6` reached.", "limit"),
        (
            "I0819 09:36:40.1 311 torch/x.py:888] [default] worker group successfully finished. Waiting 300 seconds",
            "launcher",
        ),
        ("Early stopping, best iteration is:", "early-stopping"),
        ("Epoch 33: early stopping", "early-stopping"),
        ("Restoring model weights from the end of the best epoch: 35.", "early-stopping"),
        ("EarlyStopping: patience of 5 reached", "early-stopping"),
        ("2026-11-30 08:03:04,473 trainer      INFO     done, 9 of 9 parts used", "message"),
    ],
)
def test_a_line_that_says_the_program_completed_is_a_finish(line: str, how: str):
    assert [draft.captures["how"] for draft in of("finish", line)] == [how]


@pytest.mark.parametrize(
    "line",
    [
        "epoch 3 finished: val_mse: nan",
        "finished epoch 3",
        "I1110 00:00:00.000000 9 metric_logger.py:151] completed step: 40, seconds: 1.956, loss: 2.61",
        "validation finished: accuracy 0.5",
        "training failed, not finished",
        "downloading finished",
        "tokenization done",
        "job 4181 finished with exit code 143",
        "warmup done, training starts",
        "Training until validation scores don't improve for 60 rounds",
        "early stopping patience is 5",
        "saved checkpoint, training not yet complete",
        "✓ Job finished (status: FAILED).",
        "Managed job finished: 12 (status: CANCELLED).",
        "run finished: state=killed",
        "srun: error: Timed out waiting for job step to complete",
        "  Finished:     Tue, 28 Apr 2026 14:10:51 +0800",
        "Total training time: 0:06:15 (0:00:01 on hooks)",
        "run finished: 1 success, 1 failed, 3 upstream_failed",
        "INFO: Done scheduling tasks",
        "Complete log(s): .snakemake/log/2026-11-30.snakemake.log",
        " Completed           True",
        "DEBUG: Done",
    ],
)
def test_a_line_about_a_part_of_the_run_is_no_finish(line: str):
    assert of("finish", line) == []


@pytest.mark.parametrize(
    ("line", "name", "path", "step"),
    [
        ("Saving model checkpoint to out/checkpoint-500", "saving", "out/checkpoint-500", 500),
        ("Saving checkpoint to output/model_0004999.pth", "saving", "output/model_0004999.pth", 4999),
        ("checkpoint saved at step 910", "saved", None, 910),
        (
            "  successfully saved checkpoint from iteration    5000 to /ckpt/gpt [ t 1/2, p 1/1 ]",
            "saved",
            "/ckpt/gpt",
            5000,
        ),
        ("saving checkpoint at iteration    5000 to /ckpt/gpt in torch_dist format", "saving", "/ckpt/gpt", 5000),
        ("[Rank 0] [Torch] Checkpoint global_step8 is ready now!", "saved", "global_step8", 8),
        (
            "Saved checkpoint checkpoints/checkpoint1.pt (epoch 1 @ 500 updates, score 8.2)",
            "saved",
            "checkpoints/checkpoint1.pt",
            None,
        ),
        ("Epoch 1: finished saving model to best.keras", "saved", "best.keras", None),
        ("wrote ckpt/base.pt", "saved", "ckpt/base.pt", None),
        (
            "Loaded model weights from the checkpoint at /home/ml/ckpt/epoch=5-step=474.ckpt",
            "loaded",
            "/home/ml/ckpt/epoch=5-step=474.ckpt",
            474,
        ),
        ("loading checkpoint from s3://bucket/run-7/step_9000", "loading", "s3://bucket/run-7/step_9000", 9000),
        ("Resuming from checkpoint ckpt/last.pt", "loaded", "ckpt/last.pt", None),
        (" successfully loaded checkpoint from /ckpt/gpt at iteration 5000", "loaded", "/ckpt/gpt", 5000),
        ("restored checkpoint at step 100 (restart 1)", "loaded", None, 100),
    ],
)
def test_a_checkpoint_line_gives_what_was_done_where_and_at_which_step(
    line: str, name: str, path: str | None, step: int | None
):
    (draft,) = of("checkpoint", line)
    assert (draft.name, draft.captures.get("path"), draft.numbers.get("step")) == (name, path, step)


@pytest.mark.parametrize(
    "line",
    [
        "Loading checkpoint shards: 100%|##########| 8/8 [00:41<00:00,  5.13s/it]",
        "failed to save checkpoint to /ckpt/last.pt",
        "RuntimeError: Error(s) in loading state_dict for Net:",
        "wandb: Run data is saved locally in ./wandb/run-x",
        "a checkpoint will be written every 500 steps",
        "step 5 loss 2.0",
    ],
)
def test_a_line_that_only_mentions_checkpoints_is_none(line: str):
    assert of("checkpoint", line) == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("***** Running Evaluation *****", "eval"),
        ("***** Running training *****", "train"),
        ("2026-11-29 13:05:15 INFO starting validation", "eval"),
        ("Start training", "train"),
        ("Compiling the model with torch.compile", "compile"),
        ("Sending process 2049 closing signal SIGTERM", "teardown"),
        ("distributed_backend=nccl, All distributed processes registered. Starting with 4 processes", "setup"),
    ],
)
def test_a_phase_line_names_the_phase(line: str, name: str):
    assert [draft.name for draft in of("phase", line)] == [name]


def test_a_program_that_stops_itself_on_a_signal_says_which():
    (draft,) = of("exit", "WARNING:train:received signal 15 (SIGTERM): will checkpoint and exit after the current step")
    assert (draft.captures["by"], draft.numbers["signal"]) == ("program", 15)
    (other,) = of("exit", "Caught SIGUSR1, saving and exiting")
    assert other.numbers["signal"] == 10
    assert of("exit", "received signal strength 5 from antenna") == []


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("+ python train.py --lr 3e-4", "python train.py --lr 3e-4"),
        ("$ torchrun --nproc-per-node 8 train.py", "torchrun --nproc-per-node 8 train.py"),
        ("[2026-01-31 19:45:00] launch: mpirun -np 4 python train.py", "mpirun -np 4 python train.py"),
        ("Running command: CUDA_VISIBLE_DEVICES=0 python -m train", "CUDA_VISIBLE_DEVICES=0 python -m train"),
        (
            "cmd = /opt/venv/bin/python3.11 -u -m deepspeed.launcher.launch train.py",
            "/opt/venv/bin/python3.11 -u -m deepspeed.launcher.launch train.py",
        ),
    ],
)
def test_a_command_line_is_kept_as_printed(line: str, command: str):
    assert [draft.captures["command"] for draft in of("command", line)] == [command]


def test_arguments_that_a_program_prints_are_kept_and_are_no_command():
    (draft,) = of("command", "2026-01-02 03:04:05 args: Namespace(lr=0.001, data='a b', layers=[1, 2])")
    assert draft.captures == {"arguments": "lr=0.001, data='a b', layers=[1, 2])"}
    assert of("command", "class Namespace(object):") == []


def test_a_hint_about_a_command_is_no_command():
    text = "The `srun` command is available on your system but is not used. HINT: prepend your python command with `srun` like so: srun python train.py"
    assert of("command", text) == []


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("dist_world_size=4", 4),
        ("WORLD_SIZE: 16", 16),
        ("using world size: 8, data-parallel size: 2", 8),
        ("Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/2", 2),
        ("  global_world_sizes=[2, 2]", 2),
        ("gpu-7:5571:5872 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 4 cudaDev 0", 4),
    ],
)
def test_the_number_of_ranks_is_read_where_it_is_printed(line: str, size: int):
    assert [draft.numbers["world_size"] for draft in of("phase", line) if draft.numbers] == [size]


def test_the_number_of_agents_is_not_taken_for_the_number_of_ranks():
    sizes = [
        draft.numbers["world_size"]
        for draft in drafts(log("tracebacks/elastic-tee.txt"))
        if "world_size" in draft.numbers
    ]
    assert sizes == [2, 2]


@pytest.mark.parametrize(
    ("line", "attempt"),
    [
        ("=== attempt 1 of 3 ===", 0),
        ("[launcher] attempt 2/3", 1),
        ("restored checkpoint at step 100 (restart 1)", 1),
        ("  restart_count=1", 1),
        ("I1 torch/x.py:942] [trainer] Worker group FAILED. 2/3 attempts left; will restart worker group", 2),
    ],
)
def test_an_attempt_is_numbered_from_zero(line: str, attempt: int):
    assert [draft.numbers.get("attempt") for draft in of("attempt", line)] == [attempt]


def test_ray_train_announces_the_next_attempt_without_a_number():
    (draft,) = of("attempt", "(TrainController pid=55) [State Transition] RUNNING -> RESTARTING.")
    assert draft.name == "restart"
    assert "attempt" not in draft.numbers
    assert of("attempt", "(TrainController pid=55) [State Transition] INITIALIZING -> SCHEDULING.") == []


@pytest.mark.parametrize(
    "line",
    ["Retrying request (attempt 2 of 5)", "download attempt 2/3", "attempt 3 failed, retrying", "restart in 5 s"],
)
def test_a_retry_inside_the_program_is_no_attempt_of_the_job(line: str):
    assert of("attempt", line) == []


def test_every_cue_has_a_reader_and_a_pattern_that_engines_take():
    assert len({cue.name for cue in CUES}) == len(CUES)
    for cue in CUES:
        assert cue.reader in {*READERS, WORDS}
        assert re.compile(cue.regex)
        assert not re.search(r"\(\?[=!<]|\\[1-9]|\.\*$", cue.regex)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("test accuracy 0.941 (941/1000)", "test"),
        ('{"test_loss": 0.0041, "test_rmse": 0.064}', "test"),
        ("best epoch 12, val 0.00412", "best"),
        ("elapsed 3.20 s, 1532 samples/s", "time"),
        ("Total training time: 0:12:31", "time"),
        ("confusion matrix on the held-out set", "table"),
        ("CV mse: 0.1434 +/- 0.0147", "mean"),
        ("auc 0.83 +- 0.02", "spread"),
        ("wandb: Run summary:", "tracker"),
        ("Epoch 14/14", "last-epoch"),
        ("epoch 3 of 3 - loss 0.2", "last-epoch"),
        ("weights written to model.json (19 bytes)", "made"),
        ("2026-11-29 13:05:15,316 INFO published model version 17 to registry/v17", "made"),
        ("[INFO|train.py:24] 2026-11-29 14:37:43,701 >> adapter saved", "made"),
        ("saved, bye", "farewell"),
    ],
)
def test_what_is_printed_once_and_last_is_a_closing_line(line: str, name: str):
    assert [draft.name for draft in of("closing", line)] == [name]


@pytest.mark.parametrize(
    "line",
    [
        "test split could not be read",
        "best score would be kept every 100 steps",
        "checkpoints are saved every 500 steps",
        "Epoch 1/1",
        "Epoch 12/14",
        "failed to upload: model was not saved to the bucket",
        "elapsed time per iteration (ms): 512.3",
    ],
)
def test_a_plan_or_a_failure_closes_nothing(line: str):
    assert of("closing", line) == []


@pytest.mark.parametrize(
    "line",
    [
        "WARNING board port 29961: [Errno 98] Address already in use, trying the next",
        "WARNING shards: shard 1 attempt 1 failed: too many 503 error responses",
        "WARNING step 140: gradient is not finite, update skipped (1 so far)",
        "WARNING loss is nan at step 147, batch skipped",
        "WARNING out of memory with a buffer of 4000000000 bytes, halving it",
        "WARNING ckpt-300.pt cannot be read (failed finding central directory), falling back to the one before",
    ],
)
def test_a_fault_named_with_its_remedy_is_a_recovery(line: str):
    assert len(of("recovery", line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "downloader: max_retries=5 backoff=2.0 retry_on=[429, 500, 503, ConnectionError]",
        "trainer: on_nan=skip_batch on_oom=halve_batch",
        "Gradient overflow. Skipping step, loss scaler 0 reducing loss scale to 32768.0",
        "WARNING:urllib3.connectionpool:Retrying (Retry(total=4, connect=None)) after connection broken by 'RemoteDisconnected'",
        "3 records skipped: cannot parse",
        "failed to push metrics to dashboard (timeout), will try again later",
    ],
)
def test_a_policy_or_everyday_caution_is_no_recovery(line: str):
    assert of("recovery", line) == []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("rank 0: saved /local/ckpt/epoch=1.ckpt, uploading to s3://runs/p81/epoch=1.ckpt", ["saved", "saving"]),
        ("saved /local/ckpt/epoch=1.ckpt, uploading to s3://runs/p81 in the background", ["saved"]),
        ("saved checkpoint step_200.pt, uploaded to s3://runs", ["saved"]),
    ],
)
def test_a_checkpoint_that_is_sent_elsewhere_is_not_over(line: str, names: list[str]):
    assert [draft.name for draft in of("checkpoint", line)] == names
