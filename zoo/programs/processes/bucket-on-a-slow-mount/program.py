import argparse
import time

import torch
from tqdm import tqdm

ap = argparse.ArgumentParser()
ap.add_argument("--tiles"); ap.add_argument("--steps", type=int)
args = ap.parse_args()
torch.manual_seed(0)
net = torch.nn.Conv2d(4, 1, 5, padding=2)
opt = torch.optim.Adam(net.parameters(), 1e-2)


class Mount:
    """Local stand-in for the shared mount: a cache of 100 tiles, then every read goes over the wire."""

    def read(self, n):
        time.sleep(0.012 if n < 100 else 0.8)
        return torch.randn(2, 4, 24, 24)


mount = Mount()
bar = tqdm(range(args.steps), ascii=True, ncols=120, mininterval=0.4, maxinterval=2)
for n in bar:
    t0 = time.perf_counter()
    x = mount.read(n)
    t1 = time.perf_counter()
    loss = (net(x).squeeze(1) - x.mean(1) - 0.4 * torch.randn(2, 24, 24)).square().mean()
    opt.zero_grad(); loss.backward(); opt.step()
    t2 = time.perf_counter()
    bar.set_postfix(loss=f"{loss.item():.3f}", read_ms=f"{(t1 - t0) * 1e3:.0f}", compute_ms=f"{(t2 - t1) * 1e3:.0f}")
    if n % 10 == 9:
        tqdm.write(f"step {n + 1}: loss {loss.item():.4f}, this step took {(time.perf_counter() - t0):.3f} s of which reading {(t1 - t0) / (time.perf_counter() - t0):.0%}")
