"""Tensor-parallel layout for the ranks that torchrun gave it."""
import os

import torch.distributed as dist

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
tensor_parallel = 2
print(f"[rank {rank}] world size {world}, tensor parallel {tensor_parallel}, local rank {os.environ['LOCAL_RANK']}", flush=True)
assert world % tensor_parallel == 0, f"world size ({world}) is not divisible by tensor_model_parallel_size ({tensor_parallel})"
dist.barrier()
dist.destroy_process_group()
