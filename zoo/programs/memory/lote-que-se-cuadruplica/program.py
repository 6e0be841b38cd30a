import argparse
import sys
import time

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--inicial", type=int)
lote = ap.parse_args().inicial
torch.manual_seed(0)
torch.set_num_threads(1)
red = nn.Sequential(nn.Linear(256, 384), nn.GELU(), nn.Linear(384, 10))
opt = torch.optim.SGD(red.parameters(), 0.01)
paso = 0
print(f"== fase 1: lote {lote}, se cuadruplica cada 3 pasos ==")
try:
    while paso < 120:
        paso += 1
        x, y = torch.randn(lote, 256), torch.randint(10, (lote,))
        t = time.time()
        perdida = nn.functional.cross_entropy(red(x), y)
        opt.zero_grad()
        perdida.backward()
        opt.step()
        print(f"paso {paso:3d}  lote {lote:7d}  pérdida {perdida.item():.4f}  {lote / (time.time() - t):9.0f} ejemplos/s")
        if paso % 3 == 0:
            lote *= 4
except RuntimeError as causa:
    texto = str(causa).split("\n")[0]
    print(f"!! paso {paso}: no cabe un lote de {lote} ejemplos: «{texto}»")
    print("!! se abandona el entrenamiento; pruebe con un lote menor")
    sys.exit(5)
