import os, signal
from concurrent.futures import ProcessPoolExecutor
def tokenize(n):
    if n == 17:
        os.kill(os.getpid(), signal.SIGKILL)
    return n * 2
if __name__ == "__main__":
    print("tokenizing 64 documents with 2 processes", flush=True)
    with ProcessPoolExecutor(2) as pool:
        print(sum(pool.map(tokenize, range(64))))
