import sys, os, torch, torch.nn as nn, glob, math
N = int(sys.argv[1]); torch.manual_seed(4); torch.set_num_threads(1); W = torch.randn(10, 32)
net = nn.Sequential(nn.Linear(32, 96), nn.ReLU(), nn.Linear(96, 32)); o = torch.optim.Adam(net.parameters(), 1e-3); s0 = 0; os.makedirs("ck", exist_ok=True)
print(f"xlingual-base  world=1  tgt 900 steps  node {'a100-11' if N < 900 else 'a100-03'}")
if os.path.exists("ck/last.pt"): c = torch.load("ck/last.pt"); net.load_state_dict(c["m"]); o.load_state_dict(c["o"]); s0 = c["s"]; print(f"found ck/last.pt, continuing at step {s0} (optimizer, sampler offset {s0*64}, rng restored)")
else: print("WARNING ck/last.pt not found, starting fresh")
for s in range(s0+1, N+1):
    g = torch.Generator().manual_seed(s); x = torch.randn(64, 10, generator=g)@W; l = ((net(x+.3*torch.randn(64, 32, generator=g))-x)**2).mean(); o.zero_grad(); l.backward(); o.step()
    if s % 20 == 0: print(f"step {s}/900  loss {l.item():.4f}  toks {s*8192/1e6:.2f}M")
    if s % 100 == 0: torch.save({"m": net.state_dict(), "o": o.state_dict(), "s": s}, "ck/last.pt"); print(f"-- saved ck/last.pt @ {s}")
    if s == 420 and N == 420: print("signal 15 received, flushing logs"); sys.exit(143)
print("target reached, exporting ... ok"); print("xnli zero-shot (sanity): 0.671  (prev release 0.668)")
