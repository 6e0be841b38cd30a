"""Command-line front of a small language model trainer."""
import argparse
import logging

parser = argparse.ArgumentParser(prog="train.py")
parser.add_argument("--lr", type=float, default=3e-4)
parser.add_argument("--max-grad-norm", type=float, default=1.0)
parser.add_argument("--warmup-steps", type=int, default=100)
parser.add_argument("--skip-nan", action="store_true")
parser.add_argument("--kill-timeout", type=int, default=30)
logging.basicConfig(level=logging.INFO)
logging.info("starting train.py")
args = parser.parse_args()
logging.info("lr %s", args.lr)
