class TrainingDiverged(Exception):
    pass
w, lr = 1.0, 2.2
for step in range(1, 400):
    loss = w * w + 0.1
    if step % 2 == 0:
        print(f"step {step} loss {loss:.3f} lr {lr}", flush=True)
    if loss > 1e4:
        raise TrainingDiverged(f"loss {loss:.1f} is above the limit of 10000 at step {step}")
    w -= lr * w
