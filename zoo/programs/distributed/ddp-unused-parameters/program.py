import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.main, self.aux = nn.Linear(8, 16), nn.Linear(16, 4), nn.Linear(16, 1)

    def forward(self, x, use_aux):
        h = torch.relu(self.trunk(x))
        return self.aux(h) if use_aux else self.main(h)


dist.init_process_group("gloo")
net = DistributedDataParallel(TwoHeads())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for it in range(20):
    loss = net(torch.randn(4, 8), use_aux=it >= 100).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"rank={dist.get_rank()} it={it} loss={loss.item():.4f}", flush=True)
