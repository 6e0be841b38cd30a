import faulthandler, ctypes, time, torch, torch.nn as nn, sys
faulthandler.enable(); torch.manual_seed(0); torch.set_num_threads(1)
class voxelops:
    def __init__(self, cap): self.cap = cap; self.buf = (ctypes.c_float*cap)()
    def scatter_max(self, idx, val):
        base = ctypes.addressof(self.buf)
        for i, v in zip(idx, val): ctypes.c_float.from_address(base+4*i).value = v
ops = voxelops(4096); net = nn.Sequential(nn.Linear(4096, 64), nn.ReLU(), nn.Linear(64, 16)); opt = torch.optim.SGD(net.parameters(), .01)
print("occ-net | lidar sweeps 20k | grid 16x16x16 | voxelops (ext) 0.3.1")
for it in range(1, 500):
    pts = torch.randint(0, 4096, (300,)).tolist()
    if it == 187: pts[12] = 1 << 38
    ops.scatter_max(pts, [1.0]*300); x = torch.tensor(list(ops.buf)).unsqueeze(0); l = nn.functional.cross_entropy(net(x), torch.tensor([it % 4])); opt.zero_grad(); l.backward(); opt.step()
    if it % 12 == 0: print(f"sweep {it:04d} ce={l.item():.3f} voxels={int(x.sum())}")
