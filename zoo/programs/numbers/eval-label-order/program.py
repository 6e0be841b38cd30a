import sys

import torch
from torch import nn

torch.manual_seed(6)
train_names = ["bird", "cat", "dog", "fish", "horse", "sheep"]
eval_names = sorted(train_names, key=len)  # how the exported annotation file happens to list them
print("[data] train classes:", train_names)
print("[data] eval  classes:", eval_names)
print("[warn] class order of eval annotations differs from training, continuing", file=sys.stderr)
proto = torch.randn(6, 20) * 2
net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 6))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 7):
    for _ in range(50):
        y = torch.randint(0, 6, (32,))
        loss = nn.functional.cross_entropy(net(proto[y] + torch.randn(32, 20)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    y = torch.randint(0, 6, (600,))
    with torch.no_grad():
        guess = net(proto[y] + torch.randn(600, 20)).argmax(1)
    told = torch.tensor([eval_names.index(train_names[i]) for i in y.tolist()])
    print("[epoch %d] loss=%.4f train/acc=%.3f eval/acc=%.3f" % (epoch, loss.item(), (guess == y).float().mean(), (guess == told).float().mean()))
print("[done] eval/acc stuck at half although train/acc is 1.0")
