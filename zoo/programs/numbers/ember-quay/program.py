import torch, torch.nn as nn, logging, math
logging.basicConfig(level=logging.INFO, format="%(asctime)s,%(process)d %(levelname)s %(message)s", datefmt="%y%m%d-%H%M%S"); log = logging.info
torch.manual_seed(5); torch.set_num_threads(1); B, K = 128, 20
C = torch.randn(K, 48); enc = nn.Sequential(nn.Linear(48, 128), nn.ReLU(), nn.Linear(128, 64)); o = torch.optim.Adam(enc.parameters(), 2e-3)
def utt(n): y = torch.randint(0, K, (n,)); return C[y]*.6, y
def knn():
    with torch.no_grad(): (x, y), (u, v) = utt(800), utt(200); a, b = enc(x+.5*torch.randn_like(x)), enc(u+.5*torch.randn_like(u)); a, b = a.half().float(), b.half().float(); return (y[torch.cdist(b, a).argmin(1)] == v).float().mean().item()
log(f"speechssl siamese, two augmentations, mse between views, no predictor, 20 speakers probe, batch {B}"); log(f"knn-speaker probe before training: {knn():.3f}")
for u in range(1, 1201):
    x, _ = utt(B); a, b = (enc(x+.5*torch.randn_like(x)) for _ in (0, 1)); l = ((a-b)**2).mean(); o.zero_grad(); l.backward(); g = nn.utils.clip_grad_norm_(enc.parameters(), 50.); o.step()
    if u % 20 == 0: log(f"update={u} view_mse={l.item():.3e} emb_std={a.std(0).mean().item():.3e} gnorm={g:.2e}")
    if u % 200 == 0: log(f"knn-speaker probe @{u}: {knn():.3f} (random guess 0.050)")
log("saved pretrain_1200.th")
