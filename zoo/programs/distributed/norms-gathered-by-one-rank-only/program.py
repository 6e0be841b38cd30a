import datetime

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=20))
rank = dist.get_rank()
torch.manual_seed(rank)
policy = nn.Linear(5, 2)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


def average(tensors):
    for tensor in tensors:
        dist.all_reduce(tensor)
        tensor /= dist.get_world_size()


average([parameter.data for parameter in policy.parameters()])
for number in range(1, 100):
    states = torch.randn(64, 5)
    choice = torch.distributions.Categorical(logits=policy(states))
    action = choice.sample()
    reward = (action == (states[:, 0] > 0)).float()
    loss = -(choice.log_prob(action) * (reward - 0.5)).mean()
    optimizer.zero_grad()
    loss.backward()
    average([parameter.grad for parameter in policy.parameters()])
    optimizer.step()
    if rank == 0 and number % 10 == 0:
        print(f"round {number} mean reward {reward.mean():.3f}", flush=True)
    if rank == 0 and number == 40:
        print("rank 0: averaging the weight norm for the report", flush=True)
        norm = policy.weight.detach().norm()
        average([norm])
    dist.barrier()
