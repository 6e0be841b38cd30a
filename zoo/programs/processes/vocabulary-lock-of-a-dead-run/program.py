import os
import time
from collections import Counter


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def stamp():
    return time.strftime("%m/%d %H:%M:%S")


print(stamp(), "step 1/3: read corpus", flush=True)
corpus = [f"word{(i * i) % 97} token{i % 13} of line {i}" for i in range(20000)]
counts = Counter(word for line in corpus for word in line.split())
print(stamp(), f"step 2/3: {len(counts)} distinct words, merging into cache/vocab.bin", flush=True)
waited = 0
while True:
    try:
        os.close(os.open("cache/vocab.bin.lock", os.O_CREAT | os.O_EXCL))
        break
    except FileExistsError:
        owner = int(open("cache/vocab.bin.lock").read())
        print(stamp(), f"cache/vocab.bin.lock is held by pid {owner} ({'alive' if alive(owner) else 'no such process any more'}); have waited {waited} s for it", flush=True)
        time.sleep(2)
        waited += 2
print(stamp(), "step 3/3: train", flush=True)
