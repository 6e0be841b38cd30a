"""Lines that say how the run was started: its command, its arguments and how many ranks it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import COMMAND, PHASE, STATEMENT
from runtriage.model.event_names import OPTIMIZER, PADDING
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import said

_COMMAND = deferred(
    r"(?:^\+{1,3} |^\$ |\brunning command:? |\bcommand(?: line)?: |\bcmd ?[=:] |\blaunch(?:ing)?: |spawned with command: |exec(?:uting)?: "
    r"|\bargv ?[=:] )(?P<command>\S.{3,2000})$",
    re.IGNORECASE,
)
_PROGRAM = deferred(
    r"(?:[A-Z_][A-Z0-9_]*=\S{0,200} ){0,12}['\"\[({]{0,3}(?:[\w./~-]{0,200}/)?"
    r"(?:python[\d.]*|torchrun|accelerate|deepspeed|mpirun|mpiexec|srun|sbatch|horovodrun|bash|sh|uv|ray|lightning|colossalai"
    r"|fairseq-train|yolo|axolotl|llamafactory-cli|tune|nohup|timeout|numactl|env)(?=$|['\"\s,\]])"
)
_ARGUMENTS = deferred(r"\bNamespace\((?P<arguments>[A-Za-z_]\w{0,80}=.{0,8000})")
_PLANNED = deferred(
    r"(?<![\w.])(?<!warmup )(?<!warm-up )(?P<name>(?:(?:max|total|num|train|planned|n)_(?:train_|training_)?(?:steps|iters|iterations|epochs)|epochs))['\"]?\s?[=:]\s?['\"]?(?P<count>\d[\d_]{0,11})(?![\w./:])",
    re.IGNORECASE,
)
"""How many steps or epochs the run will have, among whatever settings a line prints."""
_STEP = deferred(r"(?<![a-z_])(?:step|epoch|iter(?:ation)?|loss|reward|eta)['\"]?\s?[=:# ]\s?['\"]?\d", re.IGNORECASE)
"""A line of progress that prints the whole beside what is done."""
_LONGEST_SETUP: Final = 400
_WORLD: Final = (
    deferred(r"(?<!group_)(?<!role_)\b(?:dist_)?world[_ ]size['\"]?\s?[=:]\s?['\"]?(\d{1,7})\b", re.IGNORECASE),
    deferred(r"using world size: (\d{1,7})\b|MEMBER: \d{1,7}/(\d{1,7})\b|Num processes: (\d{1,7})\b"),
    deferred(r"\bnranks (\d{1,7})\b|global_world_sizes=\[(\d{1,7})\b"),
)


_OPTIMIZER = deferred(
    r"(?<![\w.])(?P<name>SGD|Adam(?:W|ax)?|NAdam|RAdam|RMS[Pp]rop|Ada(?:grad|delta|factor|belief)|LAMB|LARS|Lion|Muon|Sophia|L-?BFGS|sgd|adamw?|rmsprop|adagrad|adafactor)(?![\w.(])"
)
_RATE = deferred(r"(?<![\w.])(?:\d+\.\d+|\.\d+|\d+(?:\.\d+)?e-?\d+)(?!\w)")
OPTIMIZERS: Final = r"\b(?:SGD|Adam(?:W|ax)?|[NR]Adam|RMS[Pp]rop|Ada(?:grad|delta|factor|belief)|LAMB|LARS|Lion|Muon|Sophia|L-?BFGS|sgd|adamw?|rmsprop|adagrad|adafactor)\b[^\n]{1,80}\d"


def read_optimizer(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that sets up an optimizer: its name with a rate behind it, and no progress."""
    line = said(rows)
    found = _OPTIMIZER.search(line.words) if line is not None and len(line.words) <= _LONGEST_SETUP else None
    if line is None or found is None or not _RATE.search(line.words, found.end()) or _STEP.search(line.words):
        return Reading()
    return Reading([line.draft(STATEMENT, OPTIMIZER, optimizer=found["name"])])


_PADDED = deferred(r"padding_side['\"]?\s?[=:]\s?['\"]?right(?!\w)")
PADDING_SIDE: Final = r"padding_side\W{1,6}right"


def read_padding(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that says that texts are padded on the right."""
    line = said(rows)
    if line is None or len(line.words) > _LONGEST_SETUP or _PADDED.search(line.words) is None:
        return Reading()
    return Reading([line.draft(STATEMENT, PADDING)])


def read_command(cue: str, rows: Iterator[Row]) -> Reading:
    """Read the command line that started the run."""
    line = said(rows)
    found = _COMMAND.search(line.words) if line is not None else None
    if line is None or found is None or not _PROGRAM.match(found["command"]):
        return Reading()
    return Reading([line.draft(COMMAND, "command", command=found["command"].strip())])


def read_arguments(cue: str, rows: Iterator[Row]) -> Reading:
    """Read the arguments of the program where it prints what it parsed, and what it says of the steps or epochs that are planned."""
    line = said(rows)
    if line is None:
        return Reading()
    if found := _ARGUMENTS.search(line.words):
        return Reading([line.draft(COMMAND, "arguments", arguments=found["arguments"].strip())])
    planned = [] if _STEP.search(line.words) else list(_PLANNED.finditer(line.words))
    if not planned:
        return Reading()
    told = ", ".join(f"{each['name'].lower()}={each['count']}" for each in planned)
    return Reading([line.draft(COMMAND, "arguments", arguments=told)])


def read_world(cue: str, rows: Iterator[Row]) -> Reading:
    """Read how many ranks the run has."""
    line = said(rows)
    if line is None:
        return Reading()
    for shape in _WORLD:
        if found := shape.search(line.words):
            draft = line.draft(PHASE, "setup")
            draft.numbers["world_size"] = float(next(group for group in found.groups() if group))
            return Reading([draft])
    return Reading()
