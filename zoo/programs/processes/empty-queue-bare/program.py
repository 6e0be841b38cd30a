import queue
q = queue.Queue()
for n in range(30):
    q.put(n)
step = 0
while True:
    q.get(timeout=3)
    step += 1
    if step % 5 == 0:
        print(f"step {step} loss {1 / step:.4f}", flush=True)
