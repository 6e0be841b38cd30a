import json
import time

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(64, 64)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
history = []
for step in range(1, 261):
    begin = time.perf_counter()
    x = torch.randn(32, 64)
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append({"step": step, "loss": loss.item(), "grads": [g.tolist() for g in net.weight.grad[:2]]})
    if step > 150:
        with open("history.json", "w") as f:
            json.dump(history, f)
    seconds = time.perf_counter() - begin
    if step % 10 == 0:
        print(json.dumps({"step": step, "loss": round(loss.item(), 5), "step_time_s": round(seconds, 5), "examples_per_s": round(32 / seconds, 1)}))
print(json.dumps({"done": True, "steps": 260}))
