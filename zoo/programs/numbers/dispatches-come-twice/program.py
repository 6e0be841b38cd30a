import hashlib
import random

import torch

random.seed(2)
torch.manual_seed(2)
WORDS = ["".join(random.choices("aeioulnrst", k=5)) for _ in range(1500)]
TOPICS = 5


def dispatch(topic, month):
    base = [WORDS[(topic * 17 + month * 311 + random.randrange(400)) % 1500] for _ in range(25)]
    return " ".join(base), topic


pool = [dispatch(random.randrange(TOPICS), 0) for _ in range(500)]
pool = [pool[random.randrange(len(pool))] for _ in range(3000)]  # agencies send everything several times
random.shuffle(pool)
train, dev = pool[:2500], pool[2500:]
later = [dispatch(random.randrange(TOPICS), 1) for _ in range(500)]
sha = lambda rows: {hashlib.sha1(t.encode()).hexdigest() for t, _ in rows}
print("╔══════════════════════════════╗")
print("║ dataset report               ║")
print("╠══════════════════════════════╣")
print(f"║ train rows            {len(train):6d} ║")
print(f"║ dev rows              {len(dev):6d} ║")
print(f"║ distinct texts, train {len(sha(train)):6d} ║")
print(f"║ distinct texts, dev   {len(sha(dev)):6d} ║")
print(f"║ texts in both         {len(sha(train) & sha(dev)):6d} ║")
print("╚══════════════════════════════╝")


def bag(rows):
    x = torch.zeros(len(rows), 1500)
    for i, (t, _) in enumerate(rows):
        for w in t.split():
            x[i, WORDS.index(w)] += 1
    return x, torch.tensor([y for _, y in rows])


xt, yt = bag(train)
xd, yd = bag(dev)
xl, yl = bag(later)
net = torch.nn.Sequential(torch.nn.Linear(1500, 200), torch.nn.ReLU(), torch.nn.Linear(200, TOPICS))
opt = torch.optim.Adam(net.parameters(), 3e-3)
score = lambda x, y: (net(x).argmax(1) == y).float().mean().item()
print("╔═══════╦══════════╦══════════╦══════════╗")
print("║ epoch ║     loss ║    train ║      dev ║")
print("╠═══════╬══════════╬══════════╬══════════╣")
for epoch in range(1, 16):
    for i in torch.randperm(len(xt)).split(50):
        loss = torch.nn.functional.cross_entropy(net(xt[i]), yt[i])
        opt.zero_grad(); loss.backward(); opt.step()
    print(f"║ {epoch:5d} ║ {loss.item():8.4f} ║ {score(xt, yt):8.4f} ║ {score(xd, yd):8.4f} ║")
print("╚═══════╩══════════╩══════════╩══════════╝")
print(f"December dispatches, for the record: {score(xl, yl):.4f} on {len(later)}")
