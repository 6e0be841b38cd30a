import torch
import torch.nn.functional as F
from torch import nn
from tqdm import tqdm

torch.manual_seed(15)
w = torch.randn(40, 3)
x, vx = torch.randn(1200, 40), torch.randn(24, 40)
y, vy = (x @ w).argmax(1), (vx @ w).argmax(1)
vx = vx + 0.3 * w.T[vy]
model = nn.Sequential(nn.Linear(40, 256), nn.ReLU(), nn.Dropout(0.7), nn.Linear(256, 3))
opt = torch.optim.Adam(model.parameters(), 4e-3)
for epoch in range(1, 13):
    model.train()
    right = 0
    bar = tqdm(torch.randperm(1200).split(40), desc=f"train {epoch}", ncols=90)
    for i in bar:
        out = model(x[i] + 0.6 * torch.randn(len(i), 40))  # augmentation
        loss = F.cross_entropy(out, y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (out.argmax(1) == y[i]).sum().item()
        bar.set_postfix(loss=f"{loss.item():.3f}")
    model.eval()
    with torch.no_grad():
        out = model(vx)
    tqdm.write(f"epoch {epoch}: train_loss={loss.item():.4f} train_acc={right / 1200:.4f} val_loss={F.cross_entropy(out, vy).item():.4f} val_acc={(out.argmax(1) == vy).float().mean().item():.4f}")
