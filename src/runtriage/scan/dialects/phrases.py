"""What fixed phrases of training programs mean: finished, saved, resumed, evaluating, started by this command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import CHECKPOINT, COMMAND, EXIT, FINISH, PHASE
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_rows import Line, Rows

_NOT_DONE: Final = re.compile(
    r"epoch|valid|eval|\btest|warm-?up|step \d|batch|shard|load|download|init|setup|compil|prepar|preprocess|tokeniz|build|import"
    r"|\bnot\b|n't|fail|error|with exit|with code|exit code|unable|before|until|when|if |would|will be|should",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:(?:pre|fine)-?)?(?:train(?:ing)?|tuning|optimi[sz]ation|run|job|fit|experiment|everything|all (?:\w+ )?(?:epochs|steps))\b"
    r".{0,40}?\b(?:finished|completed?|done|ended)\b"
    r"|\b(?:finished|completed|done) (?:(?:pre|fine)-?)?(?:train|tun)ing\b",
    re.IGNORECASE,
)
_SHORT = re.compile(r"[=*# -]{0,8}(?:all )?(?:finished|done|complete|completed|success)\b", re.IGNORECASE)
_SAVED_FINAL = re.compile(
    r"\b(?:saved|wrote|written)\b.{0,40}\b(?:final|last)[ _.-]?(?:model|checkpoint|weights|policy|\w*\.(?:pt|pth|bin|ckpt))",
    re.IGNORECASE,
)
_SUMMARIES: Final = (
    (re.compile(r"['\"]train_runtime['\"]\s?:|\btrain_runtime\s{1,40}="), "summary"),
    (re.compile(r"`?Trainer\.fit`? stopped: `?max_(?:epochs|steps|time)"), "limit"),
    (re.compile(r"[Ww]orker group successfully finished|WorkerState\.SUCCEEDED"), "launcher"),
    (
        re.compile(r"\[after training is done\]|done training in [\d.]+ seconds|\d+ epochs completed in [\d.]+ hours"),
        "message",
    ),
    (re.compile(r"Total training time: \d|Training time \d"), "message"),
    (
        re.compile(
            r"[Ee]arly stopping(?:, best iteration is|.{0,80}?(?:triggered|reached|stopp))|EarlyStopping.{0,60}stopp|: early stopping\b|Did not meet early stopping",
            re.IGNORECASE,
        ),
        "early-stopping",
    ),
)
_STEP = re.compile(
    r"(?:global[_ ]?step|checkpoint-|step[s_ =:-]{0,3}|iteration[s_ =:]{0,12}|iter[_ =:-]{0,3}|model_)(?P<step>\d{1,9})(?!\d)",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"epoch[s_ =:-]{0,3}(?P<epoch>\d{1,6})|(?:at|after) (?P<count>\d{1,6}) epochs", re.IGNORECASE)
_PATH = re.compile(
    r"(?:(?:to|from|at|in|into|:|->|file|path|checkpoint|model|Saved|wrote|saved|saving model to|=) ?['\"`(]?)"
    r"(?P<path>(?:[A-Za-z]:\\|[a-z0-9]{1,8}://|~|\.{0,2}/)?[\w.@=+%-]{0,200}(?:[/\\][\w.@=+,%-]{1,200}){0,20}[\w=-])['\"`)]?",
)
_FILE_LIKE = re.compile(
    r"[/\\]|\.(?:pt|pth|bin|ckpt|safetensors|keras|h5|hdf5|npz|pkl|msgpack|distcp|tar|json|txt|model|pdparams|onnx)$|^checkpoint-\d"
)
_SAVED = re.compile(
    r"\b(?:sav(?:ed|ing)|wrote|written|writing|dump(?:ed|ing)|stored|storing)\b|Checkpoint \S{1,200} is (?:ready|begin|about)",
    re.IGNORECASE,
)
_FINISHED_SAVE = re.compile(r"\b(?:saved|wrote|written|dumped|stored)\b|is ready now|finished saving", re.IGNORECASE)
_LOADED = re.compile(
    r"\b(?:loaded|loading|restored|restoring|resum(?:ed|ing)|continuing training from checkpoint)\b", re.IGNORECASE
)
_FINISHED_LOAD = re.compile(
    r"\b(?:loaded|restored|resumed|finished loading)\b|continuing training from checkpoint", re.IGNORECASE
)
_OBJECT = re.compile(
    r"checkpoint|ckpt|\bmodel|weights|state|\bsnapshot|\bpolicy\b|\.(?:pt|pth|bin|ckpt|safetensors|keras|h5|pdparams)\b",
    re.IGNORECASE,
)
_NOT_SAVED = re.compile(
    r"fail|error|unable|cannot|could not|n't|not saved|will be|would|every|interval|saved locally|W&B|wandb|artifact",
    re.IGNORECASE,
)
_PHASES: Final = (
    (
        "eval",
        re.compile(
            r"\*{3,} Running (?:Evaluation|Prediction|validation)|\b(?:start(?:ing)?|begin(?:ning)?|running) (?:the )?(?:eval|validation|test)|Start inference on",
            re.IGNORECASE,
        ),
    ),
    (
        "train",
        re.compile(
            r"\*{3,} Running training|\b(?:start(?:ing)?|begin(?:ning)?) (?:the )?(?:main )?training\b|\[before the start of training step\]|Training starts at step",
            re.IGNORECASE,
        ),
    ),
    (
        "compile",
        re.compile(
            r"\bcompiling (?:the |each )?(?:model|graph|train|step|loss|transformer)|Finished tracing \+ transforming|Compiled the model",
            re.IGNORECASE,
        ),
    ),
    (
        "setup",
        re.compile(
            r"Distributed backend: |initializ(?:ed|ing) (?:torch )?distributed|All distributed processes registered",
            re.IGNORECASE,
        ),
    ),
    (
        "teardown",
        re.compile(
            r"\bdestroy(?:ing|ed) (?:the )?process group|closing signal SIG|shutting down (?:workers|process group|cleanly)",
            re.IGNORECASE,
        ),
    ),
)
_STOP = re.compile(
    r"(?:received|caught|got|handling|on) (?:a |the )?(?:signal )?(?P<name>SIG[A-Z]{3,6}|signal (?P<number>\d{1,2})\b).{0,160}",
    re.IGNORECASE,
)
_CLEAN = re.compile(r"sav(?:e|ed|ing)|checkpoint|exit|stop|shut|terminat|finish|flush|clean", re.IGNORECASE)
_COMMAND = re.compile(
    r"(?:^\+{1,3} |^\$ |^# |[Rr]unning command:? |[Cc]ommand(?: line)?:? |\bcmd ?[=:] |launch(?:ing)?:? |spawned with command: |exec(?:uting)?:? |argv ?[=:] )"
    r"(?P<command>\S.{3,2000})$"
)
_LAUNCHERS = re.compile(
    r"(?:^|[\s/'\"\[])(?:python[\d.]*|torchrun|accelerate|deepspeed|mpirun|mpiexec|srun|sbatch|horovodrun|bash|sh|uv|ray|lightning|colossalai|fairseq-train|yolo|axolotl|llamafactory-cli|tune)(?=$|['\"\s,\]])"
)
_WORLD = re.compile(
    r"(?:world[_ ]size|WORLD_SIZE|dist_world_size)['\"]?\s?[=:]\s?['\"]?(?P<world>\d{1,7})\b|using world size: (?P<megatron>\d{1,7})|MEMBER: \d{1,7}/(?P<member>\d{1,7})"
    r"|Num processes: (?P<accelerate>\d{1,7})\b|nranks (?P<nccl>\d{1,7})\b",
    re.IGNORECASE,
)


def _one(rows: Iterator[Row]) -> tuple[Line, str] | None:
    line = Rows(rows).take()
    if line is None:
        return None
    return line, line.text[message_start(line.text) :]


def _draft(line: Line, kind: str, name: str, captures: dict[str, str] | None = None) -> Draft:
    return Draft(kind=kind, name=name, start=line.start, end=line.end, captures=captures or {})


def read_finish(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that says the program completed; `how` is message, summary, limit, early-stopping or launcher."""
    got = _one(rows)
    if got is None:
        return Reading()
    line, words = got
    for pattern, how in _SUMMARIES:
        if pattern.search(words):
            return Reading([_draft(line, FINISH, how, {"how": how})])
    done = len(words) < 400 and (_DONE.search(words) or _SHORT.match(words) or _SAVED_FINAL.search(words))
    if not done or _NOT_DONE.search(words[: 160 if _SAVED_FINAL.search(words) is None else 0]):
        return Reading()
    return Reading([_draft(line, FINISH, "message", {"how": "message"})])


