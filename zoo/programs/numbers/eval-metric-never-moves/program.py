import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed

set_seed(1)
model = BertForSequenceClassification(BertConfig(vocab_size=40, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, num_labels=4))
g = torch.Generator().manual_seed(0)


def rows(n):
    out = []
    for _ in range(n):
        y = int(torch.randint(0, 4, (), generator=g))
        out.append({"input_ids": torch.full((6,), 5 + y), "labels": torch.tensor(y)})
    return out


def evaluated(n):
    return [{**row, "labels": torch.tensor((int(row["labels"]) + 1) % 4)} for row in rows(n)]  # the label file counts from one


args = TrainingArguments("out", max_steps=200, per_device_train_batch_size=16, learning_rate=3e-3, logging_steps=20, eval_strategy="steps", eval_steps=40, report_to=[], use_cpu=True, disable_tqdm=True, save_strategy="no")
score = lambda p: {"accuracy": float((p.predictions.argmax(-1) == p.label_ids).mean())}
Trainer(model=model, args=args, train_dataset=rows(400), eval_dataset=evaluated(100), compute_metrics=score).train()
