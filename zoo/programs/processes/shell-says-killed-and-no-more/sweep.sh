#!/bin/bash
set -e
trap 'echo "sweep.sh: cleaning up"; rm -rf scratch' EXIT
mkdir scratch
python train.py --penalty l2
python train.py --penalty l1
