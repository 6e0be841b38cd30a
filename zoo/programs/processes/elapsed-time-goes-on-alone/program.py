import queue
import threading
import time

batches = queue.Queue()


def produce():
    for at in range(240):
        batches.put(at)
        time.sleep(0.02)
    threading.Event().wait()  # the share with the next shard never answers


threading.Thread(target=produce, daemon=True).start()

began, step = time.time(), 0
while step < 5000:
    try:
        batches.get(timeout=15)
    except queue.Empty:
        print(f"step {step} | waiting for data | 0.0 it/s | elapsed {time.strftime('%H:%M:%S', time.gmtime(time.time() - began))}", flush=True)
        continue
    step += 1
    if step % 20 == 0:
        print(f"step {step} | loss {2 / (1 + step / 90):.4f} | {step / (time.time() - began):.1f} it/s | elapsed {time.strftime('%H:%M:%S', time.gmtime(time.time() - began))}", flush=True)
