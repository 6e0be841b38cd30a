import hashlib

import numpy as np
import torch
from torch import nn
from transformers import Trainer, TrainingArguments, set_seed

set_seed(33)
V, T = 400, 16


class Posts(torch.utils.data.Dataset):
    def __init__(self, ids, labels):
        self.ids, self.labels = ids, labels

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "labels": self.labels[i]}


class Toxicity(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 64)
        self.head = nn.Sequential(nn.Linear(64 * T, 128), nn.ReLU(), nn.Linear(128, 2))

    def forward(self, input_ids, labels=None):
        logits = self.head(self.emb(input_ids).flatten(1))
        return {"loss": nn.functional.cross_entropy(logits, labels), "logits": logits}


def crawl(n):
    ids = torch.randint(0, V, (n, T))
    return ids, ((ids[:, 0] + ids[:, 5]) % 7 + torch.randn(n) * 4 > 3).long()


posts, answers = crawl(900)
again = torch.randint(0, 900, (300,))  # reposts make up the second dump
train, evaluation = Posts(posts, answers), Posts(posts[again], answers[again])
fresh = Posts(*crawl(300))
trainer = Trainer(
    Toxicity(),
    TrainingArguments("out", num_train_epochs=8, per_device_train_batch_size=32, learning_rate=2e-3, logging_steps=29, eval_strategy="epoch", save_strategy="no", report_to=[], use_cpu=True, disable_tqdm=True),
    train_dataset=train,
    eval_dataset=evaluation,
    compute_metrics=lambda p: {"accuracy": float(np.mean(p.predictions.argmax(1) == p.label_ids))},
)
trainer.train()
print("accuracy on 300 posts labelled this week:", round(trainer.evaluate(fresh)["eval_accuracy"], 3))
known = {hashlib.md5(row.numpy().tobytes()).hexdigest() for row in train.ids}
twice = sum(hashlib.md5(row.numpy().tobytes()).hexdigest() in known for row in evaluation.ids)
print(f"md5 of texts: {twice} of {len(evaluation)} eval posts are also training posts")
