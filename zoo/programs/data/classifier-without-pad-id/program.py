"""Sequence classification with GPT-2, whose configuration names no padding id."""
import torch
from transformers import GPT2Config, GPT2ForSequenceClassification

torch.manual_seed(0)
config = GPT2Config(vocab_size=120, n_embd=32, n_layer=1, n_head=2, n_positions=32, num_labels=3, bos_token_id=1, eos_token_id=2)
model = GPT2ForSequenceClassification(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
ids = torch.randint(3, 120, (256, 16))
labels = ids[:, 0] % 3
print("sanity check with one sample:", float(model(input_ids=ids[:1], labels=labels[:1]).loss))
for step in range(1, 33):
    rows = slice(step * 8 - 8, step * 8)
    loss = model(input_ids=ids[rows], labels=labels[rows]).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step} loss {loss.item():.4f}", flush=True)
