import multiprocessing as mp
import sys


def work(i, q):
    for n in range(5):
        if i == 1 and n == 3:
            raise ValueError(f"bad record {n} in /data/shard_{i}.bin: length field 4294967295")
        q.put((i, n))
    q.put(None)


if __name__ == "__main__":
    q = mp.Queue()
    ps = [mp.Process(target=work, args=(i, q)) for i in range(2)]
    [p.start() for p in ps]
    [p.join() for p in ps]
    dead = [i for i, p in enumerate(ps) if p.exitcode]
    if dead:
        print("main: reader processes failed:", dead, file=sys.stderr)
        sys.exit(1)
