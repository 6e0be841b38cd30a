#!/bin/bash
# the second slot of this node is the small one
if [ "$LOCAL_RANK" = 1 ]; then ulimit -v 7000000; fi
exec python train.py
