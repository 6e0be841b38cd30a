import numpy as np
from numba import cuda


@cuda.jit
def scale(values, factor):
    i = cuda.grid(1)
    if i < values.size:
        values[i] *= factor


print("kernel scale compiled lazily; warming up")
values = np.arange(1024, dtype=np.float32)
scale[4, 256](values, 2.0)
print(values[:4])
