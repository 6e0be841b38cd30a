"""What a file holds, as far as its name and first bytes tell."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.model.programs import PROGRAMS

LOG: Final = "log"
METRICS: Final = "metrics"
KERNEL: Final = "kernel"
BINARY: Final = "binary"
CORE: Final = "core"
CHECKPOINT: Final = "checkpoint"
DATA: Final = "data"
SOURCE: Final = "source"
TOOL_LOG: Final = "tool-log"

READABLE: Final = frozenset({LOG, KERNEL, "slurm", "k8s", "gpu", "stacks", "recorder", "record", METRICS})
"""Kinds that may hold the story of a run; a folder without any of them is not one."""


def _any(*patterns: str) -> str:
    return rf"(?:{'|'.join(patterns)})\Z"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return PROGRAMS.compiled(pattern, re.IGNORECASE)


_PACKED: Final = deferred(r"\.(?:gz|zst|zstd)\Z", re.IGNORECASE)
_ROTATED: Final = deferred(r"(?<=[a-z])\.\d{1,3}\Z", re.IGNORECASE)

_RUN_OF_MLFLOW: Final = r"(?:.*/)?(?:mlruns/.*|[0-9a-f]{32})"
"""The folder of a run: in a folder of the usual name, or of an id that MLflow gives, since a store may have any name."""

# The first row that fits the path decides; patterns are matched against the last part of the path unless they hold a slash.
_BY_PATH: Final = (
    (_any(r"(?:.*/)?logs/debug(?:-internal|-core)?\.log", r".*/wandb/debug[\w-]*\.log"), TOOL_LOG),
    (
        _any(
            r".*/(?:ocdbt\.process_\d+/)?d/[0-9a-f]{32}",
            r"(?-i:.*/(?:manifest\.ocdbt|_METADATA|_CHECKPOINT_METADATA|commit_success\.txt))",
        ),
        CHECKPOINT,
    ),
    (_any(rf"{_RUN_OF_MLFLOW}/metrics/.+"), METRICS),
    (_any(rf"{_RUN_OF_MLFLOW}/params/.+"), "config"),
    (_any(r"(?:.*/)?[0-9a-f]{32}/meta\.yaml"), "record"),
    (_any(rf"{_RUN_OF_MLFLOW}/tags/.+"), DATA),
)
_BY_NAME: Final = (
    (_any(r"core(?:\.[\w-]+)*\.\d+", r"core", r"core\.[\w.-]*\d", r".*\.core", r".*\.dmp"), CORE),
    (
        _any(
            r".*\.(?:pt|pth|ckpt|safetensors|distcp|h5|hdf5|keras|msgpack|onnx|gguf|tflite|mar|nemo|npz|orbax-checkpoint|params|pkl|pickle|joblib|data-\d+-of-\d+)",
            r"(?:pytorch_model|adapter_model|optimizer|scheduler|training_args|rng_state|model|random_states)[\w.-]*\.bin",
            r".*\.index\.json",
            r"(?:latest|checkpoint|latest_checkpointed_iteration\.txt|\.metadata)",
        ),
        CHECKPOINT,
    ),
    (_any(r"(?:.*[-._])?dmesg.*", r"kern\.log.*", r"syslog.*", r"messages", r"journal.*\.(?:log|txt)", r"(?:.*[-._])?journal(?:ctl)?[\w.-]*\.(?:json|jsonl|ndjson)", r".*[-._](?:serial|kernel|kmsg)\.(?:log|txt)"), KERNEL),
    (_any(r"sacct.*\.(?:txt|json|csv)", r"scontrol.*\.(?:txt|json)", r"squeue.*\.(?:txt|json)", r"sinfo.*\.(?:txt|json)"), "slurm"),
    (_any(r"(?:get|describe|top)-.*\.(?:txt|json|ya?ml)", r"(?:[\w-]*-)?(?:pods?|events?|nodes?|jobs?|pvcs?|describe)\.(?:txt|json|ya?ml)", r"kubectl.*\.txt"), "k8s"),
    (_any(r"(?:ray|pytorch|mpi|tf|train|jax)jobs?\.(?:json|ya?ml)", r"(?:deployment|statefulset|workload|queue)s?\.(?:json|ya?ml)"), "k8s"),
    (_any(r"nvidia-?smi.*", r"(?:[\w-]+[-_])?smi[-_.][\w.-]*csv", r"gpu[-_]?(?:stats|util\w*|health|samples|query)\.csv", r"nvlink.*\.txt", r"dcgm.*", r"rocm-?smi.*", r"nvidia-bug-report.*"), "gpu"),
    (_any(r"py-?spy.*\.(?:txt|json)", r"stacks?.*\.txt", r"faulthandler.*", r"gdb.*\.txt"), "stacks"),
    (_any(r"(?:nccl_)?(?:fr|flight)_?(?:trace|summary|recorder).*", r"nccl_trace_rank_\d+(?:\.json)?", r"(?:comm_lib|torch_fr|(?:[\w-]+_)?trace_(?:rank_)?\d+)[\w-]*(?:\.json)?", r"ras.*\.txt"), "recorder"),
    (_any(r"(?:.*[-_])?(?:metrics?|progress|training_?log|history|loss(?:es)?|scalars?|results?|all_results|trainer_state|wandb-summary|train_results|eval_results)\.(?:jsonl?|csv|tsv)", r"training\.csv", r"log\.(?:jsonl?|csv)", r".*[-_.]log\.jsonl?", r".*tfevents\..*", r".*\.wandb"), METRICS),
    (_any(r"(?:train_?|training_?|model_?|ds_?|deepspeed_?|run_?|generation_?|tokenizer_?|accelerate_?)?(?:config|args|arguments|hparams|params)[\w-]*\.\w+", r"(?:deepspeed|fsdp|zero\d|ds_z)[\w-]*\.json", r".*\.(?:ya?ml|toml|ini|cfg|conf)", r"\.env[\w.]*", r"wandb-metadata\.json", r"(?:requirements|environment|conda[-_]?env(?:ironment)?|conda[-_]?list|pip[-_]?(?:freeze|list)|freeze|packages|printenv|environ|env|collect[-_]?env)[\w-]*\.(?:txt|ya?ml)"), "config"),
    (_any(r"(?:vocab|merges|added_tokens|special_tokens_map|tokenizer)[\w-]*\.(?:txt|json|model)", r".*\.(?:spm|bpe)"), DATA),
    (_any(r".*\.(?:log|out|err|stdout|stderr|errors?|console|trace|traceback)", r"(?:std(?:out|err)|console|nohup|output|log|logs|run_log)(?:[-_.]?[\w-]+)?(?:\.txt)?", r"slurm-.*", r".*[-_]log\.txt", r"hs_err_pid\d+.*", r"(?:crash|dump|error|failure|traceback)[\w-]*\.txt"), LOG),
    (_any(r".*\.(?:py|pyc|ipynb|sh|bash|c|cc|cpp|cu|h|hpp|rs|go|js|ts|css|html?|md|rst|patch|diff|sql|proto|lock|tex)", r"(?:readme|license|makefile|dockerfile)\S*"), SOURCE),
    (_any(r".*\.(?:csv|tsv|jsonl|ndjson|parquet|arrow|feather|avro|npy|tfrecords?|idx|lmdb|mdb|db|sqlite3?|wds|hdf)"), DATA),
    (_any(r".*\.(?:png|jpe?g|gif|bmp|webp|svg|tiff?|pdf|mp[34]|wav|flac|ogg|avi|mkv|zip|tar|tgz|bz2|xz|7z|whl|so(?:\.\d+)*|a|o|exe|dll|jar|pdb|bin|dat|nsys-rep|qdrep|ncu-rep|model|lance)"), BINARY),
    (_any(r".*\.json"), "record"),
)  # fmt: skip


_LOG_ENDINGS: Final = (".log", ".out", ".err")
_LOG_EXCEPTIONS: Final = (
    "debug",
    "dmesg",
    "kern",
    "kmsg",
    "serial",
    "syslog",
    "journal",
    "core",
    "mlruns",
    "nvidia",
    "nccl",
    "flight",
    "fr_",
    "spy",
)
"""Words in paths of other kinds with such an ending; without them no pattern need be tried."""


class Sniffed(Struct, frozen=True):
    """What the first bytes of a file are: a kind and, for people, a name."""

    kind: str
    title: str


_MAGIC: Final = (
    (b"\x7fELF", Sniffed(BINARY, "an ELF program or core dump")),
    (b"PK\x03\x04", Sniffed(CHECKPOINT, "a zip archive (PyTorch saves checkpoints as such)")),
    (b"\x80\x02", Sniffed(CHECKPOINT, "a pickle (PyTorch and Python save checkpoints as such)")),
    (b"\x80\x03", Sniffed(CHECKPOINT, "a pickle")),
    (b"\x80\x04", Sniffed(CHECKPOINT, "a pickle")),
    (b"\x80\x05", Sniffed(CHECKPOINT, "a pickle")),
    (b"\x89HDF\r\n\x1a\n", Sniffed(CHECKPOINT, "an HDF5 file (Keras saves checkpoints as such)")),
    (b"GGUF", Sniffed(CHECKPOINT, "a GGUF model")),
    (b"\x93NUMPY", Sniffed(DATA, "a NumPy array")),
    (b"PAR1", Sniffed(DATA, "a Parquet table")),
    (b"ARROW1", Sniffed(DATA, "an Arrow table")),
    (b"SQLite format 3\0", Sniffed(BINARY, "an SQLite database")),
    (b":W&B", Sniffed(METRICS, "an offline run of Weights & Biases")),
    (b"%PDF", Sniffed(BINARY, "a PDF")),
    (b"\x89PNG", Sniffed(BINARY, "an image")),
    (b"\xff\xd8\xff", Sniffed(BINARY, "an image")),
    (b"BZh", Sniffed(BINARY, "a bzip2 archive, which is not unpacked here; use gzip or zstd")),
    (b"\xfd7zXZ\0", Sniffed(BINARY, "an xz archive, which is not unpacked here; use gzip or zstd")),
    (b"7z\xbc\xaf", Sniffed(BINARY, "a 7z archive")),
)
_SAFETENSORS: Final = deferred(rb".{8}\{\s{0,16}\"", re.DOTALL)
_REPORT: Final = deferred(rb"Status: \w{1,20}\r?\nFramework: [^\n]{1,200}\nPrimary cause: ")
_EVENTS: Final = b"brain.Event:"
_PLAIN_LINE: Final = deferred(rb"[\t\x1b -~\x80-\xff]{4,}\r?")
_PLAIN_LINES: Final = 3
_ODD: Final = bytes(set(range(32)) - {0, 7, 8, 9, 10, 12, 13, 27})


def kind_of(path: str) -> str | None:
    """Return the kind that the path of a file tells (parts joined by `/`), or None when only its bytes can."""
    if path.endswith(_LOG_ENDINGS) and not any(word in path.lower() for word in _LOG_EXCEPTIONS):
        return LOG
    bare = _ROTATED.sub("", _PACKED.sub("", path))
    for pattern, kind in _BY_PATH:
        if _compiled(pattern).match(bare):
            return kind
    name = bare.rpartition("/")[2]
    return next((kind for pattern, kind in _BY_NAME if _compiled(pattern).match(name)), None)


def sniff(head: bytes) -> Sniffed:
    """Return what the first (unpacked) bytes of a file are; text, also with NUL bytes or broken characters, is a log."""
    for magic, found in _MAGIC:
        if head.startswith(magic):
            return found
    if _EVENTS in head[:64]:
        return Sniffed(METRICS, "an event file of TensorBoard")
    if _REPORT.match(head):
        return Sniffed(TOOL_LOG, "a report of runtriage")
    if _SAFETENSORS.match(head) and int.from_bytes(head[:8], "little") < 200_000_000:
        return Sniffed(CHECKPOINT, "a safetensors model")
    if head[257:262] == b"ustar":
        return Sniffed(BINARY, "a tar archive")
    text = head.replace(b"\0", b"")
    if not text:
        return Sniffed(BINARY if head else LOG, "all zero bytes" if head else "empty")
    odd = len(text) - len(text.translate(None, _ODD))
    high = len(text) - len(text.translate(None, bytes(range(128, 256))))
    broken = high > len(text) * 0.3 and _undecodable(text)
    doubtful = odd > len(text) * 0.02 or broken or (b"\0" in head[:64] and b"\n" not in head and odd)
    if doubtful and not _mostly_lines(text):
        return Sniffed(BINARY, "binary data")
    return Sniffed(LOG, "text")


def _mostly_lines(text: bytes) -> bool:
    """Tell whether bytes begin with, and are mostly, lines of plain words: noise between them does not unmake a log."""
    first, *others = text.split(b"\n")[:-1] or [b""]
    if not _plain(first):
        return False
    lines = [first, *filter(_plain, others)]
    return len(lines) >= _PLAIN_LINES and sum(map(len, lines)) + len(lines) > len(text) / 2


def _plain(line: bytes) -> bool:
    if not _PLAIN_LINE.fullmatch(line):
        return False
    return line.isascii() or line.decode("utf-8", "ignore").encode() == line


def _undecodable(text: bytes) -> bool:
    kept = text.decode("utf-8", "ignore")
    return len(kept.encode()) < len(text) * 0.9
