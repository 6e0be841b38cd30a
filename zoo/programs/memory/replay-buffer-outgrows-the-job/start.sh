#!/bin/bash
python train.py
rc=$?
echo "start.sh: agent left with status $rc"
place=/sys/fs/cgroup/memory$(grep -o ':memory:.*' /proc/self/cgroup | cut -d: -f3)
echo "start.sh: memory limit $(cat $place/memory.limit_in_bytes), peak $(cat $place/memory.max_usage_in_bytes), $(grep oom_kill\  $place/memory.oom_control)"
exit $rc
