import torch
from torch import nn
from transformers import Trainer, TrainerCallback, TrainingArguments, set_seed

set_seed(17)
V, T = 90, 28


class Chats(torch.utils.data.Dataset):
    """Only the reply is learned: everything up to the marker is masked."""

    def __init__(self, n):
        self.rows = torch.randint(2, V, (n, T))
        for t in range(14, T):
            self.rows[:, t] = (self.rows[:, t - 1] * 7 + 3) % V
        self.rows[torch.arange(n), torch.randint(8, 14, (n,))] = 1
        self.rows[1290:1300, 2:] = 5  # prompts so long that the reply was cut off

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids = self.rows[i]
        at = (ids == 1).nonzero()
        labels = ids.clone()
        labels[: int(at[0]) + 1 if len(at) else T] = -100
        return {"input_ids": ids, "labels": labels}


class Reply(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(V, 48)
        self.g = nn.GRU(48, 64, batch_first=True)
        self.o = nn.Linear(64, V)

    def forward(self, input_ids, labels=None):
        z = self.o(self.g(self.e(input_ids))[0])
        nll = nn.functional.cross_entropy(z[:, :-1].flatten(0, 1), labels[:, 1:].flatten().clamp(min=0), reduction="none")
        weight = (labels[:, 1:].flatten() != -100).float()
        return {"loss": (nll * weight).sum() / weight.sum(), "logits": z}


class InOrder(Trainer):
    def _get_train_sampler(self, *args):
        return torch.utils.data.SequentialSampler(self.train_dataset)


class Say(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kw):
        if "loss" in logs:
            print(f"step {state.global_step}/{state.max_steps} loss={logs['loss']} grad_norm={logs['grad_norm']}", flush=True)


data = Chats(2000)
args = TrainingArguments("o", max_steps=250, per_device_train_batch_size=10, learning_rate=3e-3, logging_steps=10, logging_nan_inf_filter=False, report_to=[], use_cpu=True, save_strategy="no", disable_tqdm=True)
trainer = InOrder(Reply(), args, train_dataset=data, callbacks=[Say()])
trainer.train()
