import torch, torch.nn as nn, argparse, os
p = argparse.ArgumentParser(); p.add_argument("--joints", type=int); p.add_argument("--epochs", type=int); p.add_argument("--init"); a = p.parse_args(); torch.manual_seed(0); torch.set_num_threads(1)
class PoseNet(nn.Module):
    def __init__(self, j): super().__init__(); self.backbone = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU()); self.head = nn.Conv2d(16, j, 1); self.refine = nn.Conv2d(j, j, 3, padding=1)
    def forward(self, x): h = self.head(self.backbone(x)); return h+self.refine(h)
m = PoseNet(a.joints); print(f"=> PoseNet joints={a.joints} heatmap 16x16  params {sum(q.numel() for q in m.parameters())}")
if a.init: print(f"=> loading {a.init}"); c = torch.load(a.init, map_location="cpu"); print(f"=> file says epoch {c['epoch']}, PCK@0.2 {c['pck']:.3f}"); m.load_state_dict(c["state_dict"])
o = torch.optim.Adam(m.parameters(), 2e-3); X = torch.rand(256, 3, 32, 32)
for e in range(a.epochs):
    for i in range(0, 256, 32): x = X[i:i+32]; t = nn.functional.avg_pool2d(x, 2).mean(1, keepdim=True).expand(-1, a.joints, -1, -1); l = ((m(x)-t)**2).mean(); o.zero_grad(); l.backward(); o.step(); print(f"Epoch: [{e}][{i//32}/8]\tLoss {l.item():.5f}\tLr 0.002") if i % 64 == 0 else None
    pck = 1-l.item()*9; print(f" * epoch {e} PCK@0.2 {pck:.3f}")
os.makedirs("exp/pose17", exist_ok=True); torch.save({"state_dict": m.state_dict(), "epoch": a.epochs, "pck": pck}, "exp/pose17/latest.pth"); print("=> saved exp/pose17/latest.pth")
