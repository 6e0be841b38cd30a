"""Writes JSON lines; in the third file the field score holds an object."""
import json
import random

random.seed(8)
for part in range(4):
    with open(f"reviews-{part}.jsonl", "w") as out:
        for row in range(300):
            score = random.randint(0, 4)
            value = {"mean": score, "votes": row % 7} if part == 2 else score
            out.write(json.dumps({"text": f"review {row} of part {part}", "score": value}) + "\n")
