import torch, torch.nn as nn
torch.manual_seed(1); torch.set_num_threads(1)
def real(n):
    k = torch.randint(0, 8, (n,)).float()*0.7854; return torch.stack([2*k.cos(), 2*k.sin()], 1)+.05*torch.randn(n, 2)
mk = lambda i, o: nn.Sequential(nn.Linear(i, 64), nn.LeakyReLU(.2), nn.Linear(64, 64), nn.LeakyReLU(.2), nn.Linear(64, o))
G, D = mk(8, 2), mk(2, 1)
og, od = torch.optim.Adam(G.parameters(), 2e-3, betas=(.9, .99)), torch.optim.Adam(D.parameters(), 1e-2, betas=(.9, .99))
print("icongen / wasserstein / 8-mode embedding set")
print("  n_critic 5   lr_g 2e-3   lr_d 1e-2   lambda_gp 0.0   weight_clip off   batch 128\n")
print(f"{'kimg':>6} {'critic':>14} {'gen':>14} {'W_est':>14} {'D(real)':>14} {'D(fake)':>14} {'|gD|':>12} {'FID8':>8}")
n = 0
for it in range(1, 1051):
    for _ in range(5):
        r = real(128); f = G(torch.randn(128, 8)).detach(); dr, df = D(r).mean(), D(f).mean(); l = df-dr; od.zero_grad(); l.backward(); od.step(); n += 128
    gD = sum((p.grad**2).sum() for p in D.parameters()).sqrt().item()
    f = G(torch.randn(128, 8)); lg = -D(f).mean(); og.zero_grad(); lg.backward(); og.step()
    if it % 20 == 0:
        with torch.no_grad():
            s = G(torch.randn(1000, 8)); q = real(1000); fid = ((s.mean(0)-q.mean(0))**2).sum()+((s.std(0)-q.std(0))**2).sum()
        print(f"{n/1000:6.1f} {l.item():14.3f} {lg.item():14.3f} {(dr-df).item():14.3f} {dr.item():14.3f} {df.item():14.3f} {gD:12.3f} {fid.item():8.3f}")
    if it % 350 == 0: print(f"  saved samples/grid_{it:05d}.png")
