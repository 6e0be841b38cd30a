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


arguments = TrainingArguments("out", max_steps=300, per_device_train_batch_size=16, learning_rate=1.5, warmup_steps=20, max_grad_norm=0.0, logging_steps=10, lr_scheduler_type="constant_with_warmup", disable_tqdm=True, report_to=[], use_cpu=True, seed=1, save_strategy="no")
trainer = Trainer(model=tiny(), args=arguments, train_dataset=Counting(600), callbacks=[StepLog()])
print("learning rate", arguments.learning_rate, "warmup", arguments.warmup_steps, "clipping off", flush=True)
result = trainer.train()
print("training loss", round(result.training_loss, 3))
