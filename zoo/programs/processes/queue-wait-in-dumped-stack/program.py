import faulthandler, queue, sys, threading, time
faulthandler.dump_traceback_later(3, exit=False, file=sys.stderr)
batches = queue.Queue()
for n in range(30):
    batches.put(n)
step = 0
def next_batch():
    return batches.get()
def main():
    global step
    while True:
        next_batch()
        step += 1
        if step % 5 == 0:
            print(f"step {step} loss {1 / step:.4f}", flush=True)
main()
