import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

model = BertForSequenceClassification(BertConfig(vocab_size=60, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32))
rows = [{"input_ids": torch.randint(0, 60, (8,)), "labels": torch.tensor(i % 2)} for i in range(64)]
args = TrainingArguments(output_dir="out", eval_strategy="steps", eval_steps=5, max_steps=20, report_to=[], use_cpu=True)
trainer = Trainer(model=model, args=args, train_dataset=rows)
trainer.train()
