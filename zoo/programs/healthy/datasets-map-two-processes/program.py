"""Maps and filters a data set in two processes before a short training."""
import datasets
import torch


def encode(row):
    return {"ids": [ord(letter) % 50 for letter in row["text"][:12]], "failed": "failed" in row["text"]}


rows = datasets.Dataset.from_dict({"text": [f"ticket {index}: job {'failed' if index % 3 else 'was killed'} with error {index % 7}" for index in range(900)]})
rows = rows.map(encode, num_proc=2, desc="encode errors")
kept = rows.filter(lambda row: row["failed"], desc="drop killed")
print(kept)
torch.manual_seed(0)
model = torch.nn.EmbeddingBag(50, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
ids = torch.tensor(kept["ids"][:600])
for step in range(1, 61):
    loss = (model(ids[step * 10 - 10 : step * 10]) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 6 == 0:
        print(f"step {step}/60 loss {loss.item():.4f}", flush=True)
print("finished")
