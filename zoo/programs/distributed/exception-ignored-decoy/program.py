import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Cache:
    def __del__(self):
        raise OSError("cache directory is gone")


class Pairs(Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, i):
        return torch.randn(6), torch.tensor(i % 3)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = nn.parallel.DistributedDataParallel(nn.Linear(6, 3))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    Cache()
    for epoch in range(3):
        for i, (x, y) in enumerate(DataLoader(Pairs(), batch_size=8)):
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if i % 4 == 0:
                print(f"rank {rank} epoch {epoch} iter {i} ce {loss.item():.4f}", flush=True)
        if epoch == 1 and rank == 1:
            model.module.load_state_dict(torch.load("best.pt"))  # only rank 0 ever wrote it
        if epoch == 0 and rank == 0:
            torch.save(model.module.state_dict(), "best_rank0.pt")


main()
