import torch
model = torch.nn.Linear(2, 1)
torch.optim.Adam(model.parameters(), lr=-3e-4)
