"""Phrases that wake a reader: the cues of the log engine and the readers they name."""

from __future__ import annotations

from typing import Final

from runtriage.scan.contract import Cue, CueReader
from runtriage.scan.dialects.phrases import (
    read_checkpoint,
    read_command,
    read_finish,
    read_framework,
    read_phase,
    read_world,
)
from runtriage.scan.launcher import read_exit
from runtriage.scan.launcher_attempt import read_attempt
from runtriage.scan.launcher_summary import read_summary
from runtriage.scan.traceback import read_traceback
from runtriage.scan.traceback_native import read_bare, read_fatal, read_syntax, read_terminate

READERS: Final[dict[str, CueReader]] = {
    "traceback": read_traceback,
    "bare": read_bare,
    "syntax": read_syntax,
    "fatal": read_fatal,
    "terminate": read_terminate,
    "exit": read_exit,
    "summary": read_summary,
    "attempt": read_attempt,
    "finish": read_finish,
    "checkpoint": read_checkpoint,
    "phase": read_phase,
    "command": read_command,
    "world": read_world,
    "framework": read_framework,
}
"""Reader functions by the name that cues use."""


def _block(name: str, regex: str, reader: str, *, lead: bool = False) -> Cue:
    return Cue(name=name, regex=regex, reader=reader, block=True, lead=lead)


def _line(name: str, regex: str, reader: str, *, ignore_case: bool = False) -> Cue:
    return Cue(name=name, regex=regex, reader=reader, ignore_case=ignore_case)


