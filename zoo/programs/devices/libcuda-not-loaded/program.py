import ctypes

print("loading the fused kernels")
cuda = ctypes.CDLL("libcuda.so.1")
print(cuda.cuInit(0))
