import sys

import torch
from torch.distributions import Categorical, kl_divergence

BETA, TARGET, LR = 0.0, 6.0, 0.12
torch.manual_seed(11)
V, T = 64, 12
ref_logits = torch.randn(T, V) * 0.8
policy = torch.nn.Parameter(ref_logits.clone())
judge = torch.randn(V) * 2
opt = torch.optim.Adam([policy], lr=LR)
BAR = "─"


def row(*cells):
    print("│ " + " │ ".join(cells) + " │")


print("PPO on summaries   policy=toy-410m   reward model=judge-v2   kl_coef=%.2f   target_kl=%.1f" % (BETA, TARGET))
print("┌" + BAR * 70 + "┐")
row("episode", "   reward", "   kl(ref)", "  entropy", " approx_kl", "clipfrac")
print("├" + BAR * 70 + "┤")
strikes = 0
for ep in range(1, 201):
    with torch.no_grad():
        old = Categorical(logits=policy.clone())
        toks = old.sample((256,))
        r = judge[toks].mean(1)
        adv = (r - r.mean()) / (r.std() + 1e-6)
        lp_old = old.log_prob(toks).sum(1)
    clip = 0.0
    for _ in range(4):
        lp = Categorical(logits=policy).log_prob(toks).sum(1)
        ratio = (lp - lp_old).exp()
        clip = ((ratio - 1).abs() > 0.2).float().mean().item()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        now, ref = Categorical(logits=policy), Categorical(logits=ref_logits)
        kl = kl_divergence(now, ref).sum().item()
        ent = now.entropy().sum().item()
        akl = (lp_old - Categorical(logits=policy).log_prob(toks).sum(1)).mean().item()
    row(f"{ep:7d}", f"{r.mean():9.3f}", f"{kl:10.2f}", f"{ent:9.3f}", f"{akl:10.4f}", f"{clip:8.2f}")
    strikes = strikes + 1 if kl > 5 * TARGET else 0
    if strikes == 10:
        print("└" + BAR * 70 + "┘")
        print(f"giving up: kl to the reference is {kl:.1f}, ten episodes in a row above five times the target ({TARGET}); the samples below are what it writes now")
        print("   >", " ".join(f"w{t}" for t in now.sample().tolist()))
        print("   >", " ".join(f"w{t}" for t in now.sample().tolist()))
        sys.exit(17)
