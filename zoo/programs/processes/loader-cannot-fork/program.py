import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Spectrograms(Dataset):
    def __len__(self):
        return 960

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        return torch.rand(1, 20, 20, generator=generator), index % 6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(1)
    model = nn.Sequential(nn.Conv2d(1, 6, 5, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(384, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    loader = DataLoader(Spectrograms(), batch_size=32, num_workers=args.workers)
    for epoch in range(args.epochs):
        for number, (image, label) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(image), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if number % 10 == 0:
                print(f"epoch {epoch} [{number:3d}/{len(loader)}] loss={loss.item():.3f}")


if __name__ == "__main__":
    main()
