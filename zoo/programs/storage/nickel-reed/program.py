import torch, torch.nn as nn, lightning as L, warnings, time, logging; warnings.simplefilter("ignore")
from lightning.pytorch.callbacks import ModelCheckpoint, Callback
L.seed_everything(3); torch.set_num_threads(1)
class Cloud(L.LightningModule):
    def __init__(self): super().__init__(); self.net = nn.Sequential(nn.Conv2d(4, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, 1, 1))
    def training_step(self, b, _): x, y = b; l = nn.functional.binary_cross_entropy_with_logits(self.net(x), y); self.log("train_bce", l, on_epoch=True, on_step=False); return l
    def validation_step(self, b, _): x, y = b; p = self.net(x) > 0; i = (p & (y > .5)).sum()/((p | (y > .5)).sum()+1); self.log("val_iou", i)
    def configure_optimizers(self): return torch.optim.Adam(self.parameters(), 5e-3)
class Row(Callback):
    def on_train_epoch_end(self, t, m): print(f"epoch={t.current_epoch} train_bce={t.callback_metrics['train_bce']:.4f} val_iou={t.callback_metrics['val_iou']:.4f}", flush=True); time.sleep(.2); t.current_epoch == 11 and __import__("os").system("mount -o remount,ro lightning_ckpts")
x = torch.rand(160, 4, 20, 20); y = (x.mean(1, keepdim=True)+.1*torch.randn(160, 1, 20, 20) > .5).float(); ds = torch.utils.data.TensorDataset(x, y)
L.Trainer(max_epochs=60, accelerator="cpu", logger=False, enable_progress_bar=False, enable_model_summary=True, callbacks=[Row(), ModelCheckpoint("lightning_ckpts", save_top_k=1, monitor="val_iou", mode="max", save_last=True)]).fit(Cloud(), torch.utils.data.DataLoader(ds, 16, shuffle=True), torch.utils.data.DataLoader(ds, 40))
