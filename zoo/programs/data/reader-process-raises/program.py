import multiprocessing as mp, queue
def read(q):
    for n in range(40):
        row = {"x": n, "y": n * 2} if n != 25 else {"x": n}
        q.put(row["x"] / (row["y"] + 1))
if __name__ == "__main__":
    q = mp.Queue()
    mp.Process(target=read, args=(q,)).start()
    for step in range(1, 41):
        value = q.get(timeout=5)
        if step % 5 == 0:
            print(f"step {step} loss {value:.4f}", flush=True)
