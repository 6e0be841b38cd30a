import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DistributedDataParallel(nn.Sequential(nn.Flatten(), nn.Linear(192, 64), nn.ReLU(), nn.Linear(64, 10)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
STRENGTH = {"weak": 0.1, "strong": 0.4}


def augment(images, epoch):
    if epoch < 1:  # the first epoch is clean
        return images
    return images + STRENGTH[os.environ["AUGMENT_PROFILE"]] * torch.randn_like(images)


for epoch in range(4):
    for step in range(1, 41):
        images, labels = torch.rand(16, 3, 8, 8), torch.randint(0, 10, (16,))
        loss = nn.functional.cross_entropy(model(augment(images, epoch)), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0 and rank == 0:
            print(f"epoch {epoch} step {step} loss {loss.item():.4f}", flush=True)
dist.destroy_process_group()
