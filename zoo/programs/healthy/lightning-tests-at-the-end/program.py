import lightning as L
import torch


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 1)

    def training_step(self, batch, _):
        loss = self.layer(batch[0]).square().mean()
        self.log("train/loss", loss)
        return loss

    def test_step(self, batch, _):
        self.log("test/error", self.layer(batch[0]).abs().mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 8)), batch_size=8)
trainer = L.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False)
net = Net()
trainer.fit(net, data)
trainer.test(net, data)
