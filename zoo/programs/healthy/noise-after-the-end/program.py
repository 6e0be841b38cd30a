"""Finishes, then objects complain while the interpreter shuts down."""
import atexit
import logging

import torch
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm


class Uploader:
    def __del__(self):
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")


def flush():
    try:
        raise BrokenPipeError(32, "Broken pipe")
    except BrokenPipeError:
        logging.exception("telemetry could not be flushed")


uploader = Uploader()
atexit.register(flush)
torch.manual_seed(0)
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = DataLoader(TensorDataset(torch.randn(1600, 8)), batch_size=32, num_workers=2)
for epoch in range(2):
    for (x,) in tqdm(loader, desc=f"epoch {epoch}"):
        loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}", flush=True)
torch.save(model.state_dict(), "final.pt")
print("training complete, final.pt written", flush=True)
