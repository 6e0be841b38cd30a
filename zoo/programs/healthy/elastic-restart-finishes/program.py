"""Loses rank 1 once to a broken connection; torchrun restarts and the job finishes."""
import os
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, attempt = dist.get_rank(), int(os.environ["TORCHELASTIC_RESTART_COUNT"])


def say(text):
    print(f"{time.strftime('%H:%M:%S')} [rank {rank}] [attempt {attempt}] {text}", flush=True)


torch.manual_seed(0)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
first = 0
if os.path.exists("last.pt"):
    state = torch.load("last.pt")
    model.load_state_dict(state["model"])
    first = state["step"]
    say(f"resumed from step {first}")
for step in range(first + 1, 241):
    x = torch.randn(16, 8)
    loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        say(f"step {step} loss {loss.item():.4f}")
    if step % 40 == 0:
        if rank == 0:
            torch.save({"model": model.state_dict(), "step": step}, "last.tmp")
            os.replace("last.tmp", "last.pt")
        dist.barrier()
    if attempt == 0 and rank == 1 and step == 130:
        raise ConnectionResetError(104, "Connection reset by peer: feature store")
say("training finished")
dist.destroy_process_group()
