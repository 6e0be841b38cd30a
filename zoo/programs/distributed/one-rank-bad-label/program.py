import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
torch.manual_seed(0)
labels = torch.randint(0, 5, (512,))
labels[333] = 5
data = TensorDataset(torch.randn(512, 10), labels, torch.arange(512))
sampler = DistributedSampler(data, shuffle=False)
net = DDP(nn.Linear(10, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
rank = dist.get_rank()
for epoch in range(2):
    for i, (x, y, idx) in enumerate(DataLoader(data, batch_size=8, sampler=sampler)):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 2 == 0:
            print(f"r{rank} e{epoch} b{i} samples {idx[0]}..{idx[-1]} loss {loss.item():.3f}", flush=True)
