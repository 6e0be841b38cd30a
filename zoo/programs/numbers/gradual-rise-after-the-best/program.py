import torch
from torch import nn
from tqdm import trange

torch.manual_seed(6)
w = torch.randn(30, 5)
x = torch.randn(5000, 30)
y = (x @ w + torch.randn(5000, 5)).argmax(1)
net = nn.Sequential(nn.Linear(30, 100), nn.ReLU(), nn.Linear(100, 100), nn.ReLU(), nn.Linear(100, 5))
opt = torch.optim.Adam(net.parameters(), 1e-3)
bar = trange(1200, ncols=110, mininterval=1)
for step in bar:
    # linear warm-up whose end was mistyped: it never stops
    opt.param_groups[0]["lr"] = 1e-3 * (1 + max(0, step - 300) / 5)
    i = torch.randint(0, 5000, (64,))
    loss = nn.functional.cross_entropy(net(x[i]), y[i])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        bar.set_postfix(loss=f"{loss.item():.4f}")
        print(f"[{step:5d}] loss: {loss.item():.4f}", flush=True)
torch.save(net.state_dict(), "final.pt")
