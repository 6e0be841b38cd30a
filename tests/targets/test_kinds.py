import gzip
import io
import pickle
import struct
import zipfile
import zlib

import pytest

from runtriage.targets.kinds import kind_of, sniff


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("train.log", "log"),
        ("logs/rank37.err", "log"),
        ("train.log.2", "log"),
        ("train.log.1.gz", "log"),
        ("slurm-9041.out", "log"),
        ("stderr.txt", "log"),
        ("nohup.out", "log"),
        ("run_x/attempt_0/3/stdout.log", "log"),
        ("run_x/attempt_0/3/error.json", "record"),
        ("dmesg-T.txt", "kernel"),
        ("gpu-b07.serial.txt", "kernel"),
        ("config.yaml", "config"),
        ("train_args.json", "config"),
        ("deepspeed_config.json", "config"),
        (".hydra/overrides.yaml", "config"),
        ("checkpoint-500/model.safetensors", "checkpoint"),
        ("checkpoint-500/optimizer.pt", "checkpoint"),
        ("checkpoint-500/pytorch_model.bin.index.json", "checkpoint"),
        ("checkpoint-500/training_args.bin", "checkpoint"),
        ("checkpoint-500/trainer_state.json", "metrics"),
        ("metrics.jsonl", "metrics"),
        ("eval_metrics.csv", "metrics"),
        ("events.out.tfevents.171.host", "metrics"),
        ("mlruns/0/ab12/metrics/train_loss", "metrics"),
        ("wandb/run-1/files/output.log", "log"),
        ("wandb/run-1/files/config.yaml", "config"),
        ("wandb/run-1/files/wandb-summary.json", "metrics"),
        ("wandb/run-1/logs/debug-internal.log", "tool-log"),
        ("pod.json", "k8s"),
        ("describe-pod.txt", "k8s"),
        ("sacct.txt", "slurm"),
        ("nvidia-smi-q.txt", "gpu"),
        ("pyspy.txt", "stacks"),
        ("fr_trace.txt", "recorder"),
        ("core.python.4242", "core"),
        ("train.py", "source"),
        ("README.md", "source"),
        ("data/part-0001.parquet", "data"),
        ("vocab.txt", "data"),
        ("loss.png", "binary"),
        ("state.txt", None),
        ("whatever", None),
    ],
)
def test_the_path_tells_the_kind(path: str, kind: str | None) -> None:
    assert kind_of(path) == kind


def _torch_zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02}q\x00.")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"step 1 loss=2.3\n", "log"),
        ("訓練ログ: 誤り\n".encode(), "log"),
        (b"caf\xe9 latin-1 step 1\nplain\n" * 5, "log"),
        (b"\x1b[31mERROR\x1b[0m\r\n", "log"),
        (b"\0" * 2000 + b"log goes on after a rotated hole\n", "log"),
        (b"", "log"),
        (b"\0" * 4096, "binary"),
        (bytes(range(256)) * 16, "binary"),
        (_torch_zip(), "checkpoint"),
        (b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}", "checkpoint"),
        ((64).to_bytes(8, "little") + b'{"weight":{"dtype":"F32"}}', "checkpoint"),
        (b"\x89HDF\r\n\x1a\n" + bytes(20), "checkpoint"),
        (b"\x7fELF\x02\x01\x01" + bytes(20), "binary"),
        (b"PAR1" + bytes(20), "data"),
    ],
)
def test_the_first_bytes_tell_text_from_the_rest(head: bytes, kind: str) -> None:
    assert sniff(head[:4096]).kind == kind


def test_a_packed_log_is_judged_by_what_it_holds() -> None:
    assert sniff(gzip.decompress(gzip.compress(b"step 1 loss=2\n"))).kind == "log"


_LINES = b"".join(b"step %d loss=%.4f\n" % (step, 9 / (step + 1)) for step in range(40))
_NOISE = bytes((n * 167 + 13) % 256 for n in range(300))


@pytest.mark.parametrize(
    "head",
    [
        b"\0" * 2048 + _LINES + _NOISE,
        _LINES + b"\0" * 512 + _NOISE,
        "学習ログ: 損失が出ました\n".encode() * 20 + _NOISE,
    ],
)
def test_noise_before_and_behind_the_lines_of_a_log_does_not_unmake_it(head: bytes) -> None:
    assert sniff(head).kind == "log"


@pytest.mark.parametrize(
    "head",
    [
        b"\0" * 2048 + _NOISE * 6,
        _NOISE * 4 + _LINES[:400],
        b"\x7fELF\x02\x01\x01" + bytes(9) + _LINES,
        pickle.dumps([_LINES], protocol=4),
        b"PK\x03\x04" + _LINES,
        b"\xa7\r\r\n\0\0\x01\x02\x03" * 9 + _LINES,
        b"\x89PNG\r\n\x1a\n" + _LINES,
        zlib.compress(_LINES * 50, 1)[:4096],
        b"".join(struct.pack("<If", n, n / 7) for n in range(500)),
    ],
)
def test_what_is_binary_stays_binary_even_with_words_in_it(head: bytes) -> None:
    assert sniff(head).kind in {"binary", "checkpoint"}
