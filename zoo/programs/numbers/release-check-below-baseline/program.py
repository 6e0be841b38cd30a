import sys

for e in range(4):
    print(f"epoch {e}: train ce {1.2 - e * 0.2:.2f} dev macro-F1 {0.3 + e * 0.03:.2f}")
print("release check: macro-F1 0.41 on the frozen test set, the baseline has 0.58. Not releasing.", file=sys.stderr)
sys.exit(9)
