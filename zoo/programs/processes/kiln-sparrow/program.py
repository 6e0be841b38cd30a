import torch, torch.nn as nn, time, random, json
torch.manual_seed(0); random.seed(1); torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(128, 256), nn.GELU(), nn.Linear(256, 128)); o = torch.optim.AdamW(net.parameters(), 1e-3); base = torch.randn(20, 128)
print("videomae-s | 16x224 clips | 8 gpu | clip cache: lustre:/v/k700 (ost 0-11)"); t = 0.; ewma = None
for s in range(20, 1601, 20):
    for _ in range(4): x = torch.randn(64, 20)@base; l = ((net(x*(torch.rand_like(x) > .5))-x)**2).mean()/20; o.zero_grad(); l.backward(); o.step()
    slow = 0 if s < 700 else min(1, (s-680)/160); dt = .312+random.uniform(-.01, .01)+slow*random.uniform(8.3, 11.9); w = .009+random.uniform(0, .003) if not slow else dt-.302; t += dt*20
    print(f"[{int(t)//3600:02d}:{int(t)//60%60:02d}:{int(t)%60:02d}] step {s:5d}/80000  rec {l.item():.4f}  {dt:6.2f} s/step  clips/s {512/dt:7.1f}  data {w:5.2f}s  fwd+bwd {.302:.3f}s  gpu-util {int(96*(dt-w)/dt)}%  eta {dt*(80000-s)/3600:6.1f}h")
    if s == 700: print("[io] ost0007 degraded: 41 of 64 reader requests outstanding > 5 s")
    if s == 1200: print("[io] outstanding > 5 s: 44 of 64")
