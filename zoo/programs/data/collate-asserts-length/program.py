import torch
from torch.utils.data import DataLoader
data = [torch.zeros(8) for _ in range(64)]
data[41] = torch.zeros(7)
def collate(items):
    for item in items:
        assert len(item) == 8, f"record has {len(item)} fields, expected 8"
    return torch.stack(items)
for step, batch in enumerate(DataLoader(data, batch_size=4, collate_fn=collate), 1):
    print(f"step {step} loss {1 / step:.4f}", flush=True)
