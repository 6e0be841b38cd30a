"""Loads a checkpoint whose tensors were saved on a GPU."""
import io
import zipfile

import torch


def saved_on_gpu(path):
    """Rewrites the storage location inside a saved file, as a GPU machine would have written it."""
    torch.save({"w": torch.ones(4)}, "cpu.pt")
    with zipfile.ZipFile("cpu.pt") as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            raw = source.read(name)
            if name.endswith("data.pkl"):
                raw = raw.replace(b"X\x03\x00\x00\x00cpu", b"X\x06\x00\x00\x00cuda:0")
            target.writestr(name, raw)


saved_on_gpu("step_9000.pt")
print("resuming from step_9000.pt", flush=True)
state = torch.load("step_9000.pt")
print("resumed", io.StringIO(str(state)).read())
