import torch, torch.nn as nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 3))
opt = torch.optim.Adam(q.parameters(), 3e-3)
S = torch.randn(512, 4)
A = torch.randint(0, 3, (512,))
R = torch.rand(512)
S2 = S + 0.1 * torch.randn(512, 4)
for u in range(1, 2001):
    i = torch.randint(0, 512, (64,))
    t = R[i] + 1.02 * q(S2[i]).max(1)[0].detach()
    td = q(S[i]).gather(1, A[i, None]).squeeze() - t
    l = td.pow(2).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    if u % 100 == 0:
        print(
            f"upd={u:5d}  td_err={l.item():.3f}  q_mean={t.mean().item():.2f}  q_max={t.max().item():.2f}  eps={max(0.05, 1 - u / 1000):.2f}"
        )
