import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Volumes(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        return torch.rand(1, 64, 64, 64, generator=g), index % 2


def main():
    print("INFO:seg: workers=2 batch_size=8 input=(1, 64, 64, 64)")
    loader = DataLoader(Volumes(), batch_size=8, num_workers=2)
    net = nn.Sequential(nn.Conv3d(1, 4, 3, stride=4), nn.ReLU(), nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(4, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(f"INFO:seg: epoch={epoch} iter={i} loss={loss.item():.4f}")


if __name__ == "__main__":
    main()
