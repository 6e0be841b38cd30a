import torch.distributed as dist

dist.init_process_group("gloo")
print("joined", dist.get_rank(), "of", dist.get_world_size())
