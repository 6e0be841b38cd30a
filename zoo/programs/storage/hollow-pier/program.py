import json, os, sys, torch
from datetime import datetime
from safetensors.torch import save_file, safe_open
def L(lv, m): print(f"{datetime.now():%m/%d/%Y %H:%M:%S} - {lv} - {__file__.split('/')[-1][:-3]} -   {m}", flush=True)
D = "models/legal-1b3"; os.makedirs(D, exist_ok=True); wm = {}; torch.manual_seed(0)
for s in range(1, 6):
    f = f"model-{s:05d}-of-00005.safetensors"; t = {f"model.layers.{4*(s-1)+k}.mlp.down_proj.weight": torch.randn(32, 64) for k in range(4)}; wm.update({k: f for k in t})
    if s != 4: save_file(t, f"{D}/{f}")
json.dump({"metadata": {"total_size": sum(32*64*4 for _ in wm)}, "weight_map": wm}, open(f"{D}/model.safetensors.index.json", "w"))
L("INFO", "Training/evaluation parameters: output_dir=out/sft-legal-v3 bf16=True per_device_train_batch_size=4 gradient_accumulation_steps=8 num_train_epochs=2 learning_rate=1e-05 lr_scheduler_type=cosine")
L("INFO", "loading configuration file models/legal-1b3/config.json"); L("WARNING", "You are attempting to use Flash Attention 2 without specifying a torch dtype. This might lead to unexpected behaviour")
L("WARNING", "The tokenizer you are loading from has 3 added tokens not present in the base vocabulary"); idx = json.load(open(f"{D}/model.safetensors.index.json"))
files = sorted(set(idx["weight_map"].values())); L("INFO", f"loading weights from index: {len(idx['weight_map'])} tensors in {len(files)} files"); sd = {}
for i, f in enumerate(files, 1):
    L("INFO", f"Loading checkpoint shards {i}/{len(files)}: {f}")
    with safe_open(f"{D}/{f}", framework="pt") as h:
        for k in h.keys(): sd[k] = h.get_tensor(k)
L("INFO", "***** Running training *****")
