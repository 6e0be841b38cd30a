#!/bin/bash
# memory per job: 500 MB (see the queue's limits)
echo "starting on $(nproc) cpus, limit $(cat /sys/fs/cgroup/memory$(grep :memory: /proc/self/cgroup | cut -d: -f3)/memory.limit_in_bytes) bytes"
python train.py
rc=$?
echo "train.py exited with $rc"
exit $rc
