"""Trainer arguments that need an Ampere GPU."""
from transformers import TrainingArguments

print("building training arguments", flush=True)
arguments = TrainingArguments("out", tf32=True, max_grad_norm=1.0, skip_memory_metrics=True, report_to=[])
print(arguments.device)
