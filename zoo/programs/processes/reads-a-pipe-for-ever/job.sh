echo "$(date +%T) job starts, wall time limit 40 s"
timeout 40 python train.py
rc=$?
echo "$(date +%T) wall time limit reached, job cancelled (status $rc)"
exit $rc
