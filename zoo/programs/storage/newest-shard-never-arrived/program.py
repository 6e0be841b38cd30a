import json
import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file

out = pathlib.Path("out")
torch.manual_seed(0)
weights = {f"layers.{i}.weight": torch.randn(24, 24) for i in range(6)}


def save(step, skip=()):
    folder = out / f"checkpoint-{step}"
    folder.mkdir(parents=True)
    places = {}
    for part in range(3):
        name = f"model-{part + 1:05d}-of-00003.safetensors"
        keys = list(weights)[2 * part : 2 * part + 2]
        places.update(dict.fromkeys(keys, name))
        if part not in skip:
            save_file({key: weights[key] for key in keys}, folder / name)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 6 * 24 * 24 * 4}, "weight_map": places}))
    torch.save({"step": step, "state": {}}, folder / "optimizer.pt")
    (folder / "trainer_state.json").write_text(json.dumps({"global_step": step, "epoch": step / 500, "log_history": []}))


if sys.argv[1:] == ["--make"]:
    save(500)
    save(1000)
    save(1500, skip=(1,))  # the upload of one part was interrupted
    sys.exit()

newest = max(out.iterdir(), key=lambda path: int(path.name.split("-")[1]))
print(f"resuming from {newest}", flush=True)
index = json.loads((newest / "model.safetensors.index.json").read_text())
state = {}
for name in sorted(set(index["weight_map"].values())):
    print(f"  reading {name}", flush=True)
    state.update(load_file(newest / name))
