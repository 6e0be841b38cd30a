import time

import torch
from torch import nn


class Copier(nn.Module):
    def __init__(self, vocab=12, hidden=64):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.cell = nn.RNNCell(hidden, hidden, nonlinearity="relu")
        self.out = nn.Linear(hidden, vocab)
        nn.init.orthogonal_(self.cell.weight_hh, gain=2.2)

    def forward(self, tokens):
        h = torch.zeros(tokens.size(0), self.cell.hidden_size)
        for t in range(tokens.size(1)):
            h = self.cell(self.embed(tokens[:, t]), h)
        return self.out(h)


torch.manual_seed(4)
model = Copier()
opt = torch.optim.SGD(model.parameters(), lr=0.002)
begin = time.time()
for it in range(1, 241):
    seq = torch.randint(0, 12, (32, min(4 + it // 6, 40)))
    loss = nn.functional.cross_entropy(model(seq), seq[:, 0])
    opt.zero_grad()
    loss.backward()
    total = torch.sqrt(sum(p.grad.pow(2).sum() for p in model.parameters()))
    opt.step()
    if it % 8 == 0:
        took = time.time() - begin
        print(f"| iter {it:4d}/240 | len {seq.size(1):3d} | loss {loss.item():10.4f} | gnorm {total.item():12.3f} | {took:6.1f} s")
    if not torch.isfinite(total) or total > 1e9:
        print(f"| iter {it:4d}/240 | len {seq.size(1):3d} | loss {loss.item():10.4f} | gnorm {total.item():12.3e}")
        print("gradient norm above 1e9, the run is of no use any more, stopping")
        raise SystemExit(2)
