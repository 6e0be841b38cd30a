import logging, math, random, torch, torch.nn as nn, torch.nn.functional as F
logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)-7s | %(name)s | %(message)s")
log = logging.getLogger("charlm")
torch.manual_seed(7); random.seed(7); torch.set_num_threads(1)
words = "the a of model river stone light over under every small bright cold sails port night morning bread salt".split()
text = ". ".join(" ".join(random.choice(words) for _ in range(7)) for _ in range(4000))
vocab = sorted(set(text)); stoi = {c: i for i, c in enumerate(vocab)}
data = torch.tensor([stoi[c] for c in text]); n = int(.95*len(data)); tr, va = data[:n], data[n:]
T, C, B = 48, 64, 16
class Blk(nn.Module):
    def __init__(s):
        super().__init__(); s.l1, s.l2 = nn.LayerNorm(C), nn.LayerNorm(C)
        s.a = nn.MultiheadAttention(C, 4, batch_first=True); s.f = nn.Sequential(nn.Linear(C, 4*C), nn.GELU(), nn.Linear(4*C, C))
    def forward(s, x):
        m = torch.triu(torch.ones(x.size(1), x.size(1), dtype=torch.bool), 1); h = s.l1(x)
        x = x + s.a(h, h, h, attn_mask=m, need_weights=False)[0]; return x + s.f(s.l2(x))
class LM(nn.Module):
    def __init__(s):
        super().__init__(); s.e = nn.Embedding(len(vocab), C); s.p = nn.Parameter(torch.randn(T, C)*.02); s.b = nn.Sequential(Blk(), Blk()); s.h = nn.Linear(C, len(vocab))
    def forward(s, x): return s.h(s.b(s.e(x)+s.p[:x.size(1)]))
m = LM(); peak, warm, total = 4e-1, 300, 800
opt = torch.optim.AdamW(m.parameters(), lr=1e-9, betas=(.9, .999))
log.info("vocab=%d train_chars=%d valid_chars=%d params=%.2fK", len(vocab), len(tr), len(va), sum(p.numel() for p in m.parameters())/1e3)
log.info("schedule: linear warmup %d updates -> constant, peak_lr=%g, clip=off, batch=%dx%d", warm, peak, B, T)
def get(d):
    i = torch.randint(0, len(d)-T-1, (B,)); return torch.stack([d[j:j+T] for j in i]), torch.stack([d[j+1:j+T+1] for j in i])
run = []
for u in range(1, total+1):
    lr = 2e-4 + (peak-2e-4)*max(0, (u-150))/150 if u < warm else peak
    if u <= 150: lr = 2e-3*u/150
    for g in opt.param_groups: g["lr"] = lr
    x, y = get(tr); loss = F.cross_entropy(m(x).flatten(0, 1), y.flatten()); opt.zero_grad(); loss.backward()
    gn = nn.utils.clip_grad_norm_(m.parameters(), 1e9); opt.step(); run.append(loss.item())
    if u % 10 == 0: log.info("update %4d | loss %.4f | ppl %.2f | gnorm %.3f | lr %.3e", u, sum(run[-10:])/10, math.exp(sum(run[-10:])/10), gn, lr)
    if u % 150 == 0:
        with torch.no_grad(): v = sum(F.cross_entropy(m(a).flatten(0, 1), b.flatten()).item() for a, b in (get(va) for _ in range(6)))/6
        log.info("validation @ %d: loss %.4f ppl %.2f", u, v, math.exp(v))
log.info("reached max_updates=%d, writing final.pt", total)
