import logging
import threading
import time

import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(processName)s/%(threadName)s: %(message)s")
table_lock = threading.Lock()
table = {}


def refresh():
    while True:
        with table_lock:
            table["v"] = time.time()
            time.sleep(0.2)


def lookup(i):
    with table_lock:
        return float(i)


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return torch.tensor([lookup(i)])


threading.Thread(target=refresh, name="refresh", daemon=True).start()
time.sleep(0.3)
logging.info("start method %s, 2 workers", torch.multiprocessing.get_start_method())
for epoch in range(2):
    for n, batch in enumerate(torch.utils.data.DataLoader(Rows(), batch_size=8, num_workers=2)):
        logging.info("epoch %d batch %d mean %.2f", epoch, n, batch.mean())
