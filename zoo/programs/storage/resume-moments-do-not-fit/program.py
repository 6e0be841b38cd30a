import torch

torch.save({"epoch": 3, "opt": {"m": [0] * 4}}, "r.pt")
s = torch.load("r.pt")


class ResumeError(RuntimeError):
    pass


if len(s["opt"]["m"]) != 6:
    raise ResumeError("r.pt: optimizer moments for 4 tensors, the network has 6")
