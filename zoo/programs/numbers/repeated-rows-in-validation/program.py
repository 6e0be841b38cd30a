import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(4)
# every patient has five scans; scans are split at random
patients = torch.randn(500, 40)
truth = torch.randint(0, 2, (500,))
scan_x = patients.repeat_interleave(5, 0) + 0.05 * torch.randn(2500, 40)
scan_y = truth.repeat_interleave(5)
order = torch.randperm(2500)
tr, va = order[:2000], order[2000:]
test_x, test_y = torch.randn(400, 40), torch.randint(0, 2, (400,))
net = nn.Sequential(nn.Linear(40, 256), nn.ReLU(), nn.Dropout(0.2), nn.Linear(256, 2))
opt = torch.optim.Adam(net.parameters(), 3e-3)
print(f"scans: train {len(tr)}  val {len(va)}  test {len(test_x)}")
print(f"{'epoch':>5} {'train_loss':>11} {'train_acc':>10} {'val_loss':>10} {'val_acc':>9}")
for epoch in range(15):
    net.train()
    losses, right = [], 0
    for i in tr[torch.randperm(len(tr))].split(50):
        out = net(scan_x[i])
        loss = F.cross_entropy(out, scan_y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        right += (out.argmax(1) == scan_y[i]).sum().item()
    net.eval()
    with torch.no_grad():
        out = net(scan_x[va])
        print(f"{epoch:>5} {np.mean(losses):>11.4f} {right / len(tr):>10.4f} {F.cross_entropy(out, scan_y[va]).item():>10.4f} {(out.argmax(1) == scan_y[va]).float().mean().item():>9.4f}")
with torch.no_grad():
    test = (net(test_x).argmax(1) == test_y).float().mean().item()
print(f"Test accuracy on the external site: {100 * test:.2f}%")
