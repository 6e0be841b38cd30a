class Images:
    def __getitem__(self, n):
        image = None if n == 9 else [[n] * 4] * 4
        return image.copy()
images = Images()
for step in range(1, 20):
    x = images[step]
    print(f"step {step} loss {1 / step:.4f}", flush=True)
