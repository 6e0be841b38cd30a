import torch
from torch import nn
from transformers import Trainer, TrainingArguments, set_seed

set_seed(1)
V, T = 64, 32
chain = torch.softmax(5 * torch.randn(V, V), 1)


class Text(torch.utils.data.Dataset):
    def __init__(self, n):
        rows = torch.randint(0, V, (n, 1))
        for _ in range(T):
            rows = torch.cat([rows, torch.multinomial(chain[rows[:, -1]], 1)], 1)
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return {"input_ids": self.rows[i, :-1], "labels": self.rows[i, 1:]}


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(V, 64)
        layer = nn.TransformerEncoderLayer(64, 4, 128, 0.0, batch_first=True, norm_first=False)
        self.body = nn.TransformerEncoder(layer, 4)
        self.head = nn.Linear(64, V)

    def forward(self, input_ids, labels=None):
        mask = nn.Transformer.generate_square_subsequent_mask(input_ids.shape[1])
        out = self.head(self.body(self.embed(input_ids), mask=mask, is_causal=True))
        return {"loss": nn.functional.cross_entropy(out.flatten(0, 1), labels.flatten()), "logits": out}


class Ramp(Trainer):
    def create_scheduler(self, num_training_steps, optimizer=None):
        # meant to be a decay
        self.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: 1.03 ** s)
        return self.lr_scheduler


args = TrainingArguments("out", max_steps=300, per_device_train_batch_size=16, logging_steps=10, learning_rate=1e-4, report_to=[], use_cpu=True, save_strategy="no", max_grad_norm=0.0)
Ramp(Small(), args, train_dataset=Text(2000)).train()
