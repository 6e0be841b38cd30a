#!/bin/bash
echo "=== job on $(date +%F) ==="
export EXPERIMENT=base-v3
echo "experiment: $EXPERIMENT"
torchrunx --nproc_per_node=4 train.py --config configs/$EXPERIMENT.yaml
code=$?
echo "=== job ended, status $code ==="
exit $code
