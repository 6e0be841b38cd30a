import torch
from safetensors.torch import save_file

net = torch.nn.Sequential(*[torch.nn.Linear(256, 256) for _ in range(4)])
for step in range(1, 401):
    if step % 100 == 0:
        print(f"step {step}: saving", flush=True)
        save_file(net.state_dict(), f"ckpt/step{step}.safetensors")
