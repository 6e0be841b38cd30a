import cupy

print("cupy", cupy.__version__)
kernel = cupy.RawKernel("extern \"C\" __global__ void f(float* x) { x[threadIdx.x] += 1; }", "f")
x = cupy.cuda.Device(0)
print(x.compute_capability)
kernel.compile()
