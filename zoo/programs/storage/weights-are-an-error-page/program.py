import torch
open("model.pt", "w").write("<html><head><title>404 Not Found</title></head></html>")
print("loading model.pt")
torch.load("model.pt")
