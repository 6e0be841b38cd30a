import sys

import torch

sys.setrecursionlimit(10**8)
print("building the parse tree", flush=True)
tree = []
for _ in range(3_000_00):
    tree = [tree]
print("depth reached", flush=True)
print(repr(tree)[:10])
