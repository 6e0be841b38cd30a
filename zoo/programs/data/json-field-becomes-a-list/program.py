"""Counts words of reviews and fits a score head."""
import datasets
import torch

datasets.disable_progress_bars()
print("datasets", datasets.__version__, "| torch", torch.__version__)
files = [f"reviews-{part}.jsonl" for part in range(4)]
rows = datasets.load_dataset("json", data_files=files, split="train")
print(rows)
head = torch.nn.Linear(2, 5)
optimizer = torch.optim.Adam(head.parameters())
for step, row in enumerate(rows, 1):
    words = torch.tensor([[float(len(row["text"])), float(row["text"].count(" "))]])
    loss = torch.nn.functional.cross_entropy(head(words), torch.tensor([row["score"]]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 200 == 0:
        print(f"step {step} loss {loss.item():.3f}")
