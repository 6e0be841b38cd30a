import torch
import torch.nn.functional as F

torch.manual_seed(3)
proto = torch.randn(4, 20) * 1.0


def batch(n):
    y = torch.randint(4, (n,))
    return proto[y] + torch.randn(n, 20) * 0.5, y


net = torch.nn.Sequential(torch.nn.Linear(20, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4))
opt = torch.optim.Adam(net.parameters(), 2e-3)


def attack(x, y, eps):
    d = torch.zeros_like(x, requires_grad=True)
    for _ in range(3):
        (g,) = torch.autograd.grad(F.cross_entropy(net(x + d), y), d)
        d = (d + eps / 2 * g.sign()).clamp(-eps, eps).detach().requires_grad_()
    return (x + d).detach()


x_test, y_test = batch(500)
print("adversarial training; eps grows from 0 to 0.9, so the loss under attack is meant to go up")
print(" ep |  eps | loss under attack | broken by attack | clean errors")
print("----+------+-------------------+------------------+-------------")
for ep in range(1, 31):
    eps, tot = 0.9 * (ep - 1) / 29, 0.0
    for _ in range(25):
        x, y = batch(64)
        loss = F.cross_entropy(net(attack(x, y, eps)), y)
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item() / 25
    broken = (net(attack(x_test, y_test, eps)).argmax(1) != y_test).sum().item()
    print(f" {ep:2d} | {eps:.2f} | {tot:17.4f} | {broken:4d} of 500 fail | {(net(x_test).argmax(1) != y_test).sum().item():4d} errors")
for eps in (0.0, 0.3, 0.6, 0.9, 1.2):
    print(f"final, eps {eps:.1f}: {(net(attack(x_test, y_test, eps)).argmax(1) != y_test).float().mean():.1%} fail")
