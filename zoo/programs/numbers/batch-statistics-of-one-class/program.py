import torch
import torch.nn.functional as F
from torch import nn
from tqdm import tqdm

torch.manual_seed(0)
centres = torch.randn(8, 20)
y = torch.arange(8).repeat_interleave(100)
x = centres[y] + 0.6 * torch.randn(800, 20)
vy = torch.arange(8).repeat_interleave(32)  # validation files lie in one folder a class
vx = centres[vy] + 0.6 * torch.randn(256, 20)
model = nn.Sequential(nn.Linear(20, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))
opt = torch.optim.Adam(model.parameters(), 5e-3)


def run(epoch, xs, ys, train):
    # one loop for both phases
    order = torch.randperm(len(xs)) if train else torch.arange(len(xs))
    bar = tqdm(order.split(32), desc=f"{'train' if train else 'valid'} {epoch}", ncols=100)
    total = right = n = 0
    for i in bar:
        out = model(xs[i])
        loss = F.cross_entropy(out, ys[i])
        if train:
            opt.zero_grad()
            loss.backward()
            opt.step()
        n += len(i)
        total += loss.item() * len(i)
        right += (out.argmax(1) == ys[i]).sum().item()
        bar.set_postfix(loss=f"{total / n:.4f}", acc=f"{right / n:.3f}")
    return total / n, right / n


for epoch in range(1, 9):
    tl, ta = run(epoch, x, y, True)
    with torch.no_grad():
        vl, va = run(epoch, vx, vy, False)
    tqdm.write(f"epoch {epoch}: train_loss={tl:.4f} train_acc={ta:.4f} val_loss={vl:.4f} val_acc={va:.4f}")
