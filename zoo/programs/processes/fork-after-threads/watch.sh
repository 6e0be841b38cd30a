# starts the run; when it has been silent for a while, keeps its stacks and ends it
python train.py &
pid=$!
sleep 15
echo "watchdog: no output for 12 s, writing stacks.txt, killing $pid"
for p in $pid $(pgrep -P $pid); do py-spy dump --pid $p; done > stacks.txt
pkill -KILL -P $pid
kill -KILL $pid
wait $pid
exit 1
