import os, sys
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
def work(rank):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29871", RANK=str(rank), WORLD_SIZE="2")
    if rank == 1:
        null = open(os.devnull, "w")
        os.dup2(null.fileno(), 1), os.dup2(null.fileno(), 2)
    dist.init_process_group("gloo")
    for step in range(1, 100):
        if rank == 1 and step == 41:
            os._exit(1)
        dist.all_reduce(torch.ones(4))
        if step % 10 == 0:
            print(f"[rank{rank}] step {step} loss {1 / step:.4f}", flush=True)
if __name__ == "__main__":
    ctx = mp.get_context("spawn")
    jobs = [ctx.Process(target=work, args=(rank,)) for rank in range(2)]
    [job.start() for job in jobs]
    [job.join() for job in jobs]
    sys.exit(1)
