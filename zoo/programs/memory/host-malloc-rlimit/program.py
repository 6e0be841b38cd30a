import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 16))
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(1, 41):
    x = torch.randn(128, 256)
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 8 == 0:
        print(f"step {step} loss {loss.item():.5f}")
print("building the full kernel matrix for the evaluation ...")
feats = torch.randn(60_000, 256)
kernel = feats @ feats.T
print("kernel:", kernel.shape)
