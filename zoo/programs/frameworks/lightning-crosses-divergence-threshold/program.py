import warnings

import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(12, 48), torch.nn.Tanh(), torch.nn.Linear(48, 1))

    def training_step(self, batch, at):
        loss = torch.nn.functional.mse_loss(self.body(batch[0]), batch[1])
        self.log("train_loss", loss, on_epoch=True, on_step=False)
        return loss

    def on_train_epoch_end(self):
        self.print(f"epoch {self.current_epoch:2d}: train_loss={float(self.trainer.callback_metrics['train_loss']):.4g} lr={self.optimizers().param_groups[0]['lr']:.3g}")

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), 0.01, momentum=0.9)
        growing = torch.optim.lr_scheduler.ExponentialLR(optimizer, 1.9)  # meant to be 0.9
        return [optimizer], [growing]


L.seed_everything(5)
x = torch.randn(800, 12)
data = DataLoader(TensorDataset(x, x[:, :4].prod(1, keepdim=True)), batch_size=40, shuffle=True)
stop = EarlyStopping("train_loss", patience=50, divergence_threshold=100.0, verbose=True, check_on_train_epoch_end=True)
trainer = L.Trainer(max_epochs=40, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False, callbacks=[stop])
trainer.fit(Net(), data)
print(f"stopped at epoch {trainer.current_epoch}: {stop.stopping_reason_message if hasattr(stop, 'stopping_reason_message') else ''}")
