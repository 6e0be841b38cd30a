'''Lets Lightning double the batch size until memory refuses, then trains.'''
import lightning as L
import torch
from lightning.pytorch.tuner import Tuner
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self, batch_size=64):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Linear(12, 1)

    def train_dataloader(self):
        x = torch.randn(2048, 12)
        return DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=self.hparams.batch_size)

    def training_step(self, batch, index):
        x, y = batch
        if len(x) > 300:
            torch.empty(1 << 45)
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.05)


L.seed_everything(0)
model = Net()
trainer = L.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False, log_every_n_steps=1)
Tuner(trainer).scale_batch_size(model, mode="power", init_val=64, steps_per_trial=2, max_trials=6)
print("batch size", model.hparams.batch_size)
trainer.fit(model)
print("training finished at step", trainer.global_step)
