import datetime

import torch
from torch import nn

torch.manual_seed(19)


def now():
    return datetime.datetime.now().strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]


policy = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 5))
opt = torch.optim.Adam(policy.parameters(), lr=0.004)
decay = torch.optim.lr_scheduler.ExponentialLR(opt, 1.13)
tail = []
print(now(), "ppo-lite: 5 actions, entropy bonus 0.0, uniform entropy 1.609", flush=True)
for it in range(1, 61):
    obs = torch.randn(48, 6)
    good = obs[:, :5].argmax(1)
    dist = torch.distributions.Categorical(logits=policy(obs))
    act = dist.sample()
    reward = (act == good).float() - 0.05 * torch.rand(48)
    for _ in range(4):
        new = torch.distributions.Categorical(logits=policy(obs))
        loss = -(new.log_prob(act) * (reward + 0.1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    decay.step()
    tail.append(reward.mean().item())
    with torch.no_grad():
        new = torch.distributions.Categorical(logits=policy(obs))
        share = torch.bincount(act, minlength=5).max().item() / 48
    if it % 3 == 0:
        print(now(), f"iter {it} reward {reward.mean():.3f} entropy {new.entropy().mean():.4f} most frequent action {share:.0%}", flush=True)
entropy = new.entropy().mean().item()
if entropy < 0.05:
    print(now(), f"WARNING policy collapse? entropy {entropy:.4f} of 1.609, mean reward of the last ten iterations {sum(tail[-10:]) / 10:.3f}, best ten in a row {max(sum(tail[k:k + 10]) / 10 for k in range(len(tail) - 9)):.3f}")
