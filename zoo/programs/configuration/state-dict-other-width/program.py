"""Fine-tunes from a checkpoint of another width."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(100, width)
        self.out = nn.Linear(width, 100)

    def forward(self, ids):
        return self.out(self.embed(ids))


torch.save(Net(96).state_dict(), "pretrained.pt")
print("[init] width 128, loading pretrained.pt (strict)", flush=True)
net = Net(128)
print("[init]", net.load_state_dict(torch.load("pretrained.pt")))
