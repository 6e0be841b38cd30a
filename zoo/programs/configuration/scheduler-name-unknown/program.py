import torch
from transformers import get_scheduler

net = torch.nn.Linear(4, 4)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
sched = get_scheduler("cosine_with_warmup", opt, num_warmup_steps=10, num_training_steps=100)
print(sched)
