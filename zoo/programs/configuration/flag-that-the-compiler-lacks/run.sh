#!/bin/bash
export XLA_FLAGS="--xla_cpu_fast_math_level=3 --xla_force_host_platform_device_count=2"
echo "$(date +%T) run.sh: XLA_FLAGS=$XLA_FLAGS"
python train.py --layers 3
status=$?
echo "$(date +%T) run.sh: training stopped with $status"
exit $status
