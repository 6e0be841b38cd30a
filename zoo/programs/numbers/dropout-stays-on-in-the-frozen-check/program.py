import torch, torch.nn as nn

torch.manual_seed(5)
text = "the quick brown fox jumps over the lazy dog and runs back home again " * 60
ch = sorted(set(text))
ix = {c: i for i, c in enumerate(ch)}
d = torch.tensor([ix[c] for c in text])


class LM(nn.Module):
    def __init__(s):
        super().__init__()
        s.e = nn.Embedding(len(ch), 32)
        s.r = nn.GRU(32, 64, batch_first=True)
        s.d = nn.Dropout(0.4)
        s.o = nn.Linear(64, len(ch))

    def forward(s, x):
        return s.o(s.d(s.r(s.d(s.e(x)))[0]))


m = LM()
opt = torch.optim.Adam(m.parameters(), 3e-3)
N = 3400


def ev():
    with torch.no_grad():
        x = d[N:].unsqueeze(0)
        return nn.functional.cross_entropy(m(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten()).exp().item()


for st in range(1, 201):
    i = torch.randint(0, N - 33, (16,))
    x = torch.stack([d[j : j + 33] for j in i])
    l = nn.functional.cross_entropy(m(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())
    opt.zero_grad()
    l.backward()
    opt.step()
    if st % 40 == 0:
        print(f"[{st:4d}/200] loss={l.item():.3f} bpc={l.item() / 0.6931:.3f}  heldout_ppl={ev():.3f}")
print("sanity: evaluating frozen weights 5x")
for k in range(5):
    print(f"   #{k + 1}  heldout_ppl={ev():.3f}")
