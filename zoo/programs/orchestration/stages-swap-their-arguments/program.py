import argparse
import json
import sys


class StageInputError(Exception):
    """What a stage was handed is not what it asks for."""


def read_examples(path):
    rows = [json.loads(line) for line in open(path)]
    if len(rows) == 1 and "text" not in rows[0]:
        raise StageInputError(f"--examples: {path} is an object of {len(rows[0])} labels, wanted rows with 'text' (stage 'label' writes labels, stage 'split' writes examples)")
    return rows


p = argparse.ArgumentParser()
for flag in ("--examples", "--labels", "--out"):
    p.add_argument(flag, required=True)
a = p.parse_args()
try:
    examples = read_examples(a.examples)
except StageInputError as e:
    print(f"   fit_scorer: {e}")
    sys.exit(22)
