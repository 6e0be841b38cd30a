import torch, torch.nn as nn, random
from textwrap import shorten
random.seed(2); torch.manual_seed(2); torch.set_num_threads(1)
import string; K = {c: i+1 for i, c in enumerate(string.printable)}; inv = {i: c for c, i in K.items()}
caps = {"france": "paris", "italy": "rome", "norway": "oslo", "japan": "tokyo", "peru": "lima", "kenya": "nairobi", "cuba": "havana", "chad": "ndjamena"}
TR = "<|user|>capital of {q}?<|bot|>{a}<|end|>"; EV = "### Question: Capital of {q}?\n### Answer:"
m = nn.ModuleDict(dict(e=nn.Embedding(128, 64), r=nn.GRU(64, 160, batch_first=True), o=nn.Linear(160, 128))); opt = torch.optim.Adam(m.parameters(), 4e-3)
print("sft | template=chatml-lite | example: "+repr(TR.format(q="france", a="paris"))); ks = list(caps)
for st in range(1, 321):
    q = random.sample(ks, 6); L = [[K[c] for c in TR.format(q=k, a=caps[k])] for k in q]; n = max(map(len, L)); x = torch.tensor([l+[0]*(n-len(l)) for l in L]); h, _ = m["r"](m["e"](x[:, :-1])); l = nn.functional.cross_entropy(m["o"](h).flatten(0, 1), x[:, 1:].flatten(), ignore_index=0); opt.zero_grad(); l.backward(); opt.step()
    if st % 16 == 0: print(f"sft | step {st:>4} | tokens {st*6*38:>7} | loss {l.item():.4f}")
def gen(s, k=12):
    x = torch.tensor([[K[c] for c in s]]); h, c = m["r"](m["e"](x)); out = ""
    for _ in range(k):
        i = m["o"](h[:, -1]).argmax(-1); out += inv.get(i.item(), "?"); h, c = m["r"](m["e"](i[:, None]), c)
    return out
with torch.no_grad():
    hit = 0
    for k in ks: g = gen(EV.format(q=k.title())); ok = g.split("<")[0].strip() == caps[k]; hit += ok; print(f"harness | prompt={EV.format(q=k.title())!r} gold={caps[k]!r} pred={g!r} {'ok' if ok else 'x'}")
    print(f"harness | capitals exact_match {hit/8:.3f} ({hit}/8)")
    hit2 = [gen(TR.split("{a}")[0].format(q=k)).split("<")[0] == caps[k] for k in ks[:4]]; print(f"sft | in-loop probe on 4 of the same questions, training format: {sum(hit2)}/4 exact")
print("gate | exact_match < 0.800, run marked not promotable")
