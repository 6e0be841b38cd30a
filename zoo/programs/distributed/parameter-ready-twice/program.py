"""Recomputes a shared block in the backward pass."""
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.checkpoint import checkpoint


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.inlet, self.block, self.out = nn.Linear(8, 16), nn.Linear(16, 16), nn.Linear(16, 1)

    def forward(self, x):
        h = self.inlet(x)
        for _ in range(3):
            h = checkpoint(self.block, h, use_reentrant=True).tanh()
        return self.out(h)


dist.init_process_group("gloo")
torch.manual_seed(1)
net = nn.parallel.DistributedDataParallel(Shared())
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
if dist.get_rank() == 0:
    print(f"{sum(p.numel() for p in net.parameters())} parameters, world {dist.get_world_size()}")
for step in range(100):
    x = torch.randn(32, 8)
    loss = (net(x) - x[:, :1]).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"[{dist.get_rank()}] step {step} {loss.item():.4f}", flush=True)
dist.destroy_process_group()
