import logging
import warnings

import numpy as np
import torch
from torch import nn
from transformers import Trainer, TrainerCallback, TrainingArguments, set_seed
from transformers.utils import logging as hf_logging

set_seed(8)
hf_logging.set_verbosity_info()
logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s")
log = logging.getLogger("dash")


class Push(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kwargs):
        import urllib.request

        try:
            urllib.request.urlopen("http://127.0.0.1:9/api/points", data=str(logs).encode(), timeout=1)
        except OSError:
            log.exception("could not push metrics of step %d, they stay in the local file", state.global_step)


class Reviews(torch.utils.data.Dataset):
    def __init__(self, n):
        self.ids = torch.randint(0, 200, (n, 20))
        self.labels = (self.ids < 100).sum(1).gt(10).long()

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "labels": self.labels[i]}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.EmbeddingBag(200, 32)
        self.o = nn.Linear(32, 2)

    def forward(self, input_ids, labels=None):
        z = self.o(self.e(input_ids))
        return {"loss": nn.functional.cross_entropy(z, labels), "logits": z}


warnings.warn("fused kernels are not available, falling back to the slow path; this can fail with mixed precision", stacklevel=1)
args = TrainingArguments("out", num_train_epochs=4, per_device_train_batch_size=32, learning_rate=2e-2, logging_steps=50, eval_strategy="epoch", save_strategy="epoch", save_total_limit=1, report_to=[], use_cpu=True, disable_tqdm=True)
trainer = Trainer(Net(), args, train_dataset=Reviews(1600), eval_dataset=Reviews(300), compute_metrics=lambda p: {"accuracy": float(np.mean(p.predictions.argmax(1) == p.label_ids))}, callbacks=[Push()])
trainer.train()
trainer.save_model("final")