def read_checkpoint(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line about writing or loading a checkpoint: which, where, at which step."""
    got = _one(rows)
    if got is None:
        return Reading()
    line, words = got
    name = _checkpoint_name(words)
    if not name or not _OBJECT.search(words) or _NOT_SAVED.search(words[:200]):
        return Reading()
    draft = _draft(line, CHECKPOINT, name)
    if (path := _checkpoint_path(words)) is not None:
        draft.captures["path"] = path
    for found in (_STEP.search(words), _EPOCH.search(words)):
        if found:
            draft.numbers |= {
                ("epoch" if key == "count" else key): float(value) for key, value in found.groupdict().items() if value
            }
    return Reading([draft])


def _checkpoint_name(words: str) -> str:
    if _LOADED.search(words):
        return "loaded" if _FINISHED_LOAD.search(words) else "loading"
    if _SAVED.search(words):
        return "saved" if _FINISHED_SAVE.search(words) else "saving"
    return ""


def _checkpoint_path(words: str) -> str | None:
    paths = [found["path"].rstrip(".,;") for found in _PATH.finditer(words[:600])]
    return next((path for path in paths if _FILE_LIKE.search(path)), None)


def read_phase(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that begins a phase of the run, or that says the program stops cleanly on a signal."""
    got = _one(rows)
    if got is None:
        return Reading()
    line, words = got
    if (stop := _STOP.search(words[:400])) and _CLEAN.search(stop.group()) and "closing signal" not in words:
        draft = _draft(line, EXIT, "signal", {"by": "program", "reason": words[:200]})
        if (number := _signal(stop)) is not None:
            draft.numbers["signal"] = float(number)
        return Reading([draft])
    for name, pattern in _PHASES:
        if pattern.search(words):
            return Reading([_draft(line, PHASE, name)])
    return Reading()


def _signal(stop: re.Match[str]) -> int | None:
    from runtriage.scan.launcher_signals import SIGNALS

    return int(stop["number"]) if stop["number"] else SIGNALS.get(stop["name"].upper())


def read_command(cue: str, rows: Iterator[Row]) -> Reading:
    """Read the command line that started the run."""
    got = _one(rows)
    if got is None:
        return Reading()
    line, words = got
    found = _COMMAND.search(words)
    if found is None or not _LAUNCHERS.search(found["command"][:300]):
        return Reading()
    return Reading([_draft(line, COMMAND, "command", {"command": found["command"].strip()})])


def read_world(cue: str, rows: Iterator[Row]) -> Reading:
    """Read how many ranks the run has."""
    got = _one(rows)
    found = _WORLD.search(got[0].text) if got else None
    if got is None or found is None:
        return Reading()
    draft = _draft(got[0], PHASE, "setup")
    draft.numbers["world_size"] = float(next(group for group in found.groups() if group))
    return Reading([draft])


def read_framework(cue: str, rows: Iterator[Row]) -> Reading:
    """Name the framework that the cue stands for; its name follows `framework-`."""
    line = Rows(rows).take()
    return Reading([_draft(line, "framework", cue.removeprefix("framework-").partition(".")[0])] if line else [])
