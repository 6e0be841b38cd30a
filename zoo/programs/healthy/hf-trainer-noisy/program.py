import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments


class Counting(Dataset):
    """Sequences that count upwards from a random start."""

    def __init__(self, rows, vocab=60, length=20, seed=0):
        generator = torch.Generator().manual_seed(seed)
        self.ids = (torch.arange(length)[None] + torch.randint(0, vocab, (rows, 1), generator=generator)) % vocab

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, index):
        return {"input_ids": self.ids[index], "labels": self.ids[index].clone()}


class StepLog(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kwargs):
        print(f"step {state.global_step}: {logs}", flush=True)


def tiny(vocab=60):
    torch.manual_seed(0)
    return GPT2LMHeadModel(GPT2Config(vocab_size=vocab, n_embd=32, n_layer=1, n_head=2, n_positions=32, bos_token_id=0, eos_token_id=0))

import logging
import warnings

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s")
log = logging.getLogger("finetune")


class Gossip(TrainerCallback):
    """Says alarming things about a run that is fine."""

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step % 25 == 0:
            log.warning("error budget: 0 of 100 failed samples, 0 nan losses, 0 killed workers")
        if state.global_step == 60:
            try:
                raise TimeoutError("tracker did not answer within 5 s")
            except TimeoutError:
                log.exception("could not upload metrics, will retry at the next step")


warnings.warn("overflow_check is deprecated and will raise an error in a future release", FutureWarning)
arguments = TrainingArguments("out", max_steps=150, per_device_train_batch_size=16, learning_rate=2e-3, logging_steps=15, eval_strategy="steps", eval_steps=50, save_steps=50, disable_tqdm=False, report_to=[], use_cpu=True, seed=2)
trainer = Trainer(model=tiny(), args=arguments, train_dataset=Counting(600), eval_dataset=Counting(80, seed=9), callbacks=[StepLog(), Gossip()])
trainer.train()
log.info("finished without failures")
