"""Which frameworks a run uses, by the traces they leave in its log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.scan.contract import Cue, Reading, Row
from runtriage.scan.draft import Draft

_PREFIX: Final = "framework-"


def _framework(name: str, regex: str) -> Cue:
    return Cue(name=_PREFIX + name, regex=regex, reader="framework")


FRAMEWORKS: Final = (
    _framework("fsdp", r"FullyShardedDataParallel|torch/distributed/fsdp|fully_shard"),
    _framework("ddp", r"DistributedDataParallel|torch/nn/parallel/distributed\.py"),
    _framework("torchtitan", r"\[titan\]|torchtitan/"),
    _framework("deepspeed", r"\[deepspeed\]|DeepSpeed info|DeepSpeedEngine|deepspeed/runtime|ds_accelerator to"),
    _framework("lightning", r"`Trainer\.fit`|pytorch_lightning/|lightning/pytorch/|lightning/fabric/"),
    _framework("accelerate", r"accelerate/(?:accelerator|launchers|commands|utils)|accelerate launch"),
    _framework("trl", r"trl/trainer/|SFTTrainer|DPOTrainer|GRPOTrainer"),
    _framework("peft", r"peft/(?:tuners|utils|peft_model|mapping)"),
    _framework("verl", r"verl/(?:trainer|workers)/"),
    _framework(
        "transformers",
        r"transformers/(?:trainer|models|training_args|modeling)|\*{5} Running training \*{5}|'train_runtime'",
    ),
    _framework("nemo", r"\[NeMo [IWE] "),
    _framework(
        "megatron",
        r"megatron/(?:core|training)/|setting number of micro-batches to constant|\| consumed samples: {1,12}\d{1,15} \| elapsed time per iteration",
    ),
    _framework("maxtext", r"MaxText/|maxtext/"),
    _framework("flax", r"flax/(?:linen|nnx|core|training)/"),
    _framework("jax", r"jax/_src/|jaxlib/|jaxlib\.xla_extension|JAX has removed its internal frames|jax\.errors\."),
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
"""One cue a framework, most specific first; `framework-NAME` names it."""


def read_framework(cue: str, rows: Iterator[Row]) -> Reading:
    """Name the framework that the cue stands for."""
    row = next(rows, None)
    if row is None:
        return Reading()
    return Reading([Draft(kind="framework", name=cue.removeprefix(_PREFIX), start=row.start, end=row.end)])
