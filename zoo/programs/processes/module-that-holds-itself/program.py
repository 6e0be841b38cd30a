import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, owner, classes):
        super().__init__()
        self.owner = owner
        self.out = nn.Linear(owner.width, classes)

    def forward(self, h):
        return self.out(h) / self.owner.temperature


class Tagger(nn.Module):
    def __init__(self, width=24, classes=9):
        super().__init__()
        self.width, self.temperature = width, 0.7
        self.embed = nn.Embedding(500, width)
        self.head = Head(self, classes)

    def forward(self, ids):
        return self.head(self.embed(ids))


def main():
    torch.manual_seed(0)
    print("building tagger")
    model = Tagger()
    model.train()
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(100):
        loss = nn.functional.cross_entropy(model(torch.randint(0, 500, (64,))), torch.randint(0, 9, (64,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())


main()
