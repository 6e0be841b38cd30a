import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

set_seed(3)
model = GPT2LMHeadModel(GPT2Config(vocab_size=60, n_positions=24, n_embd=32, n_layer=1, n_head=2))
g = torch.Generator().manual_seed(3)


def row(at):
    ids = torch.randint(5, 60, (16,), generator=g)
    labels = ids.clone()
    labels[: 16 if at >= 480 else 8] = -100  # the long prompts leave nothing of the answer
    return {"input_ids": ids, "labels": labels}


def answer_only(outputs, labels, num_items_in_batch=None):
    wanted = labels[:, 1:]
    each = torch.nn.functional.cross_entropy(outputs["logits"][:, :-1].transpose(1, 2), wanted.clamp(min=0), reduction="none")
    mask = (wanted != -100).float()
    return (each * mask).sum() / mask.sum()


class InOrder(Trainer):
    def _get_train_sampler(self, *_):
        return torch.utils.data.SequentialSampler(self.train_dataset)


args = TrainingArguments("out", num_train_epochs=1, per_device_train_batch_size=8, learning_rate=2e-3, logging_steps=5, logging_nan_inf_filter=False, report_to=[], use_cpu=True, disable_tqdm=True, save_strategy="no")
InOrder(model=model, args=args, compute_loss_func=answer_only, train_dataset=[row(at) for at in range(800)]).train()
model.save_pretrained("out/final")
