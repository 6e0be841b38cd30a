import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Regressor(L.LightningModule):
    def __init__(self, lr=0.02):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))

    def training_step(self, batch, index):
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.net(x).squeeze(1), y)
        self.log("train_loss", loss, prog_bar=True)
        if self.global_step % 10 == 0:
            print(f"global_step {self.global_step} loss {loss.item():.4f}", flush=True)
        return loss

    def validation_step(self, batch, index):
        x, y = batch
        self.log("valid/mse", torch.nn.functional.mse_loss(self.net(x).squeeze(1), y), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)


L.seed_everything(0)
x = torch.randn(640, 6)
y = x.sum(1)
loader = DataLoader(TensorDataset(x[:512], y[:512]), batch_size=16)
held_out = DataLoader(TensorDataset(x[512:], y[512:]), batch_size=16)

from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint

trainer = L.Trainer(max_epochs=40, accelerator="cpu", logger=False, log_every_n_steps=10, callbacks=[EarlyStopping("valid/mse", patience=2, min_delta=0.02, verbose=True, check_finite=True), ModelCheckpoint("ck", monitor="valid/mse", verbose=True)])
model = Regressor()
trainer.fit(model, loader, held_out)
print("validating the best checkpoint")
trainer.validate(model, held_out, ckpt_path="best", weights_only=False)
