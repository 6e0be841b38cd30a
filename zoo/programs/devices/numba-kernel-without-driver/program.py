import numpy as np
from numba import cuda


@cuda.jit
def scale(x, k):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= k


x = np.ones(1024, dtype=np.float32)
print("launching", x.size // 256, "blocks")
scale[4, 256](x, 2.0)
print(x.sum())
