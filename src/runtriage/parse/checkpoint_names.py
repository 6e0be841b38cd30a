"""What the paths of checkpoints tell: which files belong together, and the step."""

from __future__ import annotations

import re

from runtriage.model.pattern import deferred

_FOLDER = deferred(
    r"(?:tmp-)?(?:[a-z]+[-_])?(?:checkpoint|ckpt|global_?step|iter|iteration|step|epoch|snapshot)[-_=]?\d+(?:[-_=.].*)?",
    re.IGNORECASE,
)
_COUNTED = deferred(r"\d+(?:\.orbax-checkpoint-tmp.*)?")
_PARENTS = frozenset({"checkpoint", "checkpoints", "ckpt", "ckpts"})
_STEP = deferred(r"(?:global_?step|step|iter(?:ation)?|update)s?[-_=]?0*(\d{1,12})(?!\d)", re.IGNORECASE)
_NUMBER = deferred(r"(?:checkpoint|ckpt|snapshot)s?[-_=]?0*(\d{1,12})(?!\d)", re.IGNORECASE)
_SHARD = deferred(r"(.*?)[-_.](\d{1,5})[-_]of[-_](\d{1,5})(.*)", re.IGNORECASE)
_RANKED = deferred(
    r"(?:bf16_|fp16_)?zero_pp_rank_(\d+)_mp_rank_\d+.*|__(\d+)_\d+\.distcp|rng_state_(\d+)\.pth", re.IGNORECASE
)
UNFINISHED = deferred(r"(?:^|/)(?:tmp-checkpoint-\d+|[^/]*\.orbax-checkpoint-tmp[^/]*)(?:/|$)", re.IGNORECASE)
"""Names that a saver uses until everything is written."""
_WORDS = deferred(r"checkpoint|ckpt|snapshot|last|latest|resume", re.IGNORECASE)
_BESIDE = deferred(
    r"(?:training_args|optimizer|scheduler|scaler|rng_state|random_states|generation)[\w.-]*\.(?:bin|pt|pth|pkl|json)",
    re.IGNORECASE,
)


def folder_of(path: str) -> str | None:
    """Return the folder that is a checkpoint as a whole, by its name, or None."""
    parts = path.split("/")
    for index, part in enumerate(parts[:-1]):
        numbered = _COUNTED.fullmatch(part) and index > 0 and parts[index - 1].lower() in _PARENTS
        if numbered or _FOLDER.fullmatch(part):
            return "/".join(parts[: index + 1])
    return None


def sharded(name: str) -> tuple[str, int, int] | None:
    """Return (set, number, of how many) for a name such as `model-00001-of-00003.safetensors`."""
    found = _SHARD.fullmatch(name)
    return (found[1] + "*" + found[4], int(found[2]), int(found[3])) if found else None


def ranked(name: str) -> tuple[str, int] | None:
    """Return (set, rank) for a file that holds one rank's part of the state, where its name says so."""
    found = _RANKED.fullmatch(name)
    if found is None:
        return None
    start, end = next(found.span(group) for group in (1, 2, 3) if found[group] is not None)
    return f"{name[:start]}*{name[end:]}", int(name[start:end])


def is_folder(path: str) -> bool:
    """Tell whether the path itself is a folder that is a checkpoint as a whole."""
    return folder_of(path + "/") == path


def beside_weights(name: str) -> bool:
    """Tell whether a file is saved beside the weights and is no checkpoint by itself."""
    return _BESIDE.fullmatch(name) is not None


def has_optimizer(name: str) -> bool:
    """Tell whether a file holds the state of an optimizer, by its name."""
    return "optim" in name.lower() or name.endswith(".distcp")


def has_rng(name: str) -> bool:
    """Tell whether a file holds the state of random generators, by its name."""
    return name.rpartition("/")[2].startswith(("rng_state", "random_states"))


def step_of(path: str, saved: int | None = None) -> int | None:
    """Return the step a path names; a step that the log printed beside it (`saved`) goes before a bare number."""
    for name in reversed(path.split("/")[-2:]):
        if found := _STEP.findall(name):
            return int(found[-1])
    if saved is not None:
        return saved
    for name in reversed(path.split("/")[-2:]):
        if found := _NUMBER.search(name):
            return int(found[1])
        if _COUNTED.fullmatch(name):
            return int(name.split(".")[0])
    return None


def speaks_of_checkpoint(path: str) -> bool:
    """Tell whether a path uses a word for something to resume from."""
    return _WORDS.search(path) is not None