_FAULTS: Final = (
    _block("traceback", r"Traceback \(most recent call last\)", "traceback", lead=True),
    _block(
        "bare-exception",
        r"[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Failure|NotFound|Denied)(?:\([\w., ]{1,80}\))?: ",
        "bare",
        lead=True,
    ),
    _block("bare-interrupt", r"(?:KeyboardInterrupt|MemoryError|SystemExit)[\r\n]", "bare", lead=True),
    _block("syntax-place", r'File "[^"\n]{1,400}", line \d{1,7}[\r\n]', "syntax"),
    _block("fatal-python", r"Fatal Python error: ", "fatal"),
    _block(
        "terminate",
        r"terminate called (?:after|without|recursively)|terminating (?:due to|with) uncaught exception",
        "terminate",
    ),
)
_EXITS: Final = (
    _line("exit-elastic", r"failed \(exitcode: -?\d", "exit"),
    _line("exit-deepspeed", r"exits with return code = ", "exit"),
    _line("exit-mpirun", r"noticed that process rank \d", "exit"),
    _line("exit-mpi-abort", r"MPI_ABORT was invoked on rank", "exit"),
    _line("exit-srun", r"srun: error: [\w.\[\],-]{1,200}: tasks? [\d,-]{1,200}: ", "exit"),
    _line("exit-slurm-cancel", r"\*\*\* (?:JOB|STEP) [\w.+]{1,40} (?:ON [\w.-]{1,200} )?CANCELLED AT ", "exit"),
    _line("exit-shell-line", r": line \d{1,7}: {0,8}(?:\d{1,10} )?[A-Z]", "exit"),
    _line(
        "exit-shell-word",
        r"(?:Killed|Terminated|Aborted|Segmentation fault|Bus error|Illegal instruction|Floating point exception)"
        r"(?: {0,20}\(core dumped\))?[ \r]{0,2}[\n]|\(core dumped\)",
        "exit",
    ),
    _line("exit-spawn", r"process \d{1,6} terminated with (?:signal|exit code)", "exit"),
    _line(
        "exit-phrase",
        r"exit(?:ed|s|ing)?(?: with)?(?: a)?(?: non-?zero)?(?: exit)?[_ ]?(?:code|status)?(?: of| is| was)?\s?[:= ]\s?-?\d",
        "exit",
        ignore_case=True,
    ),
    _line("exit-return", r"return(?:ed)? (?:code|status|non-zero exit status)(?: of| is| was|:| =)? -?\d", "exit"),
    _line(
        "exit-trailing",
        r"(?:failed|finished|completed|ended|done|up|TERM|KILL)(?:,| with) (?:code|status) \d{1,3}\s{0,3}[\r\n]",
        "exit",
    ),
    _line("exit-make", r"\*\*\* \[[^\n]{1,200}\] Error \d", "exit"),
    _line("exit-signal", r"died with <Signals\.|[Cc]ommand terminated by signal \d", "exit"),
    _block("summary", r"Failures:[\r\n]|Root Cause \(first observed failure\):", "summary"),
)
_ATTEMPTS: Final = (
    _line("attempt-elastic", r"\] starting workers for entrypoint", "attempt"),
    _line("attempt-restart", r"attempts left; will restart worker group", "attempt"),
    _line("attempt-count", r"restart_count['\"]?[=:] ?['\"]?\d", "attempt", ignore_case=True),
    _line(
        "attempt-numbered",
        r"(?:attempt|restart) ?(?:#|number|no\.?|:|=)? ?\d{1,4} ?(?:/|of) ?\d",
        "attempt",
        ignore_case=True,
    ),
)
_FINISHES: Final = (
    _line(
        "finish-training",
        r"(?:train(?:ing)?|tuning|optimi[sz]ation|run|job|fit|experiment|everything|epochs|steps)[^\n]{0,40}"
        r"(?:finished|complete|done|ended)",
        "finish",
        ignore_case=True,
    ),
    _line(
        "finish-verb",
        r"(?:finished|completed|done)(?: (?:pre|fine)?-?(?:train|tun)ing|[ .,:;!\r\n])",
        "finish",
        ignore_case=True,
    ),
    _line(
        "finish-final-model",
        r"(?:saved|wrote|written)[^\n]{0,40}(?:final|last)[ _.-]?(?:model|checkpoint|weights|policy)",
        "finish",
        ignore_case=True,
    ),
    _line("finish-hf", r"train_runtime", "finish"),
    _line("finish-lightning", r"Trainer\.fit`? stopped: ", "finish"),
    _line("finish-elastic", r"orker group successfully finished|WorkerState\.SUCCEEDED", "finish"),
    _line("finish-early", r"early[ -]?stopping", "finish", ignore_case=True),
    _line("finish-time", r"\[after training is done\]|Total training time: |Training time \d", "finish"),
)
_CHECKPOINTS: Final = (
    _line(
        "checkpoint-saved",
        r"(?:sav(?:ed|ing)|wrote|written|writing|dump(?:ed|ing)|stored)[^\n]{0,100}"
        r"(?:checkpoint|ckpt|model|weights|state|snapshot|policy|\.pth?|\.safetensors|\.keras)",
        "checkpoint",
        ignore_case=True,
    ),
    _line("checkpoint-torch", r"Checkpoint [^\s]{1,200} is (?:ready|begin|about)", "checkpoint"),
    _line(
        "checkpoint-loaded",
        r"(?:load(?:ed|ing)|restor(?:ed|ing)|resum(?:ed|ing)|continuing)[^\n]{0,100}"
        r"(?:checkpoint|ckpt|\bmodel\b|weights|state|snapshot|\.pth?\b|\.safetensors|\.keras|step)",
        "checkpoint",
        ignore_case=True,
    ),
)
_PHASES: Final = (
    _line("phase-running", r"\*{3,} Running (?:training|Evaluation|Prediction|validation)", "phase"),
    _line(
        "phase-start",
        r"(?:start(?:ing)?|begin(?:ning)?|running) (?:the )?(?:main )?(?:training|eval|validation|test)",
        "phase",
        ignore_case=True,
    ),
    _line(
        "phase-compile",
        r"compiling (?:the |each )?(?:model|graph|train|step|loss|transformer)|Finished tracing \+ transforming",
        "phase",
        ignore_case=True,
    ),
    _line(
        "phase-setup",
        r"Distributed backend: |initializ(?:ed|ing) (?:torch )?distributed|All distributed processes registered",
        "phase",
    ),
    _line(
        "phase-teardown",
        r"destroy(?:ing|ed) (?:the )?process group|closing signal SIG|shutting down (?:workers|process group|cleanly)",
        "phase",
        ignore_case=True,
    ),
    _line(
        "stop-signal",
        r"(?:received|caught|got|handling) (?:a |the )?(?:signal )?(?:SIG(?:TERM|INT|USR|HUP|ALRM|XCPU)|signal \d)",
        "phase",
        ignore_case=True,
    ),
)
_SETTINGS: Final = (
    _line(
        "command",
        r"(?:\+ |\$ |command:? |cmd ?[=:] |launch(?:ing)?:? |argv ?[=:] )[^\n]{0,100}"
        r"(?:python|torchrun|accelerate|deepspeed|mpirun|mpiexec|srun|horovodrun|fairseq-train|lightning)",
        "command",
        ignore_case=True,
    ),
    _line(
        "world-size",
        r"world[_ ]size['\"]?\s?[=:]\s?['\"]?\d|MEMBER: \d{1,7}/\d|Num processes: \d|nranks \d",
        "world",
        ignore_case=True,
    ),
)


