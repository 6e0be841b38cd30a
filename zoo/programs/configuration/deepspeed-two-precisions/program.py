from deepspeed.runtime.config import DeepSpeedConfig

settings = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-3}},
    "fp16": {"enabled": True},
    "bf16": {"enabled": True},
    "zero_optimization": {"stage": 1},
}
print(DeepSpeedConfig(settings))
