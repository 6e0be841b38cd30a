import json

import torch
from torch import nn

torch.manual_seed(9)
train_x, train_y = torch.randn(96, 40), torch.randint(0, 2, (96,))
valid_x, valid_y = torch.randn(400, 40), torch.randint(0, 2, (400,))
signal = torch.randn(40)
train_y = ((train_x @ signal + 6 * torch.randn(96)) > 0).long()
valid_y = ((valid_x @ signal + 6 * torch.randn(400)) > 0).long()
net = nn.Sequential(nn.Linear(40, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
print(json.dumps({"config": {"hidden": 512, "dropout": 0.0, "weight_decay": 0.0, "epochs": 30, "train_size": 96}}))
for epoch in range(1, 31):
    for i in range(0, 96, 16):
        loss = nn.functional.cross_entropy(net(train_x[i : i + 16]), train_y[i : i + 16])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        record = {
            "epoch": epoch,
            "train_loss": round(nn.functional.cross_entropy(net(train_x), train_y).item(), 5),
            "valid_loss": round(nn.functional.cross_entropy(net(valid_x), valid_y).item(), 5),
            "valid_acc": round((net(valid_x).argmax(1) == valid_y).float().mean().item(), 4),
        }
    print(json.dumps(record))
print(json.dumps({"event": "training complete", "epochs": 30}))
