import torch
import torch.nn as nn

torch.manual_seed(40)
V, L = 300, 24
polarity = torch.randn(V)
text = torch.randint(0, V, (2600, L))
label = (polarity[text].sum(1) + torch.randn(2600) > 0).long()


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 32)
        self.mlp = nn.Sequential(nn.BatchNorm1d(32), nn.Linear(32, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, t):
        return self.mlp(self.emb(t).mean(1) * 9 + 7)


def f1(m):
    m.eval()
    with torch.no_grad():
        guess = m(text[2000:]).argmax(1)
    y = label[2000:]
    tp = ((guess == 1) & (y == 1)).sum().item()
    return 2 * tp / max(1, (guess == 1).sum().item() + (y == 1).sum().item())


m = Tagger()
opt = torch.optim.Adam(m.parameters(), lr=4e-3)
best = 0.0
for epoch in range(9):
    m.train()
    for idx in torch.randperm(2000).split(80):
        opt.zero_grad()
        nn.functional.cross_entropy(m(text[idx]), label[idx]).backward()
        opt.step()
    score = f1(m)
    flag = ""
    if score > best:
        best, flag = score, "  <- best, written to best.pt"
        torch.save({k: p.detach().clone() for k, p in m.named_parameters()}, "best.pt")
    print(f"[{epoch}] dev F1 = {score:.4f}{flag}")

fresh = Tagger()
missing = fresh.load_state_dict(torch.load("best.pt"), strict=False).missing_keys
print(f"loading best.pt into a fresh Tagger ({len(missing)} keys were not in the file, kept at their defaults)")
print(f"dev F1 of the loaded model = {f1(fresh):.4f}, at saving time it was {best:.4f}. These should be the same number!")
