import multiprocessing as mp
import time


def work(r, b, n):
    for s in range(1, 200):
        time.sleep(0.04)
        if r == 2 and s == 50:
            print(f"({r}) no more data, leaving", flush=True)
            return
        n[r] = s
        while True:
            if all(x >= s for x in n):
                break
            t = time.time()
            while time.time() - t < 3 and not all(x >= s for x in n):
                time.sleep(0.01)
            if not all(x >= s for x in n):
                print(f"({r}) step {s}: {sum(x >= s for x in n)} of 3 here", flush=True)
        if r == 0 and s % 10 == 0:
            print(f"({r}) step {s} loss {1 / s:.4f}", flush=True)


if __name__ == "__main__":
    n = mp.Array("i", 3)
    ps = [mp.Process(target=work, args=(r, None, n)) for r in range(3)]
    [p.start() for p in ps]
    [p.join() for p in ps]
