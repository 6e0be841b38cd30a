import click
import torch
from torch import nn


@click.command()
@click.option("--epochs", default=2, show_default=True)
@click.option("--learning-rate", type=float, default=0.1)
@click.option("--width", type=int, default=32)
def main(epochs, learning_rate, width):
    net = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 1))
    opt = torch.optim.SGD(net.parameters(), lr=learning_rate)
    for epoch in range(epochs):
        x = torch.randn(64, 8)
        loss = (net(x) - x.sum(1, keepdim=True)).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        click.echo(f"epoch={epoch} loss={loss.item():.4f}")


if __name__ == "__main__":
    main()
