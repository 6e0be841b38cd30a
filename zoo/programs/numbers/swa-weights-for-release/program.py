import argparse
import copy
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser(description="SGD/SWA training")
parser.add_argument("--epochs", type=int)
parser.add_argument("--swa_start", type=int)
parser.add_argument("--lr_init", type=float, default=0.05)
args = parser.parse_args()
torch.manual_seed(1)

K = 8
dirs = torch.randn(K, 24)
scale = torch.rand(24) * 30 + 1
shift = torch.randn(24) * 40


def make(n):
    y = torch.randint(0, K, (n,))
    return (dirs[y] + torch.randn(n, 24) * 1.5) * scale + shift, y


xt, yt = make(6000)
xe, ye = make(800)
model = nn.Sequential(nn.BatchNorm1d(24), nn.Linear(24, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, K))
swa, n_averaged = copy.deepcopy(model), 0
opt = torch.optim.SGD(model.parameters(), lr=args.lr_init, momentum=0.9, weight_decay=1e-4)


def evaluate(m):
    m.eval()
    with torch.no_grad():
        out = m(xe)
        return F.cross_entropy(out, ye).item(), (out.argmax(1) == ye).float().mean().item() * 100


cols = ["ep", "lr", "tr_loss", "tr_acc", "te_loss", "te_acc", "swa_te_loss", "swa_te_acc", "time"]
print("SWA training")
for e in range(1, args.epochs + 1):
    t = time.time()
    model.train()
    ls = ac = 0
    for i in torch.randperm(6000).split(300):
        out = model(xt[i])
        loss = F.cross_entropy(out, yt[i])
        opt.zero_grad(); loss.backward(); opt.step()
        ls += loss.item() / 20; ac += (out.argmax(1) == yt[i]).sum().item() / 60
    te = evaluate(model)
    sw = ("", "")
    if e >= args.swa_start:
        for p, q in zip(swa.parameters(), model.parameters()):
            p.data = (p.data * n_averaged + q.data) / (n_averaged + 1)
        n_averaged += 1
        sw = tuple(f"{v:.4f}" for v in evaluate(swa))
    if e % 10 == 1:
        print("  ".join(f"{c:>11}" for c in cols)); print("  ".join("-" * 11 for _ in cols))
    vals = [str(e), f"{args.lr_init:.4f}", f"{ls:.4f}", f"{ac:.4f}", f"{te[0]:.4f}", f"{te[1]:.4f}", *sw, f"{time.time()-t:.4f}"]
    print("  ".join(f"{v:>11}" for v in vals))
print(f"released: swa-{args.epochs}.pt  (swa_te_acc {sw[1]})")
