import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(500, 500), nn.ReLU(), nn.Linear(500, 500))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
step = 0
while True:
    step += 1
    x = torch.randn(256, 500)
    loss = (net(x) - x).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(f"step={step};loss={loss.item():.4f}")
