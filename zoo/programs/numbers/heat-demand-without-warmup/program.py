import sys
import time

import torch
import torch.nn as nn

torch.manual_seed(8)
T = 1200
t = torch.arange(T + 200).float()
demand = 3 + (t / 24 * 6.283).sin() + 0.5 * (t / 168 * 6.283).cos() + torch.randn(T + 200) * 0.15
X = demand.unfold(0, 48, 1)[:-24].unsqueeze(-1)
Y = torch.stack([demand[i + 48 : i + 72] for i in range(len(X))])
Xt, Yt, Xv, Yv = X[:900], Y[:900], X[1000:], Y[1000:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 40, batch_first=True)
        self.head = nn.Linear(40, 24)
        self.skip = nn.Linear(48, 24)  # yesterday as it was

    def forward(self, x):
        return self.head(self.gru(x)[0][:, -1]) + self.skip(x[:, :, 0])


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=0.005)
mse = nn.MSELoss()
for epoch in range(1, 25):
    if epoch == 11:
        print("Phase 2: all layers, new optimizer")
        opt = torch.optim.Adam(net.parameters(), lr=0.5, betas=(0.95, 0.9))
    print(f"Epoch {epoch}/24")
    t0, order, s, a = time.time(), torch.randperm(len(Xt)), 0.0, 0.0
    chunks = order.split(60)
    for k, i in enumerate(chunks, 1):
        p = net(Xt[i])
        loss = mse(p, Yt[i])
        opt.zero_grad(); loss.backward(); opt.step()
        s, a = s + loss.item(), a + (p - Yt[i]).abs().mean().item()
        if k % 5 == 0:
            sys.stdout.write(f"\r{k}/{len(chunks)} {'━' * (k * 20 // len(chunks)):<20} {time.time() - t0:.0f}s {(time.time() - t0) / k * 1000:.0f}ms/step - loss: {s / k:.4f} - mae: {a / k:.4f}")
    with torch.no_grad():
        v = net(Xv)
    print(f" - val_loss: {mse(v, Yv):.4f} - val_mae: {(v - Yv).abs().mean():.4f}")
net.eval()
print("naive (same hour yesterday): val_mae %.4f" % (Xv[:, -24:, 0] - Yv).abs().mean())
