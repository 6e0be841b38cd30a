import json
import time

import torch
from torch import nn

torch.manual_seed(101)
V = 64
table = torch.softmax(3 * torch.randn(V, V), 1)


def batch(strange):
    if strange:
        return torch.randint(0, 2, (24, 33)) * 63  # a log file of zeros and ones slipped into the corpus
    rows = torch.randint(0, V, (24, 1))
    for _ in range(32):
        rows = torch.cat([rows, torch.multinomial(table[rows[:, -1]], 1)], 1)
    return rows


class Lm(nn.Module):
    def __init__(self):
        super().__init__()
        self.e, self.g, self.o = nn.Embedding(V, 48), nn.GRU(48, 96, batch_first=True), nn.Linear(96, V)

    def forward(self, t):
        return self.o(self.g(self.e(t))[0])


lm = Lm()
opt = torch.optim.AdamW(lm.parameters(), 2e-3)
plan = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 640)
t0 = time.time()
for step in range(1, 641):
    rows = batch(step in (361, 362))
    loss = nn.functional.cross_entropy(lm(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(lm.parameters(), 1.0).item()
    opt.step()
    plan.step()
    if step % 20 == 0 or loss > 6:
        row = {"ts": round(time.time() - t0, 2), "step": step, "loss": round(loss.item(), 4), "gnorm": round(norm, 3), "lr": f"{plan.get_last_lr()[0]:.2e}"}
        if loss > 6:
            row["alert"] = "loss spike"
        print(json.dumps(row), flush=True)
torch.save(lm.state_dict(), "lm-final.pt")
print(json.dumps({"status": "finished", "steps": 640, "saved": "lm-final.pt"}))
