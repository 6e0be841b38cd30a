set -e
mkdir -p work
echo ">> stage split"
python split.py work/all.jsonl work/train.jsonl work/heldout.jsonl
echo ">> stage label"
python label.py work/labels.json work/train.jsonl
echo ">> stage fit"
python fit_scorer.py --examples work/labels.json --labels work/train.jsonl --out work/scorer.json
echo ">> stage report"
