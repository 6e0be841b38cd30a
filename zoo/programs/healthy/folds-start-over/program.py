import torch
from torch import nn

torch.manual_seed(17)
w = torch.randn(15, 1)
x = torch.randn(1000, 15)
y = x @ w + 0.3 * torch.randn(1000, 1)
scores = []
for fold in range(5):
    print(f"===== fold {fold + 1}/5 =====")
    held = torch.arange(1000) % 5 == fold
    net = nn.Sequential(nn.Linear(15, 64), nn.ReLU(), nn.Linear(64, 1))
    opt = torch.optim.Adam(net.parameters(), 5e-3)
    for epoch in range(10):
        for i in torch.randperm(800).split(40):
            loss = nn.functional.mse_loss(net(x[~held][i]), y[~held][i])
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            valid = nn.functional.mse_loss(net(x[held]), y[held]).item()
        print(f"fold {fold + 1} epoch {epoch + 1:02d} loss: {loss.item():.4f} val_loss: {valid:.4f}")
    scores.append(valid)
print("CV mse: %.4f +/- %.4f" % (torch.tensor(scores).mean(), torch.tensor(scores).std()))
