import sys
for epoch in range(1, 9):
    print(f"epoch {epoch}/8 train_acc {min(0.99, 0.3 + 0.1 * epoch):.3f}", flush=True)
sys.exit("validation accuracy 0.31 is far below training accuracy 0.99: refusing to publish the model")
