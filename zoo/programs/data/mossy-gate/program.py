import json, random, sys, torch, torch.nn as nn
from torch.utils.data import Dataset, DataLoader
from tqdm import tqdm
random.seed(3); torch.manual_seed(3); torch.set_num_threads(1)
W = "please reset my account order refund where is late thanks hello agent ticket close open price".split()
with open("tickets_0007.jsonl", "w") as f:
    for i in range(640):
        s = json.dumps({"id": i, "prompt": " ".join(random.choices(W, k=8)), "response": " ".join(random.choices(W, k=6))})
        f.write((s[:37] if i == 418 else s)+"\n")
class Tickets(Dataset):
    def __init__(self, path): self.lines = open(path).read().splitlines(); self.ids = {w: i for i, w in enumerate(W)}
    def __len__(self): return len(self.lines)
    def __getitem__(self, i):
        row = json.loads(self.lines[i])
        t = torch.tensor([self.ids[w] for w in (row["prompt"]+" "+row["response"]).split()]); return t
if __name__ == "__main__":
    ds = Tickets("tickets_0007.jsonl"); print(f"Loaded {len(ds)} rows from tickets_0007.jsonl"); dl = DataLoader(ds, 8, shuffle=True, num_workers=2, generator=torch.Generator().manual_seed(21))
    e, h = nn.Embedding(len(W), 32), nn.Linear(32, len(W)); o = torch.optim.AdamW([*e.parameters(), *h.parameters()], 3e-3)
    print("***** Running training *****\n  Num examples = 640\n  Num Epochs = 1\n  Total optimization steps = 80")
    bar = tqdm(dl, ncols=80, mininterval=0, miniters=4)
    for k, b in enumerate(bar):
        l = nn.functional.cross_entropy(h(e(b[:, :-1])).flatten(0, 1), b[:, 1:].flatten()); o.zero_grad(); l.backward(); o.step()
        if k % 10 == 9: tqdm.write(str({"loss": round(l.item(), 4), "learning_rate": 0.003, "epoch": round((k+1)/80, 2)}))
