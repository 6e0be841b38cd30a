"""How a report names the framework."""

from __future__ import annotations

from typing import Final

from runtriage.model.facts import Facts

_NAMES: Final = {
    "pytorch": "PyTorch",
    "fsdp": "PyTorch FSDP",
    "ddp": "PyTorch DDP",
    "torchrun": "torchrun",
    "torchelastic": "torchelastic",
    "torchtitan": "torchtitan",
    "lightning": "Lightning",
    "deepspeed": "DeepSpeed",
    "megatron": "Megatron-LM",
    "nemo": "NeMo",
    "transformers": "Transformers",
    "accelerate": "Accelerate",
    "trl": "TRL",
    "peft": "PEFT",
    "verl": "verl",
    "tensorflow": "TensorFlow",
    "keras": "Keras",
    "jax": "JAX",
    "maxtext": "MaxText",
    "flax": "Flax",
    "xgboost": "XGBoost",
    "lightgbm": "LightGBM",
    "sklearn": "scikit-learn",
    "ray": "Ray",
    "ultralytics": "Ultralytics",
    "detectron2": "Detectron2",
    "mmengine": "MMEngine",
    "fairseq": "fairseq",
}


def display(facts: Facts) -> str:
    """Return the framework as a reader knows it, `unknown` when nothing shows one.

    The user's own choice wins over what was recognised.
    """
    if facts.options.framework is not None:
        return _NAMES[facts.options.framework]
    for name in facts.frameworks:
        return _NAMES.get(name, name)
    return "unknown"
