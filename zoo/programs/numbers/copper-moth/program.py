import torch, torch.nn as nn, logging
logging.basicConfig(format="%(levelname).1s%(asctime)s %(filename)s:%(lineno)d] %(message)s", datefmt="%m%d %H:%M:%S", level=logging.INFO); L = logging.info; import warnings; warnings.simplefilter("ignore")
torch.manual_seed(9); torch.set_num_threads(1)
sp = ["wren", "robin", "dunnock", "siskin", "linnet", "chaffinch", "goldcrest", "blackcap"]; C = 8
mu = torch.randn(C, 40)
def clips(n): y = torch.randint(0, C, (n,)); return mu[y]+.9*torch.randn(n, 40), y
X, Y = clips(3000); T, U = clips(800)
train_ids = {s: i for i, s in enumerate(sp)}                  # order of config/species.txt
eval_ids = {s: i for i, s in enumerate(sorted(sp))}           # order of os.listdir(test/)
L("species.txt: %s", " ".join(f"{i}={s}" for s, i in train_ids.items()))
m = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, C)); o = torch.optim.Adam(m.parameters(), 3e-3)
for e in range(1, 11):
    s = k = 0
    for i in torch.randperm(3000).split(100): z = m(X[i]); l = nn.functional.cross_entropy(z, Y[i]); o.zero_grad(); l.backward(); o.step(); s += l.item(); k += (z.argmax(1) == Y[i]).sum().item()
    L("epoch %d train_ce=%.4f train_top1=%.4f", e, s/30, k/3000)
remap = torch.tensor([eval_ids[s] for s in sp]); t = remap[U]
L("test/: %d clips in 8 folders, %d folders non-empty", 800, len(t.unique()))
p = m(T).argmax(1); L("test_top1=%.4f test_ce=%.4f (chance 0.1250)", (p == t).float().mean(), nn.functional.cross_entropy(m(T), t)); M = torch.zeros(C, C, dtype=int)
for a, b in zip(t, p): M[a, b] += 1
L("confusion, row = folder, column = argmax")
L("%12s " + " ".join("%5d" for _ in sp), "", *range(C))
for r, s in enumerate(sorted(sp)): L("%12s " + " ".join("%5d" for _ in sp), s, *M[r].tolist())
L("result written to eval/top1.json")
