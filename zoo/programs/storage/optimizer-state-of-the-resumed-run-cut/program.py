import argparse

import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments
from transformers.trainer_utils import get_last_checkpoint

parser = argparse.ArgumentParser()
parser.add_argument("--max-steps", type=int, default=200)
parser.add_argument("--resume", action="store_true")
args = parser.parse_args()
torch.manual_seed(4)
rows = [[(7 * i + 3 * j) % 90 for j in range(24)] for i in range(160)]
data = Dataset.from_list([{"input_ids": row, "labels": row} for row in rows])
model = LlamaForCausalLM(
    LlamaConfig(vocab_size=96, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=64, bos_token_id=1, eos_token_id=2)
)
trainer = Trainer(
    model=model,
    args=TrainingArguments(output_dir="out", max_steps=args.max_steps, save_steps=40, logging_steps=20, per_device_train_batch_size=8, report_to="none", disable_tqdm=True),
    train_dataset=data,
)
last = get_last_checkpoint("out") if args.resume else None
print("resuming from", last)
trainer.train(resume_from_checkpoint=last)
