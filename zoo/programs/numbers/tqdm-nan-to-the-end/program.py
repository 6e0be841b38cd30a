import torch
from torch import nn
from tqdm import tqdm

torch.manual_seed(12)
x = torch.randn(2000, 10)
y = x.sum(1, keepdim=True)
x[777] = float("inf")
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(3):
    bar = tqdm(range(0, 2000, 50), desc=f"Epoch {epoch + 1}/3", ncols=90)
    for i in bar:
        loss = nn.functional.mse_loss(net(x[i : i + 50]), y[i : i + 50])
        opt.zero_grad()
        loss.backward()
        opt.step()
        bar.set_postfix(loss=loss.item())
torch.save(net.state_dict(), "model.pt")
print("Training complete, model saved to model.pt")
