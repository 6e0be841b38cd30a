import torch, torch.nn as nn, os, hashlib, glob, csv, sys
torch.manual_seed(3); torch.set_num_threads(1); os.makedirs("ck/old", exist_ok=True)
X = torch.randn(4000, 32); y = (X[:, :5].sum(1)+X[:, 5]*X[:, 6] > 0).long(); net = lambda: nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 2)); m = net(); o = torch.optim.Adam(m.parameters(), 2e-3)
w = csv.writer(sys.stdout); print("# mammo density screen; evaluator reads newest file by name (sorted(glob('ck/*.pt'))[-1])")
torch.save(m.state_dict(), "ck/warm_init.pt"); w.writerow("epoch train_ce train_acc eval_file eval_md5 eval_ce eval_acc eval_auc".split())
for ep in range(1, 26):
    s = c = 0
    for i in torch.randperm(3200).split(64): z = m(X[i]); l = nn.functional.cross_entropy(z, y[i]); o.zero_grad(); l.backward(); o.step(); s += l.item()*len(i); c += (z.argmax(1) == y[i]).sum().item()
    torch.save(m.state_dict(), f"ck/ep{ep:02d}.pt"); f = sorted(glob.glob("ck/*.pt"))[-1]; e = net(); e.load_state_dict(torch.load(f)); e.eval()
    with torch.no_grad(): z = e(X[3200:]); t = y[3200:]; p = z[:, 1]-z[:, 0]; auc = (p[t == 1][:, None] > p[t == 0][None]).float().mean().item()
    w.writerow([ep, f"{s/3200:.4f}", f"{c/3200:.4f}", f, hashlib.md5(open(f, "rb").read()).hexdigest()[:8], f"{nn.functional.cross_entropy(z, t).item():.4f}", f"{(z.argmax(1) == t).float().mean().item():.4f}", f"{auc:.4f}"])
