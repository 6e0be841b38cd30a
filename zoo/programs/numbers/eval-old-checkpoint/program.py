import logging
import os

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(levelname)s] %(message)s", datefmt="%m-%d %H:%M")
torch.manual_seed(0)
proto = torch.randn(8, 24) * 1.5


def sample(n):
    y = torch.randint(0, 8, (n,))
    return proto[y] + 0.5 * torch.randn(n, 24), y


net = nn.Sequential(nn.Linear(24, 64), nn.ReLU(), nn.Linear(64, 8))
os.makedirs("ckpt")
torch.save({"net": net.state_dict(), "step": 0}, "ckpt/best.pt")
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for step in range(1, 401):
    x, y = sample(64)
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        acc = (net(x).argmax(1) == y).float().mean()
        logging.info("step %d train_loss %.4f train_acc %.3f", step, loss.item(), acc)
        torch.save({"net": net.state_dict(), "step": step}, f"ckpt/step_{step}.pt")
logging.info("training finished at step 400")
chosen = torch.load("ckpt/best.pt")
net.load_state_dict(chosen["net"])
logging.info("evaluating ckpt/best.pt (saved at step %d)", chosen["step"])
x, y = sample(2000)
with torch.no_grad():
    acc = (net(x).argmax(1) == y).float().mean()
    logging.info("eval_loss %.4f eval_acc %.3f (chance 0.125)", nn.functional.cross_entropy(net(x), y), acc)
