"""Windows over a time series; the last window runs past the end."""
import logging

import torch
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(level=logging.DEBUG, format="%(process)d %(levelname)s %(message)s")
logging.getLogger("torch").setLevel(logging.ERROR)
SERIES = [float(index % 37) for index in range(3000)]


class Windows(Dataset):
    def __len__(self):
        return len(SERIES) - 20

    def __getitem__(self, index):
        window = [SERIES[index + offset] for offset in range(24)]
        return torch.tensor(window), SERIES[index + 24]


model = torch.nn.Linear(24, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step, (x, y) in enumerate(DataLoader(Windows(), batch_size=60, num_workers=2), 1):
    loss = (model(x).squeeze(1) - y.float()).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    logging.debug("step %d mean absolute error %.3f", step, loss.item())
