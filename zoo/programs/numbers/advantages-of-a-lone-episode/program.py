"""A small actor-critic on a noisy reaching task."""
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(12)
actor = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 3))
critic = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))
log_std = nn.Parameter(torch.full((3,), -0.5))
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters(), log_std], lr=3e-3)
budget, used = 5000, 0
update = 0
while used < budget:
    episodes = min(96, budget - used)
    if update == 33:
        episodes = 1  # 31 of the 32 simulators had been restarted and sent nothing
    goal = torch.randn(episodes, 3)
    dist = Normal(actor(goal), log_std.exp())
    action = dist.sample()
    ret = -(action - goal).square().sum(1)
    value = critic(goal).squeeze(1)
    adv = ret - value.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    loss = -(dist.log_prob(action).sum(1) * adv).mean() + (ret - value).square().mean() * 0.1
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 1.0)
    opt.step()
    used += episodes
    update += 1
    print(f"update {update:3d} | episodes {used:5d} | return {ret.mean():8.3f} | loss {loss.item():8.3f} | std {log_std.exp().mean():.3f}", flush=True)
