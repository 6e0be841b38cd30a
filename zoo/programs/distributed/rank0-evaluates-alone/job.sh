timeout 45 torchrun --nproc_per_node=2 train.py
rc=$?
echo "$(date "+%F %T") wall time of the debug queue used up, status $rc"
exit $rc
