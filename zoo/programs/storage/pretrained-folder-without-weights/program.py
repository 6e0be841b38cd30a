"""Fine-tunes a small encoder from a folder that an earlier stage copied."""
import sys

import torch
from transformers import BertConfig, BertForSequenceClassification

if "--prepare" in sys.argv:
    sizes = {"vocab_size": 99, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    BertForSequenceClassification(BertConfig(**sizes)).save_pretrained("base")
    raise SystemExit
print("stage 2/3: fine-tuning from ./base")
config = BertConfig.from_pretrained("base")
print(f"  hidden {config.hidden_size}, layers {config.num_hidden_layers}, vocabulary {config.vocab_size}")
model = BertForSequenceClassification.from_pretrained("base")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(1, 41):
    ids = torch.randint(0, 99, (8, 12))
    loss = model(ids, labels=ids[:, 0] % 2).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"  step {step}/40 loss={loss.item():.3f}")
