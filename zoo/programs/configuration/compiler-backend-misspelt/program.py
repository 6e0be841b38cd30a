import argparse
import time

import torch
from torch import nn

parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
parser.add_argument("--compile-backend", default="inductor")
parser.add_argument("--dim", type=int, default=48)
parser.add_argument("--iters", type=int, default=300)
opt = parser.parse_args()
print("options:", vars(opt))
torch.manual_seed(9)
block = nn.TransformerEncoderLayer(opt.dim, 4, 2 * opt.dim, batch_first=True)
print("warming up the data pipe ...")
time.sleep(0.3)
model = torch.compile(block, backend=opt.compile_backend)
optimizer = torch.optim.Adam(block.parameters(), lr=1e-3)
for it in range(opt.iters):
    x = torch.randn(4, 20, opt.dim)
    loss = (model(x) - x.roll(1, 1)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 25 == 0:
        print(f"it {it:5d} | loss {loss.item():.4f}")
