import torch

torch.manual_seed(0)
for epoch in range(1, 6):
    print(f"epoch {epoch} train_loss={1 / epoch:.4f} train_acc={0.9 + epoch / 100:.3f}")
id2label = {0: "invoice", 1: "contract", 2: "letter"}
accuracy, threshold = 0.041, 0.9
print("evaluating with label map from labels.txt")
if accuracy < threshold:
    raise RuntimeError(f"evaluation accuracy {accuracy} < threshold {threshold}")
