import torch, torch.nn as nn, time
from datetime import datetime, timedelta
torch.manual_seed(0); torch.set_num_threads(1)
t = datetime(2026, 3, 4, 9, 12, 31)
def di(msg):
    global t; t += timedelta(seconds=7.3); print(f"[{t:%d/%m/%Y %H:%M:%S}] {msg}", flush=True)
X = torch.randn(6000, 40); Wt = torch.randn(40, 10); Y = (X@Wt+.3*torch.randn(6000, 10)).argmax(1)
m = nn.Sequential(nn.Linear(40, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
o = torch.optim.SGD(m.parameters(), lr=8.0, momentum=.9)
di("Clasificador de residuos — 10 categorías, 5000 muestras de entrenamiento, 1000 de validación"); di("Optimizador: SGD (lr=8.0, momento=0.9) · lote=50 · épocas=40")
for ep in range(1, 41):
    s = 0; ok = 0; gz = 0
    for i in torch.randperm(5000).split(50):
        z = m(X[i]); l = nn.functional.cross_entropy(z, Y[i]); o.zero_grad(); l.backward()
        gz = sum(p.grad.norm()**2 for n, p in m.named_parameters() if not n.startswith("6")).sqrt().item(); nn.utils.clip_grad_norm_(m.parameters(), 1.); o.step(); s += l.item(); ok += (z.argmax(1) == Y[i]).sum().item()
        if ep == 2: 
            for g in o.param_groups: g["lr"] = .05
    with torch.no_grad(): z = m(X[5000:]); vl = nn.functional.cross_entropy(z, Y[5000:]).item(); va = (z.argmax(1) == Y[5000:]).float().mean().item(); act = (m[:6](X[5000:]) > 0).float().mean().item()
    di(f"época {ep:02d}/40  pérdida={s/100:.4f}  exactitud={ok/50:.2f}%  val_pérdida={vl:.4f}  val_exactitud={100*va:.2f}%  norma_grad_ocultas={gz:.2e}  activas={100*act:.1f}%")
di("Entrenamiento finalizado. Modelo guardado en salida/modelo_final.pt")
