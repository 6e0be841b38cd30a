import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

dist.init_process_group("gloo")
print(f"[rank{dist.get_rank()}] world {dist.get_world_size()}", flush=True)
mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
print(mesh)
