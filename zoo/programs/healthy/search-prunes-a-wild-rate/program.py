import json
import math

import torch
from torch import nn

torch.manual_seed(20)
x = torch.randn(1000, 12)
y = torch.sin(x[:, :3].sum(1, keepdim=True)) + 0.05 * torch.randn(1000, 1)


def trial(number, rate):
    torch.manual_seed(number)
    net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1))
    opt = torch.optim.SGD(net.parameters(), rate)
    for epoch in range(1, 26):
        for rows in torch.randperm(800).split(40):
            loss = nn.functional.mse_loss(net(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            valid = nn.functional.mse_loss(net(x[800:]), y[800:]).item()
        if not math.isfinite(valid):
            print(f"[trial {number}] pruned at epoch {epoch}: objective not finite (lr={rate}), going on with the next trial")
            return math.inf
        if epoch % 5 == 0:
            print(f"[trial {number}] epoch {epoch:2d} lr={rate} valid_mse={valid:.4f}")
    return valid


results = {rate: trial(number, rate) for number, rate in enumerate([0.003, 0.03, 30.0, 0.1, 0.01])}
best = min(results, key=results.get)
print("search finished: 5 trials, 4 complete, 1 pruned")
print("best:", json.dumps({"lr": best, "valid_mse": round(results[best], 4)}))
