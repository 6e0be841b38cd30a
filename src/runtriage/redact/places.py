"""Paths, URLs and buckets, replaced so that what tells something about the failure stays: library files, extensions, line numbers."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.hosts import host_label
from runtriage.redact.pseudonyms import Pseudonyms

_NAME: Final = r"[\w.@+=%,~-]"
_URL: Final = deferred(
    r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]{1,20})://(?P<at>[^\s/@\"'<>]{1,200}@)?(?P<host>\[[0-9a-fA-F:]{2,45}\]|[\w.-]{0,254}\w)?(?P<port>:\d{1,5})?(?P<rest>/[^\s\"'<>(){}\[\],;|\\`]*)?"
)
_ABSOLUTE: Final = deferred(rf"(?<![\w./:@~-])~?/{_NAME}+(?:/{_NAME}+)*/?")
_RELATIVE: Final = deferred(rf"(?<![\w./:@~+=%,-])(?:{_NAME}+/)+{_NAME}+\.[A-Za-z]\w{{0,11}}(?![\w/])")
_WINDOWS: Final = deferred(r"(?<![A-Za-z0-9])[A-Za-z]:\\[^\s\"'<>|:*?]+")
_LIBRARY: Final = deferred(r"/(?:(?:site|dist)-packages|lib/python3(?:\.\d+)?)/")
_SYSTEM: Final = (
    "/usr/",
    "/lib/",
    "/lib64/",
    "/bin/",
    "/sbin/",
    "/proc",
    "/sys/",
    "/dev/",
    "/etc/",
    "/opt/conda/",
    "/opt/nvidia/",
    "/var/log/",
    "/run/",
)
_BUCKETS: Final = frozenset(
    {"s3", "s3a", "s3n", "gs", "gcs", "az", "azure", "abfs", "abfss", "wasb", "wasbs", "r2", "oss", "cos", "b2", "oci"}
)
# fmt: off
_GENERIC: Final = frozenset(
    {
        "train", "training", "trainer", "eval", "evaluate", "evaluation", "test", "tests", "val", "valid",
        "validation", "predict", "run", "runs", "main", "log", "logs", "out", "err", "stdout", "stderr", "output",
        "outputs", "result", "results", "error", "errors", "rank", "node", "worker", "master", "launcher", "driver",
        "process", "proc", "task", "job", "attempt", "restart", "config", "configs", "conf", "args", "hparams",
        "params", "checkpoint", "checkpoints", "ckpt", "ckpts", "step", "epoch", "global", "iter", "iteration",
        "model", "models", "optimizer", "optim", "scheduler", "state", "dict", "states", "pytorch", "torch", "tf",
        "jax", "weights", "adapter", "safetensors", "index", "metrics", "metric", "history", "progress", "events",
        "summary", "dmesg", "kernel", "syslog", "messages", "slurm", "sacct", "nvidia", "smi", "fr", "trace",
        "traceback", "crash", "dump", "core", "data", "dataset", "datasets", "loader", "dataloader", "utils", "util",
        "src", "scripts", "script", "lib", "init", "setup", "deepspeed", "ds", "accelerate", "fsdp", "ddp", "zero",
        "mp", "shard", "part", "of", "requirements", "environment", "env", "pyproject", "truth", "label", "labels",
        "previous", "pod", "pods", "wandb", "debug", "internal", "files", "mlruns", "tensorboard", "lightning",
        "last", "best", "final", "latest", "version", "default", "hydra", "distributed", "elastic", "torchelastic",
        "finetune", "pretrain", "sft", "py", "pt", "bin",
    }
)
# fmt: on
_PIECES: Final = deferred(r"[A-Za-z]+")


def without_urls(text: str, names: Pseudonyms) -> str:
    """Replace hosts, buckets and paths of URLs; names of public services stay."""

    def replace(found: re.Match[str]) -> str:
        scheme, host, rest = found["scheme"], found["host"] or "", found["rest"] or ""
        if scheme.lower() in _BUCKETS:
            account = names.label("bucket", found["at"][:-1]) + "@" if found["at"] else ""
            return f"{scheme}://{account}{names.label('bucket', host)}{_inside(rest, names)}"
        user = _user(found["at"], names)
        return f"{scheme}://{user}{host_label(host, names)}{found['port'] or ''}{_inside(rest, names) if host else path_label(rest, names)}"

    return _URL.sub(replace, text) if "://" in text else text


def without_paths(text: str, names: Pseudonyms) -> str:
    """Replace paths in a text."""
    if "/" in text:
        text = _ABSOLUTE.sub(lambda found: path_label(found[0], names), text)
        text = _RELATIVE.sub(lambda found: path_label(found[0], names), text)
    return _WINDOWS.sub(lambda found: path_label(found[0].replace("\\", "/"), names), text) if ":\\" in text else text


def path_label(path: str, names: Pseudonyms) -> str:
    """Return what stands for a path: `path-1/file-2.py`, or the path itself where it says nothing about its owner."""
    bare = path.rstrip("/")
    if not bare or bare.startswith(_SYSTEM) or (bare.startswith("/") and bare.count("/") == 1 and "." not in bare):
        return path
    if library := _LIBRARY.search(path):
        return names.label("path", path[: library.start()]) + path[library.start() :] if library.start() else path
    folder, slash, name = bare.rpartition("/")
    if "." not in name and bare.startswith(("/", "~")):
        return _folder(bare, names)
    return (_folder(folder, names) if folder else "") + slash + _file(name, names)


def _folder(folder: str, names: Pseudonyms) -> str:
    if (
        not folder.startswith(("/", "~"))
        and ":" not in folder
        and all(_says_nothing(part) for part in folder.split("/"))
    ):
        return folder
    return names.label("path", folder)


def _file(name: str, names: Pseudonyms) -> str:
    return name if says_nothing(name) or names.is_ours(name.rpartition(".")[0] or name) else names.file_label(name)


def says_nothing(name: str) -> bool:
    """Say whether the name of a file is made of words that every run uses, so that it tells nothing about its owner."""
    stem, dot, extension = name.rpartition(".")
    return _says_nothing(stem if dot and stem else name) and len(extension) < 12


def _says_nothing(stem: str) -> bool:
    pieces = _PIECES.findall(stem)
    return all(piece.lower() in _GENERIC for piece in pieces) and len(stem) < 80


def _inside(rest: str, names: Pseudonyms) -> str:
    if len(rest) < 2:
        return rest
    path = rest.split("?", 1)[0].split("#", 1)[0].strip("/")
    if not path:
        return "/"
    folder, _, name = path.rpartition("/")
    if "." in name:
        return "/" + (names.label("path", folder) + "/" if folder else "") + _file(name, names)
    return "/" + names.label("path", path)


def _user(at: str | None, names: Pseudonyms) -> str:
    if not at:
        return ""
    user, colon, rest = at[:-1].partition(":")
    return names.label("user", user) + colon + rest + "@"
