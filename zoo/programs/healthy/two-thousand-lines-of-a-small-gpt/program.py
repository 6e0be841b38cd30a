import gc
import random
import time

import torch
import torch.nn as nn

torch.manual_seed(1337)
random.seed(1337)
V, C = 50, 24
chain = {i: random.sample(range(V), 3) for i in range(V)}
text = [0]
for _ in range(30000):
    text.append(random.choices(chain[text[-1]], weights=(6, 3, 1))[0])
data = torch.tensor(text)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.e, self.p = nn.Embedding(V, C), nn.Embedding(16, C)
        self.a, self.m, self.h = nn.MultiheadAttention(C, 2, batch_first=True), nn.Sequential(nn.Linear(C, 64), nn.GELU(), nn.Linear(64, C)), nn.Linear(C, V)

    def forward(self, i):
        x = self.e(i) + self.p.weight
        x = x + self.a(x, x, x, attn_mask=torch.ones(16, 16, dtype=torch.bool).triu(1), need_weights=False)[0]
        return self.h(x + self.m(x))


net = Block()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
scale, good = 2.0**16, 0
print(f"number of parameters: {sum(p.numel() for p in net.parameters()) / 1e6:.2f}M")
print("WARNING: flash attention not available, using slow attention")
for it in range(2400):
    t = time.time()
    j = torch.randint(len(data) - 17, (8,))
    x, y = torch.stack([data[k : k + 16] for k in j]), torch.stack([data[k + 1 : k + 17] for k in j])
    loss = nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    (loss * scale).backward()
    top = max(p.grad.abs().max().item() for p in net.parameters())
    if top > 4096 * 2:  # what the 16-bit gradients of the big version hold
        scale, good = scale / 2, 0
        print(f"iter {it}: gradient overflow detected, skipping step, loss scale now {scale:.0f}")
        continue
    for p in net.parameters():
        p.grad /= scale
    opt.step()
    good += 1
    if good == 500:
        scale, good = scale * 2, 0
    print(f"iter {it}: loss {loss.item():.4f}, time {(time.time() - t) * 1000:.2f}ms, mfu -100.00%")
print(f"gc: collected {gc.collect()} objects, {gc.get_count()[0]} pending")
