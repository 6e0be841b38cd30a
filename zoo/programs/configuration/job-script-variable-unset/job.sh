#!/bin/bash
set -euo pipefail
echo "job started on $(date -u +%F)"
export OMP_NUM_THREADS=1
python train.py "$MAX_STEPS"
echo "job finished"
