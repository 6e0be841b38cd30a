import multiprocessing as mp
import os
import sys
import time


def say(rank, text):
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} [rank {rank}] {text}\n")
    sys.stdout.flush()


def worker(rank, barrier, steps):
    w = 4.0
    for step in range(1, 401):
        if rank == 2 and step == 171:
            os.mkfifo("shards/part-00007.bin")
            say(rank, f"step {step}: opening shards/part-00007.bin")
            open("shards/part-00007.bin", "rb").read(16)  # a pipe that nobody writes to
        w -= 0.02 * w
        time.sleep(0.02)
        barrier.wait()
        steps[rank] = step
        if step % 30 == 0:
            say(rank, f"step {step} loss {w * w:.5f}")


if __name__ == "__main__":
    os.mkdir("shards")
    barrier, steps = mp.Barrier(3), mp.Array("i", 3)
    ranks = [mp.Process(target=worker, args=(rank, barrier, steps), daemon=True) for rank in range(3)]
    for one in ranks:
        one.start()
    seen, since = [], time.monotonic()
    while any(one.is_alive() for one in ranks):
        time.sleep(1)
        if list(steps) != seen:
            seen, since = list(steps), time.monotonic()
        idle = int(time.monotonic() - since)
        if idle and idle % 8 == 0:
            say("main", f"no step finished for {idle} s: steps {seen}, at the barrier {barrier.n_waiting} of 3")
        if idle >= 33:
            say("main", "giving up")
            os._exit(3)
