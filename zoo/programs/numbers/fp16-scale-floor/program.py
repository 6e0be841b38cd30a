import torch
from torch import nn

torch.manual_seed(0)


class DynamicScaler:
    """Loss scaling as mixed precision does it: halve on overflow, give up at the floor."""

    def __init__(self, scale=2.0**16, floor=1.0):
        self.scale, self.floor = scale, floor

    def step(self, params, optimizer):
        bad = any(not torch.isfinite(p.grad).all() for p in params if p.grad is not None)
        if not bad:
            for p in params:
                p.grad.div_(self.scale)
            optimizer.step()
            return True
        if self.scale <= self.floor:
            raise FloatingPointError(
                f"Current loss scale already at minimum ({self.floor}) - cannot decrease scale anymore. Stopping the run."
            )
        print(f"[scaler] overflow in gradients, skipping step, loss scale {self.scale:g} -> {self.scale / 2:g}")
        self.scale /= 2
        return False


net = nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 512), nn.GELU(), nn.Linear(512, 10)).half()
master = torch.optim.SGD(net.parameters(), lr=2e-3)
scaler = DynamicScaler()
print("precision=fp16 params=%d initial_scale=%g" % (sum(p.numel() for p in net.parameters()), scaler.scale))
step = 0
for it in range(400):
    x = torch.randn(64, 128).half()
    if it >= 60:
        x = x * 4000  # the second shard was never standardised
    y = torch.randint(0, 10, (64,))
    out = net(x)
    loss = nn.functional.cross_entropy(out.float(), y)
    master.zero_grad()
    (loss * scaler.scale).backward()
    if scaler.step(list(net.parameters()), master):
        step += 1
    if it % 10 == 0:
        print(f"iter {it:>4d} | step {step:>4d} | lm loss {loss.item():.4f} | loss scale {scaler.scale:g}")
