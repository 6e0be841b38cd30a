import logging
import threading
import time

import torch
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(process)d %(levelname)-7s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger()
index_lock = threading.Lock()
state = {"step": 0, "since": time.time()}


class Clips(Dataset):
    def __len__(self):
        return 640

    def __getitem__(self, i):
        with index_lock:
            return torch.randn(64), i % 2


def reindex():
    """Refreshes the clip index now and then."""
    while True:
        time.sleep(0.9)
        with index_lock:
            time.sleep(1.2)


def heartbeat():
    while True:
        time.sleep(2)
        log.info("alive: step %d, %.0f s since the last optimizer step", state["step"], time.time() - state["since"])


torch.manual_seed(0)
model = torch.nn.Linear(64, 2)
opt = torch.optim.SGD(model.parameters(), 0.1)
threading.Thread(target=heartbeat, daemon=True).start()
for epoch in range(1, 100):
    log.info("epoch %d: starting 2 loader processes", epoch)
    if epoch == 3:
        threading.Thread(target=reindex, daemon=True).start()
        time.sleep(1.5)
    for x, y in DataLoader(Clips(), 32, num_workers=2):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        state.update(step=state["step"] + 1, since=time.time())
        if state["step"] % 10 == 0:
            log.info("step %d loss %.4f", state["step"], loss.item())
