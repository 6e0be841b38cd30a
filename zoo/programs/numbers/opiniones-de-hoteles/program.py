"""Clasificador de opiniones (positiva / negativa), práctica 3."""
import random
import time

import torch
import torch.nn as nn

random.seed(4)
torch.manual_seed(4)

VOCABULARIO = 900
EPOCAS = 18
LOTE = 40
TASA = 0.9  # ojo: la de la memoria es 0.0009

print("Cargando opiniones de hoteles ...")
pesos_reales = torch.randn(VOCABULARIO)
textos = (torch.rand(3000, VOCABULARIO) < 0.03).float() * torch.randint(1, 4, (3000, VOCABULARIO))
etiquetas = ((textos @ pesos_reales) + torch.randn(3000) > 0).float()
x_ent, y_ent, x_val, y_val = textos[:2400], etiquetas[:2400], textos[2400:], etiquetas[2400:]
print(f"  {len(x_ent)} para entrenar, {len(x_val)} para validar, vocabulario de {VOCABULARIO} palabras")

red = nn.Sequential(nn.Linear(VOCABULARIO, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1))
optimizador = torch.optim.Adam(red.parameters(), lr=TASA)
criterio = nn.BCEWithLogitsLoss()
print(f"Red con {sum(p.numel() for p in red.parameters())} parámetros; optimizador Adam, tasa de aprendizaje {TASA}")

inicio = time.time()
for epoca in range(1, EPOCAS + 1):
    red.train()
    suma = 0.0
    orden = torch.randperm(len(x_ent))
    for i in range(0, len(orden), LOTE):
        idx = orden[i : i + LOTE]
        perdida = criterio(red(x_ent[idx]).squeeze(1), y_ent[idx])
        optimizador.zero_grad()
        perdida.backward()
        optimizador.step()
        suma += perdida.item() * len(idx)
    red.eval()
    with torch.no_grad():
        salida = red(x_val).squeeze(1)
        perdida_val = criterio(salida, y_val).item()
        acierto = ((salida > 0).float() == y_val).float().mean().item()
    print(f"época {epoca:2d}/{EPOCAS}  pérdida {suma / len(x_ent):12.4f}  pérdida val {perdida_val:12.4f}  acierto val {acierto * 100:5.1f} %  ({time.time() - inicio:.1f} s)")
torch.save(red.state_dict(), "opiniones.pt")
print("Modelo guardado en opiniones.pt")
print("Fin.")
