"""Builds a DeepSpeed configuration that names no batch size."""
import json

from deepspeed.runtime.config import DeepSpeedConfig

settings = {"bf16": {"enabled": True}, "zero_optimization": {"stage": 3}, "steps_per_print": 10, "dump_state": False}
print(json.dumps(settings, indent=2))
DeepSpeedConfig(settings)
print("ready")
