import torch, torch.nn as nn, random, sys
torch.manual_seed(0); random.seed(0); torch.set_num_threads(1)
VOC = {f"w{i}": i for i in range(3200)}; SPECIAL = {"<|patient|>": 3200, "<|doctor|>": 3201, "<|image|>": 3202}
class TinyLM(nn.Module):
    def __init__(self, vocab=3200, d=64): super().__init__(); self.embed_tokens = nn.Embedding(vocab, d); self.mix = nn.GRU(d, d, batch_first=True); self.lm_head = nn.Linear(d, vocab)
    def forward(self, ids): return self.lm_head(self.mix(self.embed_tokens(ids))[0])
def encode(turns): return [SPECIAL.get(w) if w in SPECIAL else VOC[w] for w in turns.split()]
m = TinyLM(); o = torch.optim.AdamW(m.parameters(), 1e-3); print(f"tokenizer size {len(VOC)+len(SPECIAL)} (3 added), model vocab_size {m.embed_tokens.num_embeddings}"); print("stage A: plain notes | stage B: dialogues")
for i in range(1, 401):
    if i == 161: print("stage B starts (dialogues_v2.jsonl, 9114 rows)")
    t = [" ".join(f"w{min(3199, int(random.expovariate(.01)))}" for _ in range(20)) for _ in range(8)]
    if i > 160: t = ["<|patient|> "+x+" <|doctor|>" for x in t]
    x = torch.tensor([encode(q) for q in t]); l = nn.functional.cross_entropy(m(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten()); o.zero_grad(); l.backward(); o.step()
    if i % 10 == 0: print(f"iter {i:04d} nll {l.item():.4f} tok/s {8*20*31}")
