import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

RECORDS = [f"{i},{i * 0.5},{i % 3}" for i in range(400)]
RECORDS[157] = "157,n/a,1"


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    model = DDP(nn.Linear(1, 3))
    opt = torch.optim.SGD(model.parameters(), lr=1e-4)
    if rank == 0:
        print(f"world size {world}, {len(RECORDS)} records, master {os.environ['MASTER_ADDR']}")
    for step, line in enumerate(RECORDS[rank::world]):
        _, feature, label = line.split(",")
        x = torch.tensor([[float(feature)]])
        loss = nn.functional.cross_entropy(model(x), torch.tensor([int(label)]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"[rank {rank}] step {step} loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
