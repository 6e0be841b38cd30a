first=$(sbatch --parsable -o /dev/null prepare.sh)
second=$(sbatch --parsable -o train.out --dependency=afterok:$first train.sh)
echo "submitted prepare as $first and train as $second"
for _ in $(seq 30); do
  sleep 1
  reason=$(squeue --noheader --format=%r -j $second 2>&1)
  echo "$(date +%T) train ($second): ${reason:-gone}"
  case "$reason" in *NeverSatisfied*) break ;; esac
done
scontrol show job $first | grep -E "JobState|ExitCode"
squeue -j $second
scancel $second
[ -s train.out ] && cat train.out
exit 1
