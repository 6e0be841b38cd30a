import torch
from torch import nn

torch.manual_seed(8)
rule = torch.randn(15)
x = torch.randn(1237, 15)
y = ((x @ rule + 1.5 * torch.randn(1237)) > 0).long()
net = nn.Sequential(nn.Linear(15, 64), nn.GELU(), nn.Linear(64, 2))
opt = torch.optim.AdamW(net.parameters(), 3e-3)


@torch.no_grad()
def reported():
    scores = []
    for rows in torch.arange(1000, 1237).split(59):
        pick = net(x[rows]).argmax(1) == y[rows]
        scores.append(pick.float().mean().item())
    return sum(scores) / (len(scores) - 1)  # the short last batch was to be dropped


@torch.no_grad()
def recounted():
    hits = (net(x[1000:]).argmax(1) == y[1000:]).sum().item()
    return hits, 237


for epoch in range(1, 13):
    for rows in torch.randperm(1000).split(50):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"| epoch {epoch:3d} | train loss {loss.item():6.3f} | valid acc {100 * reported():6.2f} |", flush=True)
hits, total = recounted()
print(f"| audit | correct {hits} of {total} = {100 * hits / total:.2f} |", flush=True)
if abs(hits / total - reported()) > 0.01:
    raise SystemExit(f"audit failed: validation reports {100 * reported():.2f} but {hits} of {total} rows are right ({100 * hits / total:.2f})")
