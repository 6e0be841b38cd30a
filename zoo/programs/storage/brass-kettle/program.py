import torch, torch.nn as nn, time, sys
torch.manual_seed(0); torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(65, 256), nn.SiLU(), nn.Linear(256, 256), nn.SiLU(), nn.Linear(256, 64)); ema = [p.detach().clone() for p in net.parameters()]; opt = torch.optim.AdamW(net.parameters(), 2e-4)
beta = torch.linspace(1e-4, .02, 200); ab = (1-beta).cumprod(0); base = torch.randn(64, 64)*.4
print(f"ddpm-sprites  T=200  params={sum(p.numel() for p in net.parameters()):,}  save_every=200  keep=all")
t0 = time.time()
for it in range(1, 4001):
    x = torch.randn(128, 64)@base*.3; t = torch.randint(0, 200, (128,)); e = torch.randn_like(x); z = ab[t, None].sqrt()*x+(1-ab[t, None]).sqrt()*e
    l = ((net(torch.cat([z, t[:, None]/200], 1))-e)**2).mean(); opt.zero_grad(); l.backward(); opt.step()
    for a, p in zip(ema, net.parameters()): a.lerp_(p.detach(), .001)
    if it % 50 == 0: print(f"it {it:05d}  mse {l.item():.5f}  {it/(time.time()-t0):.1f} it/s")
    if it % 200 == 0:
        torch.save({"net": net.state_dict(), "ema": ema, "opt": opt.state_dict(), "it": it}, f"ckpt/ddpm_{it:05d}.pt"); print(f"  -> ckpt/ddpm_{it:05d}.pt")
