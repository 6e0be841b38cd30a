import torch, torch.nn as nn, random, logging
logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(asctime)s:%(funcName)s: %(message)s", datefmt="%H:%M:%S"); L = logging.getLogger()
random.seed(2); torch.manual_seed(2); torch.set_num_threads(1); D = 16
leaf, comb, head = nn.Embedding(50, D), nn.Linear(2*D, D), nn.Linear(D, 2); o = torch.optim.Adam([*leaf.parameters(), *comb.parameters(), *head.parameters()], 3e-3)
def tree(n): return random.randrange(50) if n == 1 else (lambda k: (tree(k), tree(n-k)))(random.randint(1, n-1))
def chain(n):
    t = 0
    for i in range(n): t = (i % 50, t)
    return t
def encode(t):
    if isinstance(t, int): return leaf(torch.tensor(t))
    return torch.tanh(comb(torch.cat([encode(t[0]), encode(t[1])])))
def first(t):
    while not isinstance(t, int): t = t[0]
    return t
def fit():
    L.info("constituency sentiment, 2 classes, batch 1, tree encoder d=16"); run = []
    for i in range(1, 900):
        t = chain(1460) if i == 611 else tree(random.randint(4, 18)); y = int(first(t) > 24); l = nn.functional.cross_entropy(head(encode(t))[None], torch.tensor([y])); o.zero_grad(); l.backward(); o.step(); run.append(l.item())
        if i % 25 == 0: L.info("example %d avg_loss %.4f", i, sum(run[-25:])/25)
fit()
