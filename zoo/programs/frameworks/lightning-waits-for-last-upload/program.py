import queue
import threading
import time
import warnings

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
uploads = queue.Queue()


def uploader():
    for _ in range(2):
        name = uploads.get()
        time.sleep(0.3)
        print(f"[upload] {name} done", flush=True)
        uploads.task_done()
    threading.Event().wait()  # the third put never comes back


class Upload(L.Callback):
    def on_train_epoch_end(self, trainer, module):
        print(f"[train] epoch {trainer.current_epoch} step {trainer.global_step} loss {float(trainer.callback_metrics['loss']):.4f}", flush=True)
        uploads.put(f"epoch{trainer.current_epoch}.ckpt")
        began = time.monotonic()
        while uploads.unfinished_tasks:
            time.sleep(0.5)
            if int(2 * (time.monotonic() - began)) % 10 == 9:
                print(f"[upload] waiting for {uploads.unfinished_tasks} unfinished upload(s) before the next epoch, {time.monotonic() - began:.0f} s so far", flush=True)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(10, 2)

    def training_step(self, batch, at):
        loss = torch.nn.functional.cross_entropy(self.layer(batch[0]), batch[1])
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 0.02)


L.seed_everything(2)
x = torch.randn(640, 10)
data = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32)
threading.Thread(target=uploader, daemon=True).start()
trainer = L.Trainer(max_epochs=10, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False, callbacks=[Upload()])
trainer.fit(Net(), data)