def _framework(name: str, regex: str) -> Cue:
    return _line(f"framework-{name}", regex, "framework")


_FRAMEWORKS: Final = (
    _framework("fsdp", r"FullyShardedDataParallel|torch/distributed/fsdp|fully_shard"),
    _framework("ddp", r"DistributedDataParallel|torch/nn/parallel/distributed\.py"),
    _framework("torchtitan", r"\[titan\]|torchtitan/"),
    _framework("deepspeed", r"\[deepspeed\]|DeepSpeed info|DeepSpeedEngine|deepspeed/runtime|ds_accelerator to"),
    _framework("lightning", r"`Trainer\.fit`|pytorch_lightning/|lightning/pytorch/|lightning/fabric/"),
    _framework("accelerate", r"accelerate/(?:accelerator|launchers|commands|utils)|accelerate launch"),
    _framework("trl", r"trl/trainer/|SFTTrainer|DPOTrainer|GRPOTrainer"),
    _framework("verl", r"verl/(?:trainer|workers)/"),
    _framework(
        "transformers",
        r"transformers/(?:trainer|models|training_args|modeling)|\*{5} Running training \*{5}|'train_runtime'",
    ),
    _framework("nemo", r"\[NeMo [IWE] "),
    _framework("megatron", r"megatron/(?:core|training)/|setting number of micro-batches to constant"),
    _framework("maxtext", r"MaxText/|maxtext/"),
    _framework("flax", r"flax/(?:linen|nnx|core|training)/"),
    _framework("jax", r"jax/_src/|jaxlib/|jaxlib\.xla_extension"),
    _framework("keras", r"keras/src/|[Kk]eras\.callbacks|/step - (?:accuracy|loss)"),
    _framework("tensorflow", r"tensorflow/(?:core|python|stream_executor|compiler)|TensorFlow binary is optimized"),
    _framework("lightgbm", r"\[LightGBM\] \[|lightgbm/"),
    _framework("xgboost", r"xgboost/(?:core|training|sklearn|tracker)"),
    _framework("ultralytics", r"Ultralytics (?:YOLO)?v?\d|ultralytics/"),
    _framework("detectron2", r"detectron2/|d2\.(?:utils|engine|data|evaluation)"),
    _framework("mmengine", r"- mmengine - |mmengine/"),
    _framework("fairseq", r"fairseq/|\| fairseq_cli\.train"),
    _framework("ray", r"ray/train/|ray\.exceptions|RayTrainWorker|ray/(?:_private|worker)"),
    _framework("sklearn", r"sklearn/"),
    _framework("torchelastic", r"torch/distributed/elastic|torch\.distributed\.elastic|torch/distributed/run\.py"),
    _framework(
        "pytorch",
        r"torch/(?:nn|utils|optim|cuda|autograd|_tensor|serialization|distributed|_dynamo|_inductor)|torch\.(?:cuda|nn|distributed|OutOfMemoryError)|ProcessGroup(?:NCCL|Gloo)",
    ),
)
CUES: Final[tuple[Cue, ...]] = (
    *_FAULTS,
    *_EXITS,
    *_ATTEMPTS,
    *_FINISHES,
    *_CHECKPOINTS,
    *_PHASES,
    *_SETTINGS,
    *_FRAMEWORKS,
)
"""All cues. Two of them may fire on one line; their readers then decide."""
