vocab = {w: n for n, w in enumerate("the cat sat on a mat".split())}
def encode(text):
    return [vocab[w] for w in text.split()]
texts = ["the cat sat", "a mat", "the cat sat on a mat", "the dog sat"]
for step, text in enumerate(texts * 2, 1):
    ids = encode(text)
    print(f"step {step} loss {1 / (1 + sum(ids)):.4f}", flush=True)
