import pynvml

print("querying GPUs before training")
pynvml.nvmlInit()
print(pynvml.nvmlDeviceGetCount())
