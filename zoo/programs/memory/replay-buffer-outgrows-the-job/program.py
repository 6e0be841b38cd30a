import torch
from torch import nn

torch.manual_seed(0)
network = nn.Sequential(nn.Flatten(), nn.Linear(84 * 84, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(network.parameters(), lr=1e-4)
replay = []
frames = 0
while frames < 200_000:
    for _ in range(50):
        replay.append((torch.rand(84, 84), torch.randint(0, 4, ()), torch.rand(())))
        frames += 1
    states, actions, rewards = map(torch.stack, zip(*(replay[i] for i in torch.randint(0, len(replay), (16,))), strict=True))
    loss = (network(states).gather(1, actions[:, None]).squeeze(1) - rewards).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if frames % 500 == 0:
        print(f"frames {frames} td {loss.item():.4f} buffer {len(replay)}", flush=True)
