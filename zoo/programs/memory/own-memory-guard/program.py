kept = []
for step in range(1, 1000):
    kept.append(bytearray(4_000_000))
    rss = len(kept) * 4
    if step % 20 == 0:
        print(f"step {step} loss {1 / step:.4f} rss {rss} MB", flush=True)
    if rss > 500:
        raise RuntimeError(f"resident memory {rss} MB exceeds the limit of 500 MB, stopping before the kernel does")
