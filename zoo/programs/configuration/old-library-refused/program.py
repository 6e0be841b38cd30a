import torch
need, have = (9, 0), tuple(int(part) for part in torch.__version__.split(".")[:2])
if have < need:
    raise RuntimeError(f"this code needs torch >= 9.0, found {torch.__version__}")
