"""Checks a DeepSpeed configuration before asking for GPUs."""
import logging

logging.basicConfig(level=logging.INFO, format="[%(asctime)s] [%(levelname)s] [%(filename)s:%(lineno)d:%(funcName)s] %(message)s")
from deepspeed.runtime.config import DeepSpeedConfig

settings = {
    "train_batch_size": 30,
    "train_micro_batch_size_per_gpu": 4,
    "gradient_accumulation_steps": 8,
    "gradient_clipping": 1.0,
    "zero_optimization": {"stage": 2},
}
logging.info("checking configuration for world size 1")
DeepSpeedConfig(settings)
logging.info("configuration is consistent")
