python -u train.py > out.txt 2>&1 &
pid=$!
tail -n +1 -F out.txt 2> /dev/null &
tailing=$!
stat -c %s out.txt > size
quiet=0
while kill -0 $pid 2> /dev/null; do
    sleep 5
    now=$(stat -c %s out.txt)
    if [ "$now" = "$(cat size)" ] && grep -q "Epoch 2" out.txt; then quiet=$((quiet + 5)); else quiet=0; fi
    echo $now > size
    if [ $quiet -ge 30 ]; then
        echo "supervisor $(date +%T): no output for 30 s from pid $pid (state $(awk '/^State/ {print $2}' /proc/$pid/status)), sending SIGTERM"
        kill -TERM $pid
        break
    fi
done
wait $pid
code=$?
sleep 1
kill $tailing
echo "supervisor $(date +%T): exit status $code"
exit $code
