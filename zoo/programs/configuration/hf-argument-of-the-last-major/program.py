import argparse

import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

parser = argparse.ArgumentParser(description="intent classifier")
parser.add_argument("--epochs", type=float, default=2)
parser.add_argument("--lr", type=float, default=5e-5)
args = parser.parse_args()

rows = [{"input_ids": [(i * 7 + j) % 97 + 3 for j in range(12)], "labels": i % 4} for i in range(200)]
data = Dataset.from_list(rows).train_test_split(0.2, seed=3)
print(data)
config = BertConfig(vocab_size=120, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, num_labels=4)
torch.manual_seed(0)
model = BertForSequenceClassification(config)
print(f"parameters: {model.num_parameters():,}")
training_args = TrainingArguments(
    output_dir="out",
    num_train_epochs=args.epochs,
    learning_rate=args.lr,
    per_device_train_batch_size=8,
    evaluation_strategy="epoch",
    logging_steps=10,
    report_to="none",
)
Trainer(model=model, args=training_args, train_dataset=data["train"], eval_dataset=data["test"]).train()
