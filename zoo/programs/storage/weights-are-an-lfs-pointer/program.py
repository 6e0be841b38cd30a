import torch

print("loading pretrained weights from weights/backbone.pth")
state = torch.load("weights/backbone.pth", weights_only=False)
print(len(state), "tensors")
