import argparse

import torch
import torch.nn as nn
from cart import Carts

p = argparse.ArgumentParser()
p.add_argument("--envs", type=int)
p.add_argument("--iterations", type=int)
args = p.parse_args()
torch.manual_seed(0)
pi = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
opt = torch.optim.Adam(pi.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=1.07)
envs, total = Carts(args.envs), 0


def table(**groups):
    print("-" * 38)
    for g, items in groups.items():
        print(f"| {g + '/':<21} | {'':<11}|")
        for k, v in items.items():
            print(f"|    {k:<18} | {v:<11.4g}|" if isinstance(v, float) else f"|    {k:<18} | {v:<11}|")
    print("-" * 38)


for it in range(1, args.iterations + 1):
    obs, alive, logps, rews, ents = envs.reset(), torch.ones(args.envs), [], [], []
    for t in range(200):
        d = torch.distributions.Categorical(logits=pi(obs * torch.tensor([1.0, 1, 5, 1])))
        a = d.sample()
        logps.append(d.log_prob(a) * alive)
        ents.append((d.entropy() * alive).sum().item())
        rews.append(alive.clone())
        obs, done = envs.step(a)
        alive = alive * (~done).float()
        if alive.sum() == 0:
            break
    r = torch.stack(rews)
    ret = r.flip(0).cumsum(0).flip(0)
    adv = (ret - ret[r > 0].mean()) / (ret[r > 0].std() + 1e-6)
    loss = -(torch.stack(logps) * adv).sum() / r.sum()
    opt.zero_grad(); loss.backward(); opt.step(); sched.step()
    total += int(r.sum())
    if it % 4 == 0:
        table(rollout={"ep_len_mean": float(r.sum(0).mean()), "ep_rew_mean": float(r.sum(0).mean())}, time={"iterations": it, "total_timesteps": total},
              train={"entropy": sum(ents) / r.sum().item(), "learning_rate": sched.get_last_lr()[0], "policy_loss": loss.item()})
print("saving pi.zip")
