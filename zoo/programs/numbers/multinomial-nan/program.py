import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(6, 64), nn.Tanh(), nn.Linear(64, 4))
opt = torch.optim.Adam(policy.parameters(), lr=3.0)
baseline = 0.0
for episode in range(1, 1001):
    state, rewards, logps = torch.randn(6), [], []
    for t in range(20):
        p = torch.softmax(policy(state), -1)
        action = torch.multinomial(p, 1)
        logps.append(torch.log(p[action]))
        rewards.append(float(state.sum() > 0) if action.item() % 2 == 0 else -float(state.sum() > 0))
        state = torch.randn(6)
    ret = sum(rewards)
    baseline = 0.95 * baseline + 0.05 * ret
    loss = -(ret - baseline) * torch.stack(logps).sum() - 5.0 * (p * p.log()).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if episode % 10 == 0 or episode < 6:
        print(f"episode {episode} return {ret:+.1f} policy_loss {loss.item():.3f} baseline {baseline:+.2f}")
