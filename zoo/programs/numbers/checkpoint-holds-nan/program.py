import sys

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 3))
if "--make" in sys.argv:
    model[2].weight.data[1, 7] = float("nan")
    torch.save(model.state_dict(), "step_9000.pt")
    raise SystemExit
print("restoring weights from step_9000.pt")
print(model.load_state_dict(torch.load("step_9000.pt")))
bad = [name for name, value in model.state_dict().items() if not torch.isfinite(value).all()]
if bad:
    print(f"WARNING: non-finite values in restored tensors: {bad}")
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(9001, 9041):
    loss = nn.functional.cross_entropy(model(torch.randn(32, 16)), torch.randint(0, 3, (32,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("step", step, "loss", loss.item())
    if step - 9000 >= 20 and not torch.isfinite(loss):
        raise RuntimeError(f"loss has been non-finite for 20 steps (step {step}), aborting")
