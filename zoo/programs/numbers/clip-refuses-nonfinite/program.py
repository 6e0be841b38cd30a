import logging
import sys

import torch
from torch import nn

logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(asctime)s.%(msecs)03d %(levelname).1s %(message)s", datefmt="%H:%M:%S")
torch.manual_seed(0)
model = nn.Linear(32, 96)
head = nn.Linear(32, 5)
params = [*model.parameters(), *head.parameters()]


def attend(x, pad):
    q, k, v = model(x).chunk(3, -1)
    scores = (q @ k.transpose(1, 2)) / 32**0.5
    return torch.softmax(scores.masked_fill(pad[:, None], float("-inf")), -1) @ v


opt = torch.optim.AdamW(params, lr=1e-3)
logging.info("grad clipping at 1.0, error_if_nonfinite=True")
for step in range(1, 201):
    x = torch.randn(8, 10, 32)
    length = torch.randint(0 if step > 83 else 1, 11, (8,))
    pad = torch.arange(10)[None] >= length[:, None]
    out = head(attend(x, pad)).masked_fill(pad[..., None], 0.0)
    loss = out.pow(2).sum() / (~pad).sum()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(params, 1.0, error_if_nonfinite=True)
    opt.step()
    logging.debug("step=%d loss=%.5f grad_norm=%.4f", step, loss.item(), norm.item())
