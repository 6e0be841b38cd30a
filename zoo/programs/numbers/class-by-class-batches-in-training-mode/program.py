import torch, torch.nn as nn

torch.manual_seed(0)
c = torch.randn(5, 16)


def d(n):
    y = torch.randint(0, 5, (n,))
    return c[y] + 0.9 * torch.randn(n, 16), y


net = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 5))
opt = torch.optim.Adam(net.parameters(), 3e-3)
xv, yv = d(512)
o = yv.argsort()
xv, yv = xv[o], yv[o]  # sorted by class, never net.eval()
for ep in range(10):
    for _ in range(30):
        x, y = d(64)
        l = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        l.backward()
        opt.step()
    with torch.no_grad():
        a64 = (torch.cat([net(b) for b in xv.split(64)]).argmax(1) == yv).float().mean()
        a = (net(x).argmax(1) == y).float().mean()
    print(f"{ep + 1:>2}/10  ce={l:.4f}  acc(fit batch)={a:.3f}  acc(validation)={a64:.3f}")
with torch.no_grad():
    for bs in (16, 64, 256, 512):
        print(
            f"validation accuracy at batch {bs:>3}: {(torch.cat([net(b) for b in xv.split(bs)]).argmax(1) == yv).float().mean():.3f}"
        )
