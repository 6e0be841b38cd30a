import sys

import torch
from omegaconf import OmegaConf

base = OmegaConf.create({"model": {"width": 32, "layers": 2}, "optim": {"lr": 0.1}})
cfg = OmegaConf.merge(base, OmegaConf.from_dotlist(sys.argv[1:]))
OmegaConf.set_struct(cfg, True)
print(OmegaConf.to_yaml(cfg))
net = torch.nn.Linear(8, cfg.model.width)
opt = torch.optim.AdamW(net.parameters(), lr=cfg.optim.lr, weight_decay=cfg.optim.weight_decay)
for i in range(10):
    loss = net(torch.randn(16, 8)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"iter {i}: loss {loss.item():.4f}")
