"""What happened, in clean text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from runtriage.model.place import Citation
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant

SIGNATURE: Final = "signature"
"""A pattern of the catalogue matched; `name` is `<signature id>#<pattern name>`."""
EXCEPTION: Final = "exception"
"""A Python exception was printed with its traceback, or alone at the end of a log; `name` is its type as printed.

Captures: `message`, `raised_in` (file:line of the innermost frame), `function`, `user_frame` (file:line of the innermost
frame outside installed packages), `user_function`, `source` (the line of code quoted there), `module` (top-level package of the innermost frame), `loads` (name of an outer function
that reads a checkpoint), `chain` (`inner` for a cause printed
before this one, `outer` for the last of a chain, absent when there is one), `remote` (`yes` for a worker's traceback that was re-raised),
`logged` (`yes` when a logger printed it and the program went on), `ignored` (`yes` for one in a finaliser, at exit or of a lost task,
which ends nothing), `handled` (`yes` where the program says beside it that it goes on), `thread` (the thread it ended), `main` (`yes` where the outermost frame is the top of the started program), `bare` (`yes` without a traceback), `said` (`yes` for a sentence at the very end that names no type, `complains` where it may also be a remark), `truncated` (`yes` when the traceback ends before its
last line; `name` is then `Traceback`), `quoted` (`yes` when a launcher's summary repeats it), `fatal` (`yes` for a fatal interpreter error).
Numbers: `frames`, `first_line` and `last_line` of the whole traceback."""
EXIT: Final = "exit"
"""A process ended. Numbers: `code` (as printed) and `signal` where known. Captures: `by` (launcher, shell, scheduler, kernel,
program), `reason`, `binary`. `name` is `exit-code`, `signal`, or `cancelled` where a scheduler names neither."""
ATTEMPT: Final = "attempt"
"""An attempt of the job began (`name` is `start`) or is announced (`restart`); numbers: `attempt` (from 0) and `world_size` where printed."""
FINISH: Final = "finish"
"""The program says it completed; `name` and capture `how` are `message`, `summary`, `limit`, `early-stopping` or `launcher`."""
CHECKPOINT: Final = "checkpoint"
"""A checkpoint was written or loaded: `name` is `saved`, `saving`, `loaded` or `loading`; captures: `path`; numbers: `step`, `epoch`."""
PHASE: Final = "phase"
"""A phase of the run began: `name` is `setup`, `compile`, `train`, `eval`, `save` or `teardown`."""
CLOSING: Final = "closing"
"""A line that programs print once, behind their last step; `name` is `test`, `best`, `time`,
`mean`, `table`, `made` or `last-epoch`. Nothing is ended by it."""
RECOVERY: Final = "recovery"
"""The program says that something failed and what it does about it: tries again, falls back, leaves a batch out."""
UNIT: Final = "unit"
"""What became of one of many parts that are run one after the other: `name` is `tests/<what>` or `trials/<what>` (began, passed, failed, unfailed), the
former of a test runner (passed: of all its tests; unfailed: none of them failed so far), the latter of a search or sweep."""
STATEMENT: Final = "statement"
"""The program says in words of its own what is wrong: `name` is `standstill/<strength>` (gave-up, long, short, waiting; number `seconds`
where it says for how long; `ending`: somebody ends the run), `mismatch/<kind>`, an evaluation that measures something else than what was
trained, or `numbers/<kind>` (nonfinite, runaway, turned, swings, guessing), a number that left all bounds. No fault by itself is `baseline/beside`
or `baseline/alone`, a score that needs no model (numbers `base` and `own`), `features/dominant`, one feature that carries nearly all
(capture `what`, number `part`), `parts/shares`, a list of what each part of a model gets (numbers `top`, `parts`), and the lines that set something up: `setup/optimizer`, `setup/padding-side-right`. Lines at the end tell together,
in no words: `standstill/place` (one thing over and over), `standstill/silent` (nothing, until somebody ended it), `standstill/begun` (what
was begun last, and nothing came of it) and `standstill/moves` (other work that is counted up); or a driver reports `stages/failed` (a stage
failed, others were not begun), `stages/handed` (a stage refuses what one before it made) `stages/hollow` (a stage brought nothing, its
driver went on) or `stages/late` (a stage missed a file that another one then wrote, capture `writer`) or a task says `stages/empty` (it wrote nothing); capture `stage`, number `held`. `model/event_names.py` has the names."""
STATE: Final = "state"
"""A structured document states something (a pod phase, a scheduler state); `name` is `<system>/<state>`."""
LAUNCHER: Final = "launcher"
"""A launcher's failure summary entry; captures `section` (`failure` or `root-cause`), numbers `code`, `signal`."""
COMMAND: Final = "command"
"""A command line that started the run; captures: `command`."""


class Event(Struct, frozen=True, kw_only=True):
    """One thing that happened at one place.

    `excerpt` is redacted text of at most 2,000 characters. `numbers` are typed before redaction. `step` is the last step
    this subject printed at or before the event. `count` is how many equal occurrences (same subject) the event stands for,
    `last` the place of the last of them.
    """

    kind: str
    name: str
    citation: Citation
    excerpt: str
    captures: Mapping[str, str] = field(default_factory=dict[str, str])
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    when: Instant | None = None
    step: int | None = None
    epoch: float | None = None
    subject: Subject = NOBODY
    count: int = 1
    last: Citation | None = None
