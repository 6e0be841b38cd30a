import warnings

import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import Callback, ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
L.seed_everything(4, verbose=False)


class Galaxy(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(24, 64), torch.nn.GELU(), torch.nn.Linear(64, 7))

    def _share(self, batch, name):
        x, y = batch
        z = self.net(x)
        self.log_dict({f"{name}_loss": F.cross_entropy(z, y), f"{name}_acc": (z.argmax(1) == y).float().mean()}, on_epoch=True, on_step=False)
        return F.cross_entropy(z, y)

    def training_step(self, batch, _):
        return self._share(batch, "train")

    def validation_step(self, batch, _):
        self._share(batch, "val")

    def test_step(self, batch, _):
        self._share(batch, "test")

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 6e-4)


class Lines(Callback):
    def on_train_epoch_end(self, trainer, module):
        m = trainer.callback_metrics
        print(f"epoch {trainer.current_epoch:02d}: train_loss {m['train_loss']:.4f} val_loss {m['val_loss']:.4f} val_acc {m['val_acc']:.4f}", flush=True)


kinds = torch.randn(7, 24)
y = torch.randint(0, 7, (3000,))
x = kinds[y] + torch.randn(3000, 24) * 1.1
part = lambda a, b: DataLoader(TensorDataset(x[a:b], y[a:b]), 50)
keep = ModelCheckpoint("ckpt", filename="{epoch}-{val_loss:.3f}", monitor="val_loss", mode="max")
trainer = L.Trainer(max_epochs=10, accelerator="cpu", logger=False, callbacks=[keep, Lines()], enable_progress_bar=False, enable_model_summary=False)
trainer.fit(Galaxy(), part(0, 2000), part(2000, 2500))
trainer.test(ckpt_path="best", dataloaders=part(2500, 3000))
print(f"tested: {keep.best_model_path.split('/')[-1]}, last epoch was {trainer.current_epoch - 1}")
