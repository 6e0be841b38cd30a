"""Phrases that wake a reader: the cues of the log engine and the readers they name."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.spots import SOUGHT
from runtriage.scan.contract import WORDS, Cue, CueReader
from runtriage.scan.dialects.frameworks import FRAMEWORKS, read_framework
from runtriage.scan.dialects.phrase_asked import CUE as ASKED
from runtriage.scan.dialects.phrase_asked import read_asked
from runtriage.scan.dialects.phrase_baseline import CUE as BASELINE
from runtriage.scan.dialects.phrase_baseline import read_baseline
from runtriage.scan.dialects.phrase_checkpoint import read_checkpoint
from runtriage.scan.dialects.phrase_closing import read_closing
from runtriage.scan.dialects.phrase_finish import read_finish
from runtriage.scan.dialects.phrase_mismatch import CUE as MISMATCH
from runtriage.scan.dialects.phrase_mismatch import read_mismatch
from runtriage.scan.dialects.phrase_phase import read_phase
from runtriage.scan.dialects.phrase_recovery import read_recovery
from runtriage.scan.dialects.phrase_setup import (
    OPTIMIZERS,
    PADDING_SIDE,
    read_arguments,
    read_command,
    read_optimizer,
    read_padding,
    read_world,
)
from runtriage.scan.dialects.phrase_standstill import CUE as STANDSTILL
from runtriage.scan.dialects.phrase_standstill import read_standstill
from runtriage.scan.dialects.phrase_unit import CUE as UNIT
from runtriage.scan.dialects.phrase_unit import read_unit
from runtriage.scan.dialects.phrase_usage import CUE as USAGE
from runtriage.scan.dialects.phrase_usage import read_usage
from runtriage.scan.dialects.phrase_usage_shares import CUE as SHARES
from runtriage.scan.dialects.phrase_usage_shares import read_shares
from runtriage.scan.launcher import read_exit
from runtriage.scan.launcher_attempt import read_attempt
from runtriage.scan.launcher_seats import CUE as SEAT
from runtriage.scan.launcher_seats import read_seat
from runtriage.scan.launcher_signals import ABROAD, ALONE
from runtriage.scan.launcher_summary import read_summary
from runtriage.scan.traceback import read_traceback
from runtriage.scan.traceback_native import STACK, read_bare, read_fatal, read_syntax, read_terminate
from runtriage.scan.traceback_stacks import read_stacks

READERS: Final[dict[str, CueReader]] = {
    "traceback": read_traceback,
    "bare": read_bare,
    "syntax": read_syntax,
    "fatal": read_fatal,
    "terminate": read_terminate,
    "stacks": read_stacks,
    "exit": read_exit,
    "summary": read_summary,
    "attempt": read_attempt,
    "seat": read_seat,
    "finish": read_finish,
    "closing": read_closing,
    "recovery": read_recovery,
    "checkpoint": read_checkpoint,
    "phase": read_phase,
    "command": read_command,
    "arguments": read_arguments,
    "world": read_world,
    "mismatch": read_mismatch,
    "baseline": read_baseline,
    "optimizer": read_optimizer,
    "padding": read_padding,
    "asked": read_asked,
    "shares": read_shares,
    "standstill": read_standstill,
    "unit": read_unit,
    "usage": read_usage,
    "framework": read_framework,
}
"""Reader functions by the name that cues use."""


def _block(reader: str, *regex: str, lead: bool = False, stack: int = 0) -> Cue:
    return Cue(name=reader, regex="|".join(regex), reader=reader, block=True, lead=lead, stack=stack)


def _line(reader: str, *regex: str, ignore_case: bool = True) -> Cue:
    return Cue(name=reader, regex="|".join(regex), reader=reader, ignore_case=ignore_case)


_FAULTS: Final = (
    _block("traceback", r"Traceback \(most recent call last\)", lead=True),
    _block(
        "bare",
        r"[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Failure|Failed|NotFound|Denied)(?:\([\w., ]{1,80}\))?(?: \(see above for traceback\))?:[ \r\n]",
        r"(?:KeyboardInterrupt|MemoryError|SystemExit|AssertionError|NotImplementedError)[\r\n]",
        r"Run \w{6,12} errored: [A-Z]",
        r"ERROR: LoadError: [A-Z]",
        r'ErrorMessage "',
        stack=STACK,
    ),
    _block("syntax", r'", line \d{1,7}[\r\n]'),
    _block("fatal", r"Fatal Python error: "),
    _block(
        "terminate",
        r"terminate called (?:after|without|recursively)",
        r"terminating (?:due to|with) uncaught exception",
    ),
    _block(
        "stacks",
        r"Timeout \((?:\d{1,3} days?, )?\d{1,3}:\d\d:\d\d(?:\.\d{1,6})?\)!",
        r"hread 0x[0-9a-f]{6,16} (?:\[[^\n]{0,80}\] )?\(most recent call first\):",
        r"hread (?:0x[0-9A-Fa-f]{1,16}|\d{1,9}) \((?:idle|active)",
    ),
)
_ENDS: Final = (
    _block("usage", USAGE),
    _line(
        "exit",
        r"failed \(exitcode: -?\d",
        r"exits with return code = ",
        r"noticed that process rank \d",
        r"MPI_ABORT was invoked on rank",
        r"srun: error: [\w.\[\],-]{1,200}: tasks? [\d,-]{1,200}: ",
        r"\*\*\* (?:JOB|STEP) [\w.+]{1,40} (?:ON [\w.-]{1,200} )?CANCELLED AT ",
        r": line \d{1,7}: {0,8}(?:\d{1,10} )?[A-Z]",
        r"(?:Killed|Terminated|Aborted|Segmentation fault|Bus error|Illegal instruction|Floating point exception)[ \r]{0,2}\n",
        r"\(core dumped\)",
        "(?:[0-9] {1,4}|: {1,8}|\uff1a)(?:" + ABROAD + ")",
        "(?:" + ALONE + ")[ \\r]{0,2}(?:\\n|[(]|\uff08)",
        r"process \d{1,6} terminated with (?:signal|exit code)",
        r"Child process with PID \d{1,9} terminated with code ",
        r"[Rr]ank \d{1,7} (?:\(PID \d{1,9}\) exited with code|crashed with exit code) -?\d",
        r"(?:[Ee]xit|EXIT)(?:ed|s|ing)?(?: with)?(?: a)?(?: non-?zero)?(?: exit)?[_ ]?(?:code|CODE|status|STATUS)?(?: of| is| was)?\s?[:= ]\s?-?\d",
        r"return(?:ed)? (?:code|status|non-zero exit status)(?: of| is| was|:| =)? -?\d",
        r"(?:failed|finished|completed|ended|died|done|up|TERM|KILL)(?:,| with)? \(?(?:code|status) \d{1,3}\)?\s{0,3}[\r\n]",
        r"\+ exit [1-9]",
        r"wait ?status[ :=]{1,3}0x|TERMSIG[ :=(]{1,3}[1-9]",
        r"\b(?:ended|finished|died|returned|stopped|quit|left|done)(?: with|,|:) [1-9]\d{0,2}[^\w\n]{0,2}[\r\n]",
        r"\b(?:rc|ret(?:urn)?code)[ :=]{1,3}[1-9]|\bexit(?:ed)?\([1-9]",
        r"\*\*\* \[[^\n]{1,200}\] Error \d",
        r"W&B process to finish\.{3} \(failed \d",
        r"died with <Signals\.",
        r"(?:[Cc]ommand terminated by|\b(?:exited|died|ended) (?:with|on|of|by|from)) signal \d",
        ignore_case=False,
    ),
    _block("summary", r"Failures:[\r\n]", r"Root Cause \(first observed failure\):"),
    _line(
        "finish",
        r"(?:train(?:ing)?|tuning|optimi[sz]ation|run|job|fit|experiment|everything|epochs|steps)[^\n]{0,40}(?:finished|complete|done|ended)",
        r"(?:finished|completed?|done)(?: (?:pre|fine)?-?(?:train|tun)ing|[ .,:;!\]\r\n])",
        r"(?:saved|wrote|written)[^\n]{0,40}(?:final|last)[ _.-]?(?:model|checkpoint|weights|policy)",
        r"train_runtime",
        r'(?:event|msg|message|type|phase)":\s?"(?:run_|training_|train_)?(?:finished|done|complete|end)',
        r"trainer\.fit`? stopped: ",
        r"orker group successfully finished|workerstate\.succeeded",
        r"early[ -]?stopping",
        r"(?:validate|test|predict) metric ",
        r"best[ _]iteration[:= ]{1,3}\d|weighted avg  ",
        r"(?:shut ?down|exit|stop)[^\n]{0,24}(?:complete|done|finished)|exiting (?:cleanly|normally|with)|shutting down cleanly",
        r"from the end of the best epoch",
        r"\[after training is done\]|total training time: |training time \d",
    ),
)
_STARTS: Final = (
    _line(
        "attempt",
        r"\] starting workers for entrypoint",
        r"attempts left; will restart worker group",
        r"\[state transition\] [a-z_]{3,20} -> restarting",
        r"restart_count['\"]?[=:] ?['\"]?\d",
        r"(?:attempt|restart|wave) ?(?:#|number|no\.?|:|=)? ?\d",
        r"(?:restor|resum|start|launch|begin|requeue)[^\n]{0,80}(?:attempt|restart) ?#?\d",
    ),
    _line(
        "phase",
        r"\*{3,} running (?:training|evaluation|prediction|validation)",
        r"(?:start(?:ing)?|begin(?:ning)?|running) (?:the )?(?:main )?(?:training|eval|validation|test)",
        r"compiling (?:the |each )?(?:model|graph|train|step|loss|transformer)",
        r"finished tracing \+ transforming",
        r"distributed backend: |initializ(?:ed|ing) (?:torch )?distributed|all distributed processes registered",
        r"destroy(?:ing|ed) (?:the )?process group|closing signal sig|shutting down (?:workers|process group|cleanly)",
        r"(?:received|caught|got|handling) (?:a |the )?(?:signal )?(?:sig(?:term|int|usr|hup|alrm|xcpu)|signal \d)",
    ),
    _line(
        "command",
        r"(?:\+ |\$ |command:? |cmd ?[=:] |launch(?:ing)?:? |argv ?[=:] )[^\n]{0,100}"
        r"(?:python|torchrun|accelerate|deepspeed|mpirun|mpiexec|srun|horovodrun|fairseq-train|lightning)",
    ),
    _line(
        "arguments",
        r"\bNamespace\([A-Za-z_]\w*=",
        r"\b(?:max|total|num|train|planned|n)_(?:train_|training_)?(?:steps|iters|iterations|epochs)['\"]?\s?[=:]\s?['\"]?\d",
        r"\bepochs['\"]?\s?[=:]\s?['\"]?\d",
    ),
    _line(
        "world",
        r"world[_ ]size['\"]?\s?[=:]\s?['\"]?\d",
        r"member: \d{1,7}/\d",
        r"num processes: \d",
        r"nranks \d",
        r"global_world_sizes=\[\d",
    ),
    _line("optimizer", OPTIMIZERS, ignore_case=False),
    _line("padding", PADDING_SIDE, ignore_case=False),
    _line("seat", SEAT, ignore_case=False),
)
_CHECKPOINTS: Final = (
    _line(
        "checkpoint",
        r"\b(?:sav(?:ed|ing)|wrote|written|writing|dump(?:ed|ing)|stored)[^\n]{0,100}"
        r"(?:checkpoint|ckpt|model|weights|state|snapshot|policy|\.pth?|\.safetensors|\.keras)",
        r"(?:checkpoint|model|weights) (?:saved|written)|checkpoint [^\s]{1,200} is (?:ready|begin|about)",
        r"\b(?:load(?:ed|ing)|restor(?:ed|ing)|resum(?:ed|ing)|continuing)[^\n]{0,100}"
        r"(?:checkpoint|ckpt|\bmodel\b|weights|state|snapshot|optimi[sz]er|momentum|scheduler|\bema\b|\.pth?\b|\.safetensors|\.keras|step)",
    ),
)
_TURNS: Final = (
    _line(
        "closing",
        r"(?:test|held-?out|final)(?:ing)?[ _-](?:set[ _-])?(?:acc|loss|score|auc|f1|rmse|mae|mse|error|perplexity|ppl|bleu|wer|result|metric|reward|return)",
        r"best (?:epoch|step|iter|trial|run|val|dev|score|loss|acc|model|checkpoint|param|result)",
        r"(?:total|wall|overall)(?:[ -]clock)?[ _](?:training )?(?:run ?)?time|elapsed(?: time)?[:= ]{1,3}\d",
        r"confusion matrix|classification report|wandb: {1,3}run summary:|(?:\+/?-|\xc2\xb1) ?\d|epoch[ :=\[(#]{0,3}\d{1,6} ?(?:/|of) ?\d",
        r"\b(?:saved|written|wrote|exported|published|uploaded|registered|stored|pushed|copied)\b|\b(?:good)?bye[.! ]{0,3}[\r\n]",
    ),
    _line(
        "recovery",
        r"retrying|trying (?:the next|again|another)|attempt \d{1,3}(?:/\d{1,3}| of \d{1,3})? failed",
        r"(?:falling|fell|rolling|rolled) back|skipp(?:ed|ing) (?:this |the |one )?(?:batch|update|optimi[sz]er step)|(?:batch|update) (?:is |was )?skipped",
        r"halv(?:ed|ing)|(?:reduc|lower|shrink)(?:ed|ing) (?:the )?(?:micro[ -]?)?batch|backing off|rewinding|reconnect(?:ed|ing)",
    ),
)
_STATEMENTS: Final = (
    _line("mismatch", *MISMATCH),
    _line("baseline", *BASELINE),
    _line("asked", ASKED, ignore_case=False),
    _line("shares", *SHARES),
    _line("standstill", *STANDSTILL),
    _block("unit", *UNIT),
)
_WORDS: Final = tuple(
    Cue(name=name, regex="|".join(re.escape(word.decode()) for word in words), reader=WORDS)
    for name, words in SOUGHT.items()
)
CUES: Final[tuple[Cue, ...]] = (*_FAULTS, *_ENDS, *_STARTS, *_CHECKPOINTS, *_TURNS, *_STATEMENTS, *FRAMEWORKS, *_WORDS)
"""All cues, at most one a reader except for frameworks and words: a line then wakes each reader once."""
