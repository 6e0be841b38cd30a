import torch
from torch import nn


class Trainer:
    def __init__(self, steps, warmup):
        self.model = nn.LSTM(12, 20, batch_first=True)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.steps = steps
        self.schedule = self.make_schedule(warmup)

    def make_schedule(self, warmup):
        def rate(step):
            return min(1.0, step / warmup)

        return {"kind": "linear-warmup", "fn": rate}

    def state(self):
        return {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "schedule": self.schedule}

    def run(self):
        for step in range(1, self.steps + 1):
            for group in self.optimizer.param_groups:
                group["lr"] = 0.1 * self.schedule["fn"](step)
            out, _ = self.model(torch.randn(8, 15, 12))
            loss = (out - 0.2).abs().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % 40 == 0:
                print(f"{step}/{self.steps} l1={loss.item():.4f} lr={group['lr']:.3f}", flush=True)
            if step % 200 == 0:
                print(f"saving snapshot_{step}.pth", flush=True)
                torch.save(self.state(), f"snapshot_{step}.pth")


Trainer(steps=1000, warmup=100).run()
