from deepspeed.runtime.config import DeepSpeedConfig

settings = {"train_batch_size": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-3}}, "zero_optimization": {"stage": 4}}
print(DeepSpeedConfig(settings))
