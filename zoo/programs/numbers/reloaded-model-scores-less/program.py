import torch
from torch import nn

torch.manual_seed(0)
w = torch.randn(12, 3)
x = torch.randn(900, 12)
y = (x @ w).argmax(1)
net = nn.Linear(12, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)


def accuracy(model):
    with torch.no_grad():
        return (model(x[600:]).argmax(1) == y[600:]).float().mean().item()


torch.save(net.state_dict(), "model.pt")
for epoch in range(20):
    loss = nn.functional.cross_entropy(net(x[:600]), y[:600])
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("epoch %2d  loss %.4f  val acc %.3f" % (epoch, loss.item(), accuracy(net)))
    if epoch < 0:
        torch.save(net.state_dict(), "model.pt")
again = nn.Linear(12, 3)
again.load_state_dict(torch.load("model.pt"))
got, want = accuracy(again), accuracy(net)
assert abs(got - want) < 0.02, f"reloaded model.pt scores {got:.3f} on the validation set, in memory it scored {want:.3f}"
