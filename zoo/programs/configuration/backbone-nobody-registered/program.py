import json
import sys

import torch
from torch import nn


class RegistryError(LookupError):
    """A name that the registry does not hold."""


BACKBONES = {}


def register(function):
    BACKBONES[function.__name__] = function
    return function


@register
def convnet_small(width=16):
    return nn.Sequential(nn.Conv2d(3, width, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())


@register
def mixer_tiny(width=16):
    return nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, width), nn.GELU())


def build(spec):
    try:
        maker = BACKBONES[spec["backbone"]]
    except KeyError as missing:
        known = ", ".join(sorted(BACKBONES))
        raise RegistryError(f"unknown backbone {spec['backbone']!r}; registered: {known}") from missing
    return nn.Sequential(maker(spec["width"]), nn.Linear(spec["width"], spec["classes"]))


def main():
    spec = json.loads(sys.argv[1])
    print("| building model", spec)
    model = build(spec)
    optimizer = torch.optim.AdamW(model.parameters())
    for iteration in range(100):
        loss = nn.functional.cross_entropy(model(torch.rand(8, 3, 32, 32)), torch.randint(0, spec["classes"], (8,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if iteration % 10 == 0:
            print(f"| iter {iteration} loss {loss.item():.4f}")


main()
