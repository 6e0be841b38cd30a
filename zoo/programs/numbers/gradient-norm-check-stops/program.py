w = 1.0
for step in range(1, 200):
    grad = 2 * w * 1.8
    loss = w * w
    if step % 3 == 0:
        print(f"step {step} loss {loss:.3f} grad_norm {abs(grad):.2f}", flush=True)
    if abs(grad) > 1e6:
        raise SystemExit(f"gradient norm {abs(grad):.3g} exploded at step {step}; lower the learning rate")
    w -= 1.5 * grad
