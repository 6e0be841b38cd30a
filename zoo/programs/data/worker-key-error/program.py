"""Click model; the dataset class looks up a category that the index lacks."""
import torch
from torch.utils.data import DataLoader, Dataset

CATEGORIES = {name: index for index, name in enumerate(["home", "sports", "news", "nan", "error-pages"])}


class Clicks(Dataset):
    def __init__(self):
        names = list(CATEGORIES)
        self.rows = [(names[index % 5], index % 2) for index in range(4000)]
        self.rows[1777] = ("finance", 1)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        name, clicked = self.rows[index]
        return CATEGORIES[name], float(clicked)


torch.manual_seed(0)
table = torch.nn.Embedding(5, 1)
optimizer = torch.optim.Adagrad(table.parameters(), lr=0.1)
print("num_workers=3 persistent_workers=False pin_memory=False on_worker_error=raise")
for step, (category, clicked) in enumerate(DataLoader(Clicks(), batch_size=25, num_workers=3), 1):
    loss = torch.nn.functional.binary_cross_entropy_with_logits(table(category).squeeze(1), clicked.float())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(f"iter {step:4d}/160  logloss {loss.item():.4f}  failures 0", flush=True)
