import queue, threading, time
batches = queue.Queue()
def produce():
    for n in range(60):
        batches.put(n)
        time.sleep(0.01)
    threading.Event().wait()
threading.Thread(target=produce, daemon=True).start()
step = 0
while True:
    try:
        batches.get(timeout=4)
    except queue.Empty:
        raise TimeoutError(f"no batch for 4 s after step {step}, giving up") from None
    step += 1
    if step % 10 == 0:
        print(f"step {step} loss {1 / step:.4f}", flush=True)
