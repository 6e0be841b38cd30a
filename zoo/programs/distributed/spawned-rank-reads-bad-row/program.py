import torch.multiprocessing as mp
def work(rank):
    rows = [f"{n},{n * 2}" for n in range(40)]
    rows[23] = "23"
    for step, row in enumerate(rows, 1):
        if step % 3 != rank:
            continue
        x, y = row.split(",")
        if step % 6 == rank:
            print(f"[rank{rank}] step {step} loss {1 / step:.4f}", flush=True)
if __name__ == "__main__":
    mp.spawn(work, nprocs=3)
