"""REINFORCE on a bandit: noisy returns with an upward trend."""
import time

import torch

torch.manual_seed(3)
means = torch.tensor([-20.0, -5.0, 0.0, 12.0])
logits = torch.zeros(4, requires_grad=True)
optimizer = torch.optim.Adam([logits], lr=0.02)
for update in range(1, 401):
    policy = torch.distributions.Categorical(logits=logits)
    actions = policy.sample((32,))
    returns = means[actions] + 10 * torch.randn(32)
    advantage = (returns - returns.mean()) / (returns.std() + 1e-6)
    loss = -(policy.log_prob(actions) * advantage).mean() - 0.02 * policy.entropy()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if update % 20 == 0:
        explained = "nan" if update == 20 else f"{torch.rand(()).item():.2f}"
        print(f"{time.strftime('%H:%M:%S')} update {update:4d} | ep_rew_mean {returns.mean():8.2f} | entropy {policy.entropy():.3f} | policy_loss {loss.item():7.4f} | explained_variance {explained} | crashes 0", flush=True)
print("done")
