#!/bin/bash
export LOGLEVEL=INFO
NODES=${NODES:-2}
echo "node 0 of $NODES starts, rendezvous at localhost:29611"
torchrun --nnodes=$NODES --nproc_per_node=2 --node_rank=0 --rdzv_backend=c10d --rdzv_id=exp7 \
  --rdzv_endpoint=localhost:29611 --rdzv_conf=join_timeout=12 train.py
rc=$?
echo "torchrun ended with $rc"
exit $rc
