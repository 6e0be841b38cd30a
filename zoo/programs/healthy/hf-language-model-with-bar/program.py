import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

set_seed(31)
model = GPT2LMHeadModel(GPT2Config(vocab_size=50, n_positions=20, n_embd=32, n_layer=2, n_head=2, loss_type="ForCausalLMLossTypo"))
g = torch.Generator().manual_seed(31)


def rows(n):
    out = []
    for _ in range(n):
        start, by = torch.randint(0, 50, (2,), generator=g).tolist()
        ids = (start + by * torch.arange(12)) % 50
        noise = torch.rand(12, generator=g) < 0.1
        ids[noise] = torch.randint(0, 50, (int(noise.sum()),), generator=g)
        out.append({"input_ids": ids, "labels": ids.clone()})
    return out


args = TrainingArguments("out", num_train_epochs=3, per_device_train_batch_size=16, learning_rate=3e-3, warmup_steps=20, logging_steps=10, eval_strategy="epoch", save_strategy="epoch", save_total_limit=1, report_to=[], use_cpu=True)
trainer = Trainer(model=model, args=args, train_dataset=rows(960), eval_dataset=rows(160))
done = trainer.train()
trainer.log_metrics("train", done.metrics)
trainer.log_metrics("eval", trainer.evaluate())
trainer.save_model("out/final")
