import time

import h5py

file = h5py.File("history.h5", "a")
print("plot: following history.h5", flush=True)
time.sleep(120)
