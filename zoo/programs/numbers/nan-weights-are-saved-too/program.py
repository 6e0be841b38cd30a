import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 1))
opt = torch.optim.Adam(net.parameters(), 1e-3)
for step in range(1, 401):
    x = torch.randn(64, 12)
    if step == 251:
        x[3, 4] = float("inf")
    loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True).clamp(-20, 20))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0 or step == 251:
        print({"step": step, "loss": round(loss.item(), 4), "lr": 1e-3}, flush=True)
    if step % 100 == 0:
        torch.save({"model": net.state_dict(), "optimizer": opt.state_dict(), "step": step}, f"model_step{step}.pt")
        print(f"saved model_step{step}.pt", flush=True)
