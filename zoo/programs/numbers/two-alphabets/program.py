import argparse
import math
import random
import time

import torch
import torch.nn as nn
from corpus import tokens

p = argparse.ArgumentParser(description="Language model on a made-up language")
p.add_argument("--data"); p.add_argument("--epochs", type=int); p.add_argument("--save")
args = p.parse_args()
random.seed(3)
torch.manual_seed(3)
nxt = {i: random.sample(range(120), 4) for i in range(120)}


def speak(n, w):
    out = []
    for _ in range(n):
        out.append(f"w{w}")
        w = random.choice(nxt[w])
    return " ".join(out)


ids_train, dict_train = tokens(speak(24000, 0))
ids_valid, dict_valid = tokens(speak(3000, 77))
print(f"train.txt: {len(ids_train)} tokens, {len(dict_train.id)} words ({', '.join(list(dict_train.id)[:6])}, ...)")
print(f"valid.txt: {len(ids_valid)} tokens, {len(dict_valid.id)} words ({', '.join(list(dict_valid.id)[:6])}, ...)")
model = nn.Sequential(nn.Embedding(120, 48), nn.Linear(48, 120))
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
tr, va = torch.tensor(ids_train), torch.tensor(ids_valid)


def evaluate(d):
    with torch.no_grad():
        return nn.functional.cross_entropy(model(d[:-1]), d[1:]).item()


for epoch in range(1, args.epochs + 1):
    t0 = start = time.time()
    total = 0
    parts = list((torch.randperm(len(tr) - 1)).split(100))
    for b, i in enumerate(parts, 1):
        loss = nn.functional.cross_entropy(model(tr[i]), tr[i + 1])
        opt.zero_grad(); loss.backward(); opt.step()
        total += loss.item()
        if b % 60 == 0:
            print(f"| epoch {epoch:3d} | {b:5d}/{len(parts):5d} batches | lr {opt.param_groups[0]['lr']:.3f} | ms/batch {(time.time() - start) * 1000 / 60:5.2f} | loss {total / 60:5.2f} | ppl {math.exp(total / 60):8.2f}")
            total, start = 0, time.time()
    v = evaluate(va)
    print("-" * 89)
    print(f"| end of epoch {epoch:3d} | time: {time.time() - t0:5.2f}s | valid loss {v:5.2f} | valid ppl {math.exp(v):8.2f}")
    print("-" * 89)
print("=" * 89)
print(f"| End of training | train ppl (no dropout) {math.exp(evaluate(tr)):8.2f} | valid ppl {math.exp(v):8.2f}")
print("=" * 89)
