# teaches a small model to tell kinds of system messages apart
import torch
import torch.nn as nn

torch.manual_seed(6)
KINDS = {
    "out of memory": ["oom-killer invoked by {p}", "Killed process {n} ({p}) total-vm:{n}kB", "CUDA out of memory. Tried to allocate {n} MiB"],
    "segfault": ["{p}[{n}]: segfault at {n} ip {n} error 4", "Segmentation fault (core dumped) {p}", "{p}: killed by signal 11"],
    "timeout": ["{p}: Connection timed out after {n} ms", "watchdog: {p} stuck for {n}s!", "TimeoutError: {p} gave no answer"],
    "fine": ["{p}: started with pid {n}", "session opened for user {p}", "{p}: {n} packages are up to date"],
}
PROGS = ["nginx", "python3", "postgres", "java", "sshd", "train.py"]
g = torch.Generator().manual_seed(0)
pick = lambda xs: xs[torch.randint(len(xs), (1,), generator=g)]
rows = []
for _ in range(800):
    k = torch.randint(4, (1,), generator=g).item()
    label = k if torch.rand(1, generator=g) > 0.04 else torch.randint(4, (1,), generator=g).item()
    rows.append((pick(list(KINDS.values())[k]).format(p=pick(PROGS), n=torch.randint(9999, (1,), generator=g).item()), label))


def bag(t):
    v = torch.zeros(512)
    for i in range(len(t) - 2):
        v[hash(t[i : i + 3].encode()[0] * 7919 + ord(t[i + 1]) * 131 + ord(t[i + 2])) % 512] += 1
    return v


X, y = torch.stack([bag(t) for t, _ in rows]), torch.tensor([k for _, k in rows])
net = nn.Linear(512, 4)
opt = torch.optim.SGD(net.parameters(), 0.05)
for epoch in range(1, 16):
    for i in range(0, 600, 30):
        loss = nn.functional.cross_entropy(net(X[i : i + 30]), y[i : i + 30])
        opt.zero_grad(); loss.backward(); opt.step()
    acc = (net(X[600:]).argmax(1) == y[600:]).float().mean()
    print(f"epoch {epoch}: loss {loss.item():.3f}, held-out accuracy {acc:.3f}")
names = list(KINDS)
print("\nexamples the model gets right:")
for t, k in rows[600:612]:
    print(f"  {names[net(bag(t)).argmax()]:>14} <- {t}")
print("\nper kind:")
for k, n in enumerate(names):
    m = y[600:] == k
    print(f"  {n:>14} recall {(net(X[600:]).argmax(1)[m] == k).float().mean():.2f} ({m.sum()})")
