import os, signal
for step in range(1, 100):
    if step % 10 == 0:
        print(f"step {step} loss {1 / step:.4f}", flush=True)
    if step == 57:
        os.kill(os.getpid(), signal.SIGUSR2)
