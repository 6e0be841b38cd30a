import sys, torch, argparse, os
a = argparse.ArgumentParser(); a.add_argument("--updates", type=int); a.add_argument("--resume", action="store_true"); a.add_argument("--base-lr", type=float, default=9.0); a = a.parse_args()
torch.manual_seed(5); torch.set_num_threads(1)
U, I, K = 400, 300, 12; P0, Q0 = torch.randn(U, K), torch.randn(I, K); R = (P0@Q0.T)/K**.5+.1*torch.randn(U, I)
P = (torch.randn(U, K)*.3).requires_grad_(); Q = (torch.randn(I, K)*.3).requires_grad_(); s0 = 0
o = torch.optim.Adam([P, Q], lr=.02)
print("# mf_train", " ".join(sys.argv[1:]))
if a.resume:
    c = torch.load("runs/mf/last.pt"); P.data, Q.data, s0 = c["P"], c["Q"], c["step"]
    print(f"# loaded runs/mf/last.pt (step {s0}); keys in file: {sorted(c)}"); o = torch.optim.Adam([P, Q], lr=a.base_lr)
print("step,lr,train_rmse,heldout_rmse,ndcg10")
for s in range(s0+1, a.updates+1):
    lr = a.base_lr if a.resume else .02*(1-s/1400)
    for g in o.param_groups: g["lr"] = lr
    i = torch.randint(0, U, (256,)); j = torch.randint(0, 270, (256,)); e = (P[i]*Q[j]).sum(1)/1-R[i, j]; l = (e**2).mean(); o.zero_grad(); l.backward(); o.step()
    if s % 25 == 0:
        with torch.no_grad():
            S = P@Q.T; h = ((S[:, 200:270]-R[:, 200:270])**2).mean().sqrt(); top = S[:, :270].topk(10).indices; nd = torch.gather(R[:, :270], 1, top).mean()/R[:, :270].topk(10).values.mean()
        print(f"{s},{lr:.5f},{l.item()**.5:.4f},{h.item():.4f},{nd.item():.4f}")
os.makedirs("runs/mf", exist_ok=True); torch.save({"P": P.data, "Q": Q.data, "step": a.updates}, "runs/mf/last.pt"); print(f"# wrote runs/mf/last.pt step={a.updates}")
