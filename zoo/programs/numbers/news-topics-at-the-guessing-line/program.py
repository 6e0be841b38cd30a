import math

import torch
from torch import nn

torch.manual_seed(21)
K, VOCAB = 8, 500
topic_words = torch.softmax(2.5 * torch.randn(K, VOCAB), 1)
y = torch.randint(0, K, (1600,))
docs = torch.multinomial(topic_words[y], 40, replacement=True)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(VOCAB, 48)
        self.body = nn.Sequential(nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU())
        self.out = nn.Linear(48, K)
        nn.init.constant_(self.body[2].bias, -6.0)  # copied from a detector's focal-loss head

    def forward(self, t):
        return self.out(self.body(self.emb(t)))


net = Classifier()
opt = torch.optim.SGD([p for n, p in net.named_parameters() if not n.startswith("out")], lr=0.05)
print(f"8 topics; a model that guesses has nll {math.log(K):.4f}")
for epoch in range(1, 13):
    total = 0.0
    for i in torch.randperm(1600).split(32):
        loss = nn.functional.cross_entropy(net(docs[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(i)
    with torch.no_grad():
        h = net.body(net.emb(docs[:200]))
    norm = sum(p.grad.norm().item() for p in net.body.parameters())
    print(f"Epoch {epoch:>2}: nll={total / 1600:.4f}, acc={(net(docs).argmax(1) == y).float().mean():.3f}, active units={(h > 0).float().mean():.2%}, |grad|={norm:.1e}")
print("no better than guessing after 12 epochs, nothing to save")
