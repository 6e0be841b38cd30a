import torch
from omegaconf import OmegaConf

cfg = OmegaConf.merge(OmegaConf.load("model.yaml"), OmegaConf.create({"seed": 4}))
print("=== config ===")
print(OmegaConf.to_yaml(cfg))
torch.manual_seed(cfg.seed)
layers = []
for _ in range(cfg.model.layers):
    layers += [torch.nn.LazyLinear(cfg.model.hidden), torch.nn.Tanh()]
net = torch.nn.Sequential(*layers, torch.nn.LazyLinear(1))
x = torch.randn(cfg.data.rows, 10)
net(x)
print("parameters:", sum(p.numel() for p in net.parameters()))
opt = torch.optim.Adam(net.parameters(), lr=cfg.optim.lr)
ramp = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: min(1.0, (n + 1) / cfg.optim.warmup))
for step in range(100):
    loss = (net(x) - x[:, :1]).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ramp.step()
    if step % 20 == 0:
        print(step, float(loss))
