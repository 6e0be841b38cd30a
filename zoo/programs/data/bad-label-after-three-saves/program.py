import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 4))
opt = torch.optim.AdamW(net.parameters(), 2e-3)
labels = torch.randint(0, 4, (3000,))
labels[2817] = 4
x = torch.randn(3000, 12)
print("Epoch 0")
for step, i in enumerate(torch.arange(3000).split(8), 1):
    loss = F.cross_entropy(net(x[i]), labels[i])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 25 == 0:
        print(f"  step {step:>4}  loss {loss.item():.3f}", flush=True)
    if step % 100 == 0:
        torch.save({"state_dict": net.state_dict(), "optimizer": opt.state_dict(), "step": step}, f"weights/step={step}.ckpt")
        print(f"  checkpoint -> weights/step={step}.ckpt", flush=True)
