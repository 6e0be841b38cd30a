import torch

device = torch.device("cuda:1")
print("using", device)
net = torch.nn.Linear(8, 8).to(device)
print(net.weight.device)
