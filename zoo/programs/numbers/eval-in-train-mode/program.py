import torch
from torch import nn

torch.manual_seed(2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.bn, self.b = nn.Linear(32, 128), nn.BatchNorm1d(128), nn.Linear(128, 10)
        self.drop = nn.Dropout(0.9)

    def forward(self, x):
        return self.b(self.drop(torch.relu(self.bn(self.a(x)))))


proto = torch.randn(10, 32)


def batch(n):
    y = torch.randint(0, 10, (n,))
    return proto[y] + 0.6 * torch.randn(n, 32), y


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(10):
    net.train()
    hits = seen = 0
    for _ in range(60):
        x, y = batch(64)
        out = net(x)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        net.eval()
        x, y = batch(640)
        train_acc = (net(x).argmax(1) == y).float().mean()
        net.train()
        x, y = batch(640)
        first = (net(x).argmax(1) == y).float().mean()
        again = (net(x).argmax(1) == y).float().mean()
    print(f"epoch {epoch:2d} train_loss {loss:.3f} train_acc(eval mode) {train_acc:.3f} val_acc {first:.3f} val_acc_repeat {again:.3f} model.training={net.training}")
print("val_acc differs between two passes over the same validation data; final val_acc %.3f, expected about %.3f" % (first, train_acc))
