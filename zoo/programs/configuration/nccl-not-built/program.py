import torch
import torch.distributed as dist

dist.init_process_group("nccl")
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))
print(dist.get_rank(), net)
