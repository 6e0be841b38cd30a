python train_gnn.py &
pid=$!
sleep 9
py-spy dump --pid $pid > stacks.txt 2>&1
kill -TERM $pid
wait $pid
echo "supervise: no output for a while, took stacks.txt and sent TERM; child said $?"
exit 1
